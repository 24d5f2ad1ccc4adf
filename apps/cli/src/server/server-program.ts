/** The server is another app: it is started as a program, never imported. */
import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { EXIT } from "../command-line/cli-error.ts";
import type { Environment } from "../command-line/environment.ts";

export const SERVER_PROGRAM = fileURLToPath(
  new URL("../../../server/src/main.ts", import.meta.url),
);

export function exitCodeOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? EXIT.failed));
  });
}

/** This process becomes the server's, so that no parent has to pass signals on or can die before it. */
export async function becomeServer(
  args: readonly string[],
  env: Environment["env"],
): Promise<number> {
  const command = [SERVER_PROGRAM, ...args];
  const vars = Object.entries(env).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined;
  });
  if (process.execve === undefined || process.platform === "win32") {
    return exitCodeOf(spawn(process.execPath, command, { stdio: "inherit" }));
  }
  return process.execve(process.execPath, [process.execPath, ...command], Object.fromEntries(vars));
}
