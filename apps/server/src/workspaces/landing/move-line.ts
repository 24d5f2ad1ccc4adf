/**
 * Moves a line: what it becomes is recorded, then the line is moved by compare-and-swap.
 *
 * Repeated, a landing that happened is told again; one that was recorded and not done is done, if the line
 * is still where it was; else what it becomes is found anew.
 */
import { accept, refuse, type Outcome } from "@atrium/core";
import { draftCommit, isAncestor } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { writeObjects } from "../git/loose-object.ts";
import { writeRefs, type RefUpdate } from "../git/write-refs.ts";
import type { Conflict, Landed, LineState } from "../port/landing.ts";
import { readLine } from "../store/lines.ts";
import { conflictRef, landingRef, lineBaseRef, lineRef } from "../store/refs.ts";
import { isPlainId, type Store } from "../store/store.ts";
import { readLandingRecord, writeLandingRecord, type LandingRecord } from "./landing-record.ts";
import type { MergedTree } from "./merge-commits.ts";

export interface LineTools {
  readonly git: Git;
  readonly store: Store;
  readonly lineId: string;
}

interface LandingName {
  readonly landingId: string;
}

/** `find`: what the line becomes, or why it stays. */
export async function moveLine<Stays extends { readonly type: string }>(
  tools: LineTools,
  { landingId }: LandingName,
  find: (line: LineState) => Promise<Outcome<LandingRecord | Stays>>,
): Promise<Outcome<Landed | Stays>> {
  const { git, store, lineId } = tools;
  if (!isPlainId(landingId)) return refuse("line.missing", `${landingId.slice(0, 80)} is no id`);
  const line = await readLine(git, store.gitDir, lineId);
  if (!line.ok) return line;
  const known = await readLandingRecord(git, store, lineId, landingId);
  if (!known.ok) return known;
  if (known.value !== undefined) {
    const { before, after } = known.value;
    const isDone = await isAncestor(git, store.gitDir, after, line.value.commit);
    if (!isDone.ok) return isDone;
    const isNewest = after === line.value.commit;
    if (isDone.value && !isNewest) return accept(landedBy(known.value));
    // The base may not have followed the line when both were cut off.
    if (isNewest || before === line.value.commit) return swap(tools, line.value, known.value);
  }
  const found = await find(line.value);
  if (!found.ok) return found;
  if ("type" in found.value) return accept(found.value);
  const ref = landingRef(lineId, landingId);
  const recorded = await writeLandingRecord(git, store.gitDir, ref, found.value);
  return recorded.ok ? swap(tools, line.value, found.value) : recorded;
}

async function swap(
  { git, store, lineId }: LineTools,
  line: LineState,
  record: LandingRecord,
): Promise<Outcome<Landed>> {
  const { after, base } = record;
  const moves: RefUpdate[] = [{ ref: lineRef(lineId), to: after, from: line.commit }];
  if (base !== undefined) moves.push({ ref: lineBaseRef(lineId), to: base, from: line.base });
  const moved = await writeRefs(git, store.gitDir, moves);
  return moved.ok ? accept(landedBy(record)) : moved;
}

const landedBy = ({ before, after, tree }: LandingRecord): Landed => ({
  type: "landed",
  commit: after,
  before,
  tree,
});

interface LandingCommit extends LandingName {
  readonly message: string;
  readonly at: number;
  /** As a commit has it; us, where it is left out. */
  readonly author?: string;
  /** What was merged and stays in the history; the line is built on it then. */
  readonly base?: string;
  /** What was merged and is in the history of a conflict only, so that it is forgotten with it. */
  readonly change?: string;
}

/** A commit of what was merged, on top of the line; or where the two sides do not fit. */
export async function settleMerge(
  { git, store, lineId }: LineTools,
  line: LineState,
  { landingId, base, change, ...request }: LandingCommit,
  { tree, conflicts }: MergedTree,
): Promise<Outcome<LandingRecord | Conflict>> {
  const { gitDir } = store;
  const merged = [line.commit, base].filter((parent) => parent !== undefined);
  const isClean = conflicts.length === 0;
  const parents = isClean || change === undefined ? merged : [...merged, change];
  const draft = draftCommit({ ...request, tree, parents });
  await writeObjects(gitDir, [draft]);
  if (isClean) return accept({ before: line.commit, after: draft.id, tree, base });
  // The tree has to be there until somebody works on it.
  const ref = conflictRef(lineId, landingId);
  const kept = await writeRefs(git, gitDir, [{ ref, to: draft.id }]);
  return kept.ok ? accept({ type: "conflict", with: line.commit, tree, paths: conflicts }) : kept;
}
