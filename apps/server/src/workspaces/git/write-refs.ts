/** Several refs in one transaction, which happens if each is where it was. */
import { accept, type Outcome } from "@atrium/core";
import { gitIn } from "./commits.ts";
import { outcomeOf } from "./git-refusal.ts";
import type { Git } from "./git.ts";

export interface RefUpdate {
  readonly ref: string;
  /** Null: gone. */
  readonly to: string | null;
  /** Where it must be; left out: anywhere. */
  readonly from?: string | undefined;
}

export async function writeRefs(
  git: Git,
  gitDir: string,
  updates: readonly RefUpdate[],
): Promise<Outcome<unknown>> {
  if (updates.length === 0) return accept(undefined);
  const input = updates
    .map(({ ref, to, from = "" }) =>
      to === null ? `delete ${ref}\0${from}\0` : `update ${ref}\0${to}\0${from}\0`,
    )
    .join("");
  return outcomeOf(await git.run(gitIn(gitDir, "update-ref", "-z", "--stdin"), { input }));
}

/** What a ref is at that must not be there. */
export const nothingLike = (id: string): string => "0".repeat(id.length);
