/**
 * Finding files and lines with ripgrep, which comes as an npm package. It runs where commands run; no
 * person is asked, because the program is ours and is told nothing but what to look for.
 */
import type { Confinement } from "../../confinement/confinement.ts";
import { limitsWith } from "../../confinement/limits.ts";
import { PathRefused } from "../../platform/folder-files.ts";
import type { WorkspaceCall } from "./workspace-tool.ts";

export type FindWithRipgrep = (call: WorkspaceCall, args: readonly string[]) => Promise<Buffer>;

const TIMEOUT_MS = 30_000;
/** Hidden files count, git's data does not; and nothing outside says what is ignored. */
const ALWAYS = [
  "--no-config",
  "--hidden",
  "--no-ignore-global",
  "--no-require-git",
  "--glob=!.git",
  "--color=never",
  "--sort=path",
];
const NOTHING_FOUND = 1;

export function createRipgrep(confinement: Pick<Confinement, "run">): FindWithRipgrep {
  return async ({ workspace, signal }, args) => {
    const program = await programPath();
    const { end, output } = await confinement.run(
      {
        argv: [program, ...ALWAYS, ...args],
        permit: () => Promise.resolve({ isAllowed: true }),
      },
      { ...workspace, readable: [{ from: program }] },
      limitsWith({ timeoutMs: TIMEOUT_MS }),
      signal,
    );
    if (end.how === "stopped") throw new PathRefused("It took too long. Look for less.");
    const isDone = end.how === "exited" && (end.code === 0 || end.code === NOTHING_FOUND);
    // Where it could not read a part, what it found counts.
    if (isDone || output.whole.includes(0)) return Buffer.from(output.whole);
    throw new PathRefused(end.how === "refused" ? end.reason : output.text.trim());
  };
}

/** Loaded by the first who looks for something. */
async function programPath(): Promise<string> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch {
    throw new PathRefused("ripgrep is not installed for this system. Use run with grep or find.");
  }
}
