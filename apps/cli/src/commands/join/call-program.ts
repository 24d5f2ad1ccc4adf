/** Calls a program's own command, to its end. */
import { execFile } from "node:child_process";
import type { Environment } from "../../command-line/environment.ts";

export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Pick<Environment, "env" | "cwd">;
}

export interface ProgramOutcome {
  /** Null: it has done it. */
  readonly error: Error | null;
  readonly stdout: string;
  readonly stderr: string;
}

const PATIENCE_MS = 60_000;

export function callProgram({ command, args, environment }: ProgramCall): Promise<ProgramOutcome> {
  const { env, cwd } = environment;
  return new Promise((resolve) => {
    const options = { env: { ...env }, cwd, timeout: PATIENCE_MS };
    const child = execFile(command, [...args], options, (error, stdout, stderr) => {
      resolve({ error, stdout, stderr });
    });
    child.stdin?.end();
  });
}

export function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
