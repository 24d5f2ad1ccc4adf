/** A line: a branch of the store that a project's changes land on. It only ever grows. */
import { accept, refuse, type Outcome } from "@atrium/core";
import { readCommit } from "../git/commits.ts";
import type { Git } from "../git/git.ts";
import { nothingLike, writeRefs } from "../git/write-refs.ts";
import type { LineState } from "../port/landing.ts";
import { BASE_REF, lineBaseRef, lineRef } from "./refs.ts";

export async function findLine(
  git: Git,
  gitDir: string,
  lineId: string,
): Promise<Outcome<LineState | undefined>> {
  const [tip, base] = await Promise.all([
    readCommit(git, gitDir, lineRef(lineId)),
    readCommit(git, gitDir, lineBaseRef(lineId)),
  ]);
  for (const found of [tip, base]) {
    if (!found.ok) return found.code === "moment.missing" ? accept(undefined) : found;
  }
  if (!tip.ok || !base.ok) return accept(undefined);
  return accept({ ...tip.value, base: base.value.commit });
}

export async function readLine(
  git: Git,
  gitDir: string,
  lineId: string,
): Promise<Outcome<LineState>> {
  const found = await findLine(git, gitDir, lineId);
  if (!found.ok) return found;
  return found.value === undefined ? refuse("line.missing", lineId) : accept(found.value);
}

/** The base first: what has one and no line was cut off, and is made again. */
export async function openLine(
  git: Git,
  gitDir: string,
  lineId: string,
): Promise<Outcome<LineState>> {
  const known = await findLine(git, gitDir, lineId);
  if (!known.ok) return known;
  if (known.value !== undefined) return accept(known.value);
  const base = await readCommit(git, gitDir, BASE_REF);
  if (!base.ok) return base;
  const { commit, tree } = base.value;
  const based = await writeRefs(git, gitDir, [{ ref: lineBaseRef(lineId), to: commit }]);
  if (!based.ok) return based;
  const from = nothingLike(commit);
  const made = await writeRefs(git, gitDir, [{ ref: lineRef(lineId), to: commit, from }]);
  return made.ok ? accept({ commit, tree, base: commit }) : made;
}
