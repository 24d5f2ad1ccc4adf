/** A program that we start to speak the bridge's frames: its standard streams are of no interest, its end is. */
import { keepErrors, spawnGuarded } from "../process/guarded.ts";
import { markOf } from "../process/mark.ts";
import { stopProcess } from "../process/stop-process.ts";
import type { Launch } from "../protocol/claude-process.ts";
import type { BridgedProgram } from "./bridged.ts";

export function startBridgeProgram(launch: Launch): BridgedProgram {
  const { child, stdin, stdout, stderr } = spawnGuarded(launch.command, launch.extraArgs, launch);
  const reasonOf = keepErrors(stderr);
  stdout.resume();
  // It need not read what nobody writes.
  stdin.on("error", () => undefined);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(reasonOf(code, signal)));
  });
  const mark = markOf(launch.env);
  return {
    pid: child.pid,
    ended,
    stop: () => stopProcess({ pid: child.pid, ended, mark, ask: () => void stdin.end() }),
  };
}
