/** Changes land on a line and are taken back from it; a repository that moved on is merged into it. */
import { accept, refuse, type Outcome } from "@atrium/core";
import { authorLine, isAncestor, readCommit, readCommitFacts } from "../git/commits.ts";
import { writeRefs } from "../git/write-refs.ts";
import type {
  Conflict,
  Landed,
  LandRequest,
  LineState,
  LineUpdate,
  RevertRequest,
  UpdateRequest,
  UpToDate,
} from "../port/landing.ts";
import { readLine } from "../store/lines.ts";
import { BASE_REF, lineBaseRef, lineRef } from "../store/refs.ts";
import type { LandingRecord } from "./landing-record.ts";
import { mergeCommits, mergeTrees } from "./merge-commits.ts";
import { moveLine, settleMerge, type LineTools } from "./move-line.ts";

export async function land(
  tools: LineTools,
  request: LandRequest,
): Promise<Outcome<Landed | Conflict>> {
  const { git, store } = tools;
  const change = await readCommitFacts(store.objects, request.change);
  if (!change.ok) return change;
  const { author } = change.value;
  return moveLine(tools, request, async (line) => {
    // Git puts the names of both sides beside its markers: the line's says more than an id.
    const ours = lineRef(tools.lineId).replace("refs/heads/", "");
    const merged = await mergeCommits(git, store.gitDir, ours, request.change);
    return merged.ok ? settleMerge(tools, line, { ...request, author }, merged.value) : merged;
  });
}

/** What has landed since stays. */
export async function revert(
  tools: LineTools,
  request: RevertRequest,
): Promise<Outcome<Landed | Conflict>> {
  const { git, store } = tools;
  const { gitDir, objects } = store;
  const landed = await readCommitFacts(objects, request.landed);
  if (!landed.ok) return landed;
  const before = await readCommitFacts(objects, landed.value.parents[0] ?? "");
  if (!before.ok) return before;
  const author = authorLine(request.author, request.at);
  return moveLine(tools, request, async (line) => {
    const isThere = await isAncestor(git, gitDir, request.landed, line.commit);
    if (!isThere.ok) return isThere;
    if (!isThere.value) return refuse("moment.missing", `${request.landed} is not on the line`);
    const trees = { base: landed.value.tree, ours: line.tree, theirs: before.value.tree };
    const merged = await mergeTrees(git, gitDir, trees);
    return merged.ok ? settleMerge(tools, line, { ...request, author }, merged.value) : merged;
  });
}

/** `sync` reads the repository again; an update that happened does without. */
export async function update(
  tools: LineTools,
  request: UpdateRequest,
  sync: () => Promise<Outcome<unknown>>,
): Promise<Outcome<LineUpdate | Conflict | UpToDate>> {
  const { git, store, lineId } = tools;
  const moved = await moveLine(tools, request, async (line) => {
    const synced = await sync();
    return synced.ok ? mergeBase(tools, line, request) : synced;
  });
  if (!moved.ok) return moved;
  const result = moved.value;
  if (result.type !== "landed") return accept(result);
  const line = await readLine(git, store.gitDir, lineId);
  return line.ok ? accept({ ...result, base: line.value.base }) : line;
}

async function mergeBase(
  tools: LineTools,
  line: LineState,
  request: UpdateRequest,
): Promise<Outcome<LandingRecord | Conflict | UpToDate>> {
  const { git, store } = tools;
  const { gitDir } = store;
  const found = await readCommit(git, gitDir, BASE_REF);
  if (!found.ok) return found;
  const { commit: base, tree } = found.value;
  const hasIt = await isAncestor(git, gitDir, base, line.commit);
  if (!hasIt.ok) return hasIt;
  if (hasIt.value) return followBase(tools, line, base);
  const isBehind = await isAncestor(git, gitDir, line.commit, base);
  if (!isBehind.ok) return isBehind;
  if (isBehind.value) return accept({ before: line.commit, after: base, tree, base });
  const merged = await mergeCommits(git, gitDir, line.commit, base);
  return merged.ok ? settleMerge(tools, line, { ...request, base }, merged.value) : merged;
}

/** The repository may have some of the line already, which is then nothing that is to be delivered. */
async function followBase(
  { git, store, lineId }: LineTools,
  line: LineState,
  base: string,
): Promise<Outcome<UpToDate>> {
  const isLater = await isAncestor(git, store.gitDir, line.base, base);
  if (!isLater.ok) return isLater;
  if (!isLater.value) return accept({ type: "up-to-date", base: line.base });
  const followed = await writeRefs(git, store.gitDir, [{ ref: lineBaseRef(lineId), to: base }]);
  return followed.ok ? accept({ type: "up-to-date", base }) : followed;
}
