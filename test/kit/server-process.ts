/** The real server as its own process: for what only shows when a process starts, dies or runs twice. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectPeer, type Connected, type ConnectOptions } from "./raw-peer.ts";

export const MAIN = fileURLToPath(new URL("../../apps/server/src/main.ts", import.meta.url));

export interface ServerProcess extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
  readonly wsUrl: string;
  readonly port: number;
  readonly token: string;
  connect(options?: ConnectOptions): Promise<Connected>;
  /** Ends it with that signal and resolves with its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  /** Resolves when it ends, by itself or not. */
  readonly exited: Promise<Exited>;
}

export interface Exited {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  readonly args?: readonly string[];
  /** No file the server writes may grow beyond this: how a full disk feels, without one. */
  readonly maxFileKiB?: number;
  /** How many files and sockets it may have open. */
  readonly maxOpenFiles?: number;
  /** Its environment, beyond what every program needs. */
  readonly env?: Readonly<Record<string, string>>;
  /** The main.ts of another version. */
  readonly main?: string;
}

export async function startServer(
  home: string,
  options: StartOptions = {},
): Promise<ServerProcess> {
  const child = launch(home, ["--json", "--port", "0", ...(options.args ?? [])], options);
  const output = collect(child);
  const exited = once(child, "close").then(([code]: (number | null)[]) => ({
    code: code ?? null,
    ...output,
  }));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", () => {
      const [first, rest] = output.stdout.split("\n", 2);
      if (first !== undefined && rest !== undefined) resolve(first);
    });
    child.once("exit", (code) => reject(new Error(`exit ${code}: ${output.stderr}`)));
  });
  const { url, port, token } = JSON.parse(line) as {
    url: string;
    port: number;
    token: string | null;
  };
  const wsUrl = url.replace(/^http/, "ws");
  const end = async (signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    child.kill(signal);
    const [code] = (await once(child, "exit")) as [number | null];
    return code;
  };
  return {
    pid: child.pid ?? 0,
    url,
    wsUrl,
    port,
    token: token ?? "",
    connect: (how = {}) => connectPeer(wsUrl, { auth: { token: token ?? "" }, ...how }),
    end,
    exited,
    async [Symbol.asyncDispose]() {
      await end("SIGKILL");
    },
  };
}

/** Runs the server until it exits by itself. */
export async function runServer(
  home: string,
  args: readonly string[],
  options: StartOptions = {},
): Promise<Exited> {
  const child = launch(home, args, options);
  const output = collect(child);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...output };
}

export async function withHome<T>(use: (home: string) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), "atrium-"));
  try {
    return await use(home);
  } finally {
    // What the server had started may still write there.
    await rm(home, { recursive: true, force: true, maxRetries: 20 });
  }
}

function launch(
  home: string,
  args: readonly string[],
  { maxFileKiB, maxOpenFiles, env, main = MAIN }: StartOptions = {},
): ChildProcess {
  const command = [process.execPath, main, "--home", home, ...args];
  // POSIX counts file sizes in blocks of 512 bytes.
  const limit =
    (maxFileKiB === undefined ? "" : `ulimit -f ${maxFileKiB * 2}; `) +
    (maxOpenFiles === undefined ? "" : `ulimit -n ${maxOpenFiles}; `);
  return spawn("sh", ["-c", `${limit}exec "$@"`, "sh", ...command], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], ...env },
    cwd: tmpdir(),
  });
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  return output;
}
