/** A process that looks like an agent program: a real one, with that name, in that folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { identityOf } from "../../../confinement/process-tree.ts";

export interface ProgramProcess extends AsyncDisposable {
  readonly pid: number;
  /** As /proc tells. */
  readonly identity: string;
  kill(): Promise<void>;
}

export async function openProgramProcess(
  name: string,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramProcess> {
  const child = spawn("sleep", ["600"], {
    argv0: name,
    cwd: folder,
    env: { PATH: process.env["PATH"], ...env },
    stdio: "ignore",
  });
  await once(child, "spawn");
  const { pid = 0 } = child;
  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }
  return { pid, identity: identityOf(pid) ?? "", kill, [Symbol.asyncDispose]: kill };
}
