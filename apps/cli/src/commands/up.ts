/**
 * `atrium up`: starts a server and says where it is. The server is another app, so it is started as a
 * program, never imported.
 *
 *   someone holds the home already -> says so
 *   else become the server, which says where it is; or with --detach
 *        start one -> open? -> its address, and leave it running
 *                 \-> it ended before: what it said, and its exit code
 */
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { own } from "@atrium/wire";
import { CliError, EXIT } from "../command-line/cli-error.ts";
import type { Command } from "../command-line/command.ts";
import type { Environment } from "../command-line/environment.ts";
import { usageError } from "../command-line/read-args.ts";
import { lookForServer, type ServerLocation } from "../server/find-server.ts";
import { becomeServer, exitCodeOf, SERVER_PROGRAM } from "../server/server-program.ts";
import { isRecord } from "../server/settings.ts";
import { shortPath } from "../terminal/measures.ts";
import type { Terminal } from "../terminal/terminal.ts";

const LOOK_MS = 25;

/** Of the server's flags, those that matter here. */
const FLAGS = {
  home: { type: "string" },
  config: { type: "string" },
  host: { type: "string" },
  port: { type: "string" },
  token: { type: "string" },
  json: { type: "boolean" },
} as const;

interface OpenServer {
  readonly url: string;
  readonly token: string | null;
  /** The line as the server wrote it. */
  readonly line: string;
}

export const up: Command = {
  name: "up",
  calls: [["up [--detach] [SERVER FLAGS]", "start a server and run it until Ctrl-C"]],
  options: {
    detach: {
      type: "boolean",
      short: "d",
      help: "run it in the background and return once it is open",
    },
  },
  examples: ["atrium up --detach --port 18790 --home ~/second"],
  // The flags are the server's, and so is what there is to say about them.
  moreHelp: () =>
    exitCodeOf(spawn(process.execPath, [SERVER_PROGRAM, "--help"], { stdio: "inherit" })),
  async run(args, environment) {
    const options = readOwn(args);
    const stray = strayWord(options.rest);
    if (stray !== undefined) throw usageError("up", `Unexpected argument: ${stray}`);
    // An address in the environment names the server to talk to, not where to listen.
    const env = { ...environment.env, ATRIUM_URL: "" };
    const found = await lookForServer(options.flags, { env, cwd: environment.cwd });
    if (found.state === "running") return isOpenAlready(found, options, environment.terminal);
    const command = [SERVER_PROGRAM, ...options.rest];
    if (!options.isDetached) {
      const { terminal } = environment;
      if (terminal.hasPerson) {
        terminal.err(`${terminal.errPaint.quiet("Press Ctrl-C to stop it.")}\n`);
      }
      return becomeServer(options.rest, environment.env);
    }
    return startDetached(
      options.isJson ? command : [...command, "--json"],
      environment,
      options.isJson,
    );
  },
};

/** A running server cannot change its flags, so flags that differ from its own are an error. */
function isOpenAlready(
  { place, holder }: Extract<ServerLocation, { readonly state: "running" }>,
  { rest, isJson }: ReturnType<typeof readOwn>,
  terminal: Terminal,
): number {
  const { url, home = "" } = place;
  const { pid } = holder;
  const ignored = unmetOptions(rest, new URL(url));
  const { paint, errPaint } = terminal;
  if (isJson) {
    const note = { ready: true, already: true, url, pid, ...(ignored.length > 0 && { ignored }) };
    terminal.out(`${JSON.stringify(note)}\n`);
  } else {
    const note = paint.quiet(`(process ${pid}, on ${shortPath(home)})`);
    terminal.out(`Atrium is already open: ${paint.link(url)} ${note}\n`);
  }
  if (ignored.length === 0) return EXIT.ok;
  terminal.err(
    `${errPaint.bad("atrium:")} ${ignored.join(" ")} had no effect: the server is already running with its own settings.\n`,
  );
  terminal.err(errPaint.quiet(`Stop it first with: kill ${pid}. Or start another with --home.\n`));
  return EXIT.failed;
}

