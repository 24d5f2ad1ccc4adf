/** A server in a process of its own, which says in one line of JSON where it listens. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface ChildServer extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  readonly token: string;
  /** Asks it to stop and waits until it has. */
  end(): Promise<void>;
}

interface Ready {
  readonly port: number;
  readonly token?: string | null;
}

export async function startChild(
  script: URL,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<ChildServer> {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
    cwd: tmpdir(),
  });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (isRunning && child.kill(signal)) await once(child, "exit");
    process.off("exit", kill);
  };
  try {
    const { port, token } = await readiness(child);
    return {
      pid: child.pid ?? 0,
      port,
      token: token ?? "",
      end: () => stop("SIGTERM"),
      [Symbol.asyncDispose]: () => stop("SIGKILL"),
    };
  } catch (cause) {
    await stop("SIGKILL");
    throw cause;
  }
}

function readiness(child: ChildProcess): Promise<Ready> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) =>
      reject(new Error(`the server ended with ${code} before it was ready`)),
    );
    if (child.stdout === null) return;
    createInterface(child.stdout).once("line", (line) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- printed by a server of ours
      resolve(JSON.parse(line) as Ready);
    });
  });
}
