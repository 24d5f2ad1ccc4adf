import { spawnGuarded } from "../process/guarded.ts";
import { markOf } from "../process/mark.ts";
import { stopProcess } from "../process/stop-process.ts";
import type { Launch } from "../protocol/claude-process.ts";
import { quote } from "../protocol/turn-ending.ts";
/** A program that we start to speak the bridge's frames: its words on standard streams are of no interest, its end is. */
import type { BridgedProgram } from "./bridged.ts";

const ERRORS_KEPT = 4_096;

export function startBridgeProgram(launch: Launch): BridgedProgram {
  const { child, stdin, stdout, stderr } = spawnGuarded(launch.command, launch.extraArgs, launch);
  let errors = "";
  stdout.resume();
  stderr.on("data", (bytes: Buffer) => {
    errors = `${errors}${bytes.toString("utf8")}`.slice(-ERRORS_KEPT);
  });
  // It need not read what nobody writes.
  stdin.on("error", () => undefined);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => {
      const how = signal === null ? `with code ${code}` : `by ${signal}`;
      const said = quote(errors);
      resolve(`it ended ${how}${said === "" ? "" : `: ${said}`}`);
    });
  });
  const mark = markOf(launch.env);
  return {
    pid: child.pid,
    ended,
    stop: () => stopProcess({ pid: child.pid, ended, mark, ask: () => void stdin.end() }),
  };
}
