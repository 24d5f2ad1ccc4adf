/**
 * Which workspaces there are, how each stands, and its newest files. Earlier ones are read from the log
 * when somebody asks (moment-at.ts): thousands of workspaces with thousands of moments each are not held
 * for the few that people look back at.
 */
import type { Entry } from "@atrium/log";
import { conversation } from "../conversation/conversation.ts";
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import { workspaceIdOfKey } from "./workspace-key.ts";
import {
  workspace,
  type CheckVerdict,
  type ForkOrigin,
  type WorkspaceEvent,
  type WorkspacePurpose,
} from "./workspace.ts";

/** All files of a workspace, and the entry since which they are like this. */
export interface Moment {
  readonly seq: number;
  readonly tree: string;
}

export interface WorkspaceRow {
  readonly workspaceId: string;
  readonly repositoryId: string;
  readonly purpose: WorkspacePurpose;
  readonly forkedFrom: ForkOrigin | null;
  readonly state: "opening" | "ready" | "failed" | "discarded";
  /** Why it failed. */
  readonly failure: string | null;
  /** What the work started from; null until it was ready once. */
  readonly start: Moment | null;
  readonly newest: Moment | null;
  /** The newest are those of an earlier moment, which somebody put back. */
  readonly isRestored: boolean;
  /** The commit it stands on. */
  readonly base: string | null;
  /** What was handed over last. */
  readonly sealed: WorkspaceHandover | null;
  /** The newest result of each check for each state of the files, the newest last. */
  readonly checks: readonly WorkspaceCheck[];
  /** Conversations in which its files were changed, and since when. */
  readonly talks: readonly { readonly key: string; readonly since: number }[];
}

export interface WorkspaceHandover {
  readonly seq: number;
  readonly commit: string;
  readonly tree: string;
  readonly base: string;
}

/** A check of one state of the files; without an end it is under way, or was cut off. */
export interface WorkspaceCheck {
  readonly checkId: string;
  readonly name: string;
  readonly command: string;
  readonly isRequired: boolean;
  readonly checkedTree: string;
  readonly end: {
    readonly verdict: CheckVerdict;
    readonly exitCode: number | null;
    readonly ms: number;
    readonly output: { readonly digest: string; readonly bytes: number } | null;
  } | null;
}

const MAX_CHECKS = 50;

export interface WorkspacesProjection extends Projection<readonly WorkspaceRow[]> {
  get(workspaceId: string): WorkspaceRow | undefined;
  /** Of its tasks, in the order they were opened in. */
  ofProject(projectId: string): readonly WorkspaceRow[];
  /** Undefined also where it is so long ago that it is not kept any more. */
  ofCheck(checkId: string): WorkspaceCheck | undefined;
}

export function createWorkspaces(): WorkspacesProjection {
  const rows = new Map<string, WorkspaceRow>();
  const idsOfProject = new Map<string, Set<string>>();
  const idOfCheck = new Map<string, string>();

  function keep(row: WorkspaceRow): void {
    const { workspaceId, purpose, checks } = row;
    for (const { checkId } of rows.get(workspaceId)?.checks ?? []) idOfCheck.delete(checkId);
    for (const { checkId } of checks) idOfCheck.set(checkId, workspaceId);
    rows.set(workspaceId, row);
    if (purpose.type !== "task") return;
    const ids = idsOfProject.get(purpose.projectId);
    if (ids === undefined) idsOfProject.set(purpose.projectId, new Set([workspaceId]));
    else ids.add(workspaceId);
  }

  function next(entry: Entry): WorkspaceRow | undefined {
    const id = idIn(workspace, entry.stream);
    if (id !== undefined) return advance(rows.get(id), workspace.read(entry), entry.seq);
    if (entry.type !== "run.tool.returned") return undefined;
    const key = idIn(conversation, entry.stream);
    const row = key === undefined ? undefined : rows.get(workspaceIdOfKey(key) ?? "");
    if (key === undefined || row === undefined) return undefined;
    const tree = treeIn(entry);
    if (tree === undefined) return undefined;
    const isKnown = row.talks.some((talk) => talk.key === key);
    const talks = isKnown ? row.talks : [...row.talks, { key, since: entry.seq }];
    return { ...row, talks, newest: { seq: entry.seq, tree }, isRestored: false };
  }

  return {
    name: "workspaces",
    version: 3,
    get: (workspaceId) => rows.get(workspaceId),
    ofProject: (projectId) =>
      [...(idsOfProject.get(projectId) ?? [])].flatMap((id) => rows.get(id) ?? []),
    ofCheck: (checkId) =>
      rows.get(idOfCheck.get(checkId) ?? "")?.checks.find((check) => check.checkId === checkId),
    apply(entry) {
      const row = next(entry);
      if (row !== undefined) keep(row);
    },
    save: () => [...rows.values()],
    load(kept) {
      rows.clear();
      idsOfProject.clear();
      idOfCheck.clear();
      for (const row of kept) keep(row);
    },
  };
}

/** The files that an entry of a workspace, or of a conversation, says there are; undefined where it says nothing of them. */
export function treeIn(entry: Entry): string | undefined {
  const isOwn = idIn(workspace, entry.stream) !== undefined;
  const event = isOwn ? workspace.read(entry) : conversation.read(entry);
  return "tree" in event ? event.tree : undefined;
}

function advance(
  row: WorkspaceRow | undefined,
  event: WorkspaceEvent,
  seq: number,
): WorkspaceRow | undefined {
  if (event.type === "workspace.opened") {
    const { type: _, ...opening } = event;
    const { start = null, newest = null, talks = [] } = row ?? {};
    const { base = null, sealed = null, checks = [] } = row ?? {};
    const isRestored = row?.isRestored === true;
    const past = { start, newest, talks, base, sealed, checks, isRestored };
    return { ...opening, ...past, state: "opening", failure: null };
  }
  if (row === undefined) return undefined;
  switch (event.type) {
    case "workspace.ready": {
      const newest = { seq, tree: event.tree };
      const isRestored = row.isRestored && row.newest?.tree === newest.tree;
      const { base } = event;
      return { ...row, state: "ready", newest, start: row.start ?? newest, base, isRestored };
    }
    case "workspace.failed":
      return { ...row, state: "failed", failure: event.reason };
    case "workspace.moment":
    case "workspace.restored": {
      const isRestored = event.type === "workspace.restored";
      return { ...row, newest: { seq, tree: event.tree }, isRestored };
    }
    case "workspace.sealed": {
      const { commit, tree, base } = event;
      return { ...row, newest: { seq, tree }, sealed: { seq, commit, tree, base } };
    }
    case "workspace.rebased":
      return { ...row, newest: { seq, tree: event.tree }, base: event.base, isRestored: false };
    case "workspace.check_started": {
      const { type: _type, commit: _commit, ...check } = event;
      return { ...row, checks: withCheck(row.checks, { ...check, end: null }) };
    }
    case "workspace.check_finished": {
      const { type: _type, verdict, exitCode, ms, output, ...check } = event;
      const end = { verdict, exitCode, ms, output };
      return { ...row, checks: withCheck(row.checks, { ...check, end }) };
    }
    case "workspace.discarded":
      return { ...row, state: "discarded" };
  }
}

/** A check that runs again for the same files takes the place of what it said before. */
function withCheck(
  checks: readonly WorkspaceCheck[],
  check: WorkspaceCheck,
): readonly WorkspaceCheck[] {
  const others = checks.filter(
    ({ checkedTree, name, command }) =>
      checkedTree !== check.checkedTree || name !== check.name || command !== check.command,
  );
  return [...others, check].slice(-MAX_CHECKS);
}
