/** What git could not do, as an answer: which of the few things that people can do something about. */
import { accept, refuse, type Outcome, type Refusal, type RefusalCode } from "@atrium/core";
import type { GitResult } from "./git.ts";

type GitFailure = Extract<GitResult, { ok: false }>;

/** Git does not always pass on what the system said; in a store of ours nothing else keeps it from writing. */
const FULL =
  /No space left on device|Disk quota exceeded|Out of diskspace|File too large|couldn't write|SIGXFSZ/i;
const FULL_CODES: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** `otherwise` is what it means when git itself said no. */
export function refusalOf(failure: GitFailure, otherwise: RefusalCode = "git.failed"): Refusal {
  const { why, complaint } = failure;
  if (FULL.test(complaint)) return refuse("disk.full", complaint);
  switch (why) {
    case "missing":
      return refuse("git.missing", complaint);
    case "late":
    case "large":
    case "killed":
      return refuse("git.failed", complaint);
    case "failed":
      return refuse(otherwise, complaint);
  }
}

export function outcomeOf(result: GitResult, otherwise?: RefusalCode): Outcome<Buffer> {
  return result.ok ? accept(result.stdout) : refusalOf(result, otherwise);
}

/** What the system said to us, not to git; anything else is thrown on. */
export function refusalOfFile(cause: unknown): Refusal {
  if (!(cause instanceof Error) || !("syscall" in cause) || !("code" in cause)) throw cause;
  return refuse(FULL_CODES.has(cause.code) ? "disk.full" : "git.failed", cause.message);
}