/** Which home and which settings led here; where it listens can be seen; the rest cannot be told from outside. */
function unmetOptions(args: readonly string[], { port, hostname }: URL): readonly string[] {
  const is: Readonly<Record<string, string>> = { port, host: hostname };
  return tokensOf(args).flatMap((token) => {
    if (token.kind === "option-terminator") return [];
    if (token.kind === "positional") return [token.value];
    const { name, rawName, value } = token;
    if (["home", "config", "json"].includes(name)) return [];
    if (value !== undefined && own(is, name) === value) return [];
    return [value === undefined ? rawName : `${rawName} ${name === "token" ? "…" : value}`];
  });
}

/** A word that no flag may have taken for its value. */
function strayWord(args: readonly string[]): string | undefined {
  const tokens = tokensOf(args);
  const stray = tokens.find((token, at) => {
    const before = tokens[at - 1];
    const isTaken =
      before?.kind === "option" && before.value === undefined && before.name !== "json";
    return token.kind === "positional" && !isTaken;
  });
  return stray?.kind === "positional" ? stray.value : undefined;
}

function tokensOf(args: readonly string[]) {
  return parseArgs({ args: [...args], strict: false, tokens: true, options: FLAGS }).tokens;
}

/** Removes our own flags; the server checks the rest, unknown flags included. */
function readOwn(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], strict: false, options: FLAGS });
  return {
    flags: { home: asText(values["home"]), config: asText(values["config"]) },
    isJson: values["json"] === true,
    isDetached: args.some(isOwn),
    rest: args.filter((arg) => !isOwn(arg)),
  };
}

const isOwn = (arg: string): boolean => arg === "--detach" || arg === "-d";
const asText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

async function startDetached(
  command: readonly string[],
  { cwd, terminal }: Environment,
  isJson: boolean,
): Promise<number> {
  // Files, not pipes: a server that outlives us must not choke on a pipe nobody reads.
  const folder = mkdtempSync(join(tmpdir(), "atrium-up-"));
  const [outFile, errFile] = [join(folder, "out"), join(folder, "err")];
  const [out, err] = [openSync(outFile, "w", 0o600), openSync(errFile, "w", 0o600)];
  try {
    const stdio = ["ignore", out, err] as const;
    const child = spawn(process.execPath, command, { cwd, detached: true, stdio: [...stdio] });
    const ended = exitCodeOf(child);
    let code: number | undefined;
    void ended.then((how) => (code = how));
    for (;;) {
      const opened = readOpenServer(readFileSync(outFile, "utf8"));
      if (opened !== undefined) {
        child.unref();
        announce(opened, terminal, isJson);
        const { errPaint } = terminal;
        if (!isJson) {
          terminal.err(`${errPaint.quiet(`To stop it, run: kill ${child.pid ?? ""}`)}\n`);
        }
        return EXIT.ok;
      }
      if (code !== undefined) {
        terminal.err(readFileSync(errFile, "utf8"));
        return code;
      }
      await sleep(LOOK_MS);
    }
  } finally {
    closeSync(out);
    closeSync(err);
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOpenServer(output: string): OpenServer | undefined {
  const end = output.indexOf("\n");
  if (end === -1) return undefined;
  const line = output.slice(0, end);
  const opened: unknown = JSON.parse(line);
  if (!isRecord(opened) || typeof opened["url"] !== "string") {
    throw new CliError(`The server did not print its address: ${line}`);
  }
  const { url, token } = opened;
  return { url, token: typeof token === "string" ? token : null, line };
}

function announce({ url, token, line }: OpenServer, terminal: Terminal, isJson: boolean): void {
  const address = token === null ? url : `${url}#token=${token}`;
  terminal.out(isJson ? `${line}\n` : `Atrium is open: ${terminal.paint.link(address)}\n`);
}
