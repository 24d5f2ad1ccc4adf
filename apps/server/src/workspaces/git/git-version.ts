/** Which git is there, and whether it can do what is asked of it here. */
import { accept, refuse, type Outcome } from "@atrium/core";
import { textOf, type Git } from "./git.ts";

/** The first with `merge-tree --write-tree`. */
const WANTED = [2, 38] as const;
const TIMEOUT_MS = 10_000;

export async function probeGit(git: Git): Promise<Outcome<string>> {
  const result = await git.run(["--version"], { timeoutMs: TIMEOUT_MS });
  const wanted = `git ${WANTED.join(".")} or newer is needed`;
  if (!result.ok) return refuse("git.missing", `${wanted}: ${result.complaint}`);
  const version = /\d+(?:\.\d+)+/.exec(textOf(result.stdout))?.[0];
  if (version === undefined) return refuse("git.missing", `${wanted}: it told no version`);
  return isEnough(version)
    ? accept(version)
    : refuse("git.missing", `${wanted}: this is git ${version}`);
}

function isEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > WANTED[0] || (major === WANTED[0] && minor >= WANTED[1]);
}
