/**
 * Everything one real client needs: our server as its own process, a wiretap in front of it, and a home
 * for the client that points there and is gone afterwards. The client is told nothing but an address and
 * a token, as a person would configure it.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { startServer, type ServerProcess } from "../../kit/server-process.ts";
import type { Needed } from "./peer.ts";
import { openTerminal, type Terminal } from "./pseudo-terminal.ts";
import { openWiretap, type Wiretap } from "./wiretap.ts";

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One installation of the peer, as if on a machine of its own. */
export interface Client {
  readonly home: string;
  /** Runs one command to its end. */
  run(...args: readonly string[]): Promise<Ran>;
  /** Starts a command that stays; it is ended with the stage. */
  start(...args: readonly string[]): ChildProcessWithoutNullStreams;
  /** The same, in a terminal. */
  startInTerminal(...args: readonly string[]): Terminal;
}

export interface Stage extends Client, AsyncDisposable {
  readonly server: ServerProcess;
  readonly wire: Wiretap;
  /** The address the client knows. */
  readonly wsUrl: string;
  readonly url: string;
  /** A further installation, with a home of its own. */
  openClient(name: string): Promise<Client>;
}

export interface StageOptions {
  /** Under which name its unanswered requests are reported. */
  readonly client: string;
  readonly serverArgs?: readonly string[];
}

const COMMAND_LIMIT_MS = 120_000;

export async function openStage(peer: Needed, options: StageOptions): Promise<Stage> {
  const program = join(peer.path(), "openclaw.mjs");
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "atrium-conformance-"));
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const server = opened.use(
    await startServer(join(folder, "server"), { args: options.serverArgs ?? [] }),
  );
  const wire = opened.use(await openWiretap(server.port));
  opened.defer(() => reportRefusals(options.client, wire));
  const wsUrl = `ws://127.0.0.1:${wire.port}`;
  // What a test starts later is ended with the rest, and before it.
  const held = opened.move();

  const openClient = async (name: string): Promise<Client> => {
    const home = join(folder, name);
    const env = await prepareHome(home, { url: wsUrl, token: server.token });
    const start: Client["start"] = (...args) => {
      const child = spawn(process.execPath, [program, ...args], { cwd: home, env });
      held.defer(() => endProcess(child));
      return child;
    };
    return {
      home,
      start,
      startInTerminal: (...args) =>
        held.use(openTerminal(process.execPath, [program, ...args], { cwd: home, env })),
      run: (...args) => ranToEnd(start(...args)),
    };
  };
  return {
    ...(await openClient("client")),
    server,
    wire,
    wsUrl,
    url: `http://127.0.0.1:${wire.port}/`,
    openClient,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** The client's settings and environment: no colors, no updates, and nothing of ours. */
async function prepareHome(
  home: string,
  gateway: { readonly url: string; readonly token: string },
): Promise<Record<string, string>> {
  const state = join(home, "state");
  const temporary = join(home, "tmp");
  for (const folder of [state, temporary]) await mkdir(folder, { recursive: true });
  const settings = {
    gateway: { mode: "remote", remote: gateway },
    update: { checkOnStart: false },
  };
  await writeFile(join(state, "openclaw.json"), JSON.stringify(settings));
  return {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
    HOME: home,
    TMPDIR: temporary,
    OPENCLAW_STATE_DIR: state,
    OPENCLAW_NO_AUTO_UPDATE: "1",
    NO_COLOR: "1",
    LANG: "C.UTF-8",
  };
}

async function ranToEnd(child: ChildProcessWithoutNullStreams): Promise<Ran> {
  const output = { stdout: "", stderr: "" };
  child.stdin.end();
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const limit = setTimeout(() => child.kill("SIGKILL"), COMMAND_LIMIT_MS);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(limit);
  return {
    code,
    stdout: stripVTControlCharacters(output.stdout),
    stderr: stripVTControlCharacters(output.stderr),
  };
}

async function endProcess(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "exit");
  child.kill("SIGKILL");
  await closed;
}

/** Whoever runs the whole suite may want to know what the clients asked for in vain. */
async function reportRefusals(client: string, wire: Wiretap): Promise<void> {
  const file = process.env["ATRIUM_CONFORMANCE_REPORT"];
  if (file === undefined) return;
  const lines = wire.refused().map((refusal) => JSON.stringify({ client, ...refusal }));
  if (lines.length > 0) await appendFile(file, `${lines.join("\n")}\n`);
}
