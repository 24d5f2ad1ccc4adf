/**
 * Sandboxes of an earlier life of the server. They end with it, but for one that was just being made:
 * its first process waits for word from a parent that is gone.
 */
import { createHash } from "node:crypto";
import { procNames, procText } from "../platform/proc-files.ts";
import { kill } from "./process-tree.ts";

const PROGRAM = "bwrap";
const HOME_MARK_CHARS = 16;

/** Begins the marks of all lives that a server has in this home. */
export function homeMark(home: string): string {
  return createHash("sha256").update(home).digest("hex").slice(0, HOME_MARK_CHARS);
}

/**
 * `variable`: in the environment of every sandbox. Those whose value begins with `home` and is not
 * `present` are ended; their number is returned.
 */
export function endLeftSandboxes(variable: string, home: string, present: string): number {
  const isLeft = (entry: string): boolean =>
    entry.startsWith(`${variable}=${home}.`) && entry !== `${variable}=${present}`;
  const left = procNames("/proc").filter(
    (pid) =>
      procText(`/proc/${pid}/comm`).trim() === PROGRAM &&
      procText(`/proc/${pid}/environ`).split("\0").some(isLeft),
  );
  return left.filter((pid) => kill(Number(pid))).length;
}
