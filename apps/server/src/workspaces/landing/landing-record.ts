/**
 * What a landing does to its line, written before it is done: a commit of our own whose parents are the
 * line before, the line after, and what the line is built on then, where that changes. So a landing that
 * was cut off can be told from one that happened, and be ended as it was begun.
 */
import { accept, type Outcome } from "@atrium/core";
import { draftCommit, readCommit, readCommitFacts } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { writeObjects } from "../git/loose-object.ts";
import { writeRefs } from "../git/write-refs.ts";
import { landingRef } from "../store/refs.ts";
import type { Store } from "../store/store.ts";

export interface LandingRecord {
  readonly before: string;
  readonly after: string;
  readonly tree: string;
  /** Undefined: it stays. */
  readonly base: string | undefined;
}

export async function readLandingRecord(
  git: Git,
  { gitDir, objects }: Store,
  lineId: string,
  landingId: string,
): Promise<Outcome<LandingRecord | undefined>> {
  const found = await readCommit(git, gitDir, landingRef(lineId, landingId));
  if (!found.ok) return found.code === "moment.missing" ? accept(undefined) : found;
  const facts = await readCommitFacts(objects, found.value.commit);
  if (!facts.ok) return facts;
  const { tree, parents } = facts.value;
  const [before = "", after = "", base] = parents;
  return accept({ before, after, tree, base });
}

export async function writeLandingRecord(
  git: Git,
  gitDir: string,
  ref: string,
  { before, after, tree, base }: LandingRecord,
): Promise<Outcome<unknown>> {
  const parents = [before, after, ...(base === undefined ? [] : [base])];
  const draft = draftCommit({ tree, parents, message: "Landing", at: 0 });
  await writeObjects(gitDir, [draft]);
  return writeRefs(git, gitDir, [{ ref, to: draft.id }]);
}
