/**
 * Workspace: where one task or build works, from being asked for until it is no longer needed.
 *
 *   absent -> opening -> ready -> discarded -> opening (its task is taken up again)
 *                \-> failed -> opening (asked for again)
 *
 * While it is ready, its files are recorded, handed over as one commit (sealed) and put on another commit
 * (rebased). What was handed over is checked whatever becomes of the workspace.
 *
 * Pure, and without a word of git but its ids: a tree stands for all files of one time. Whatever is told
 * here has been made before, so a tree in the log can always be read.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { Answerer } from "../people/answerer.ts";
import { WORKSPACE_EVENTS } from "./workspace-shapes.ts";

/** What it is for. */
export type WorkspacePurpose =
  | { readonly type: "task"; readonly projectId: string; readonly taskId: string }
  | { readonly type: "build"; readonly buildId: string };

/** The moment of another that a workspace starts from. */
export interface ForkOrigin {
  readonly workspaceId: string;
  readonly seq: number;
  readonly tree: string;
}

/**
 * Why files were looked at; results of tools carry their trees themselves. `person`: they had changed when a
 * run began, by someone's hand or by a run that was cut off.
 */
export type MomentCause = "setup" | "person" | "check" | "turn";

interface WorkspaceOpening {
  readonly workspaceId: string;
  readonly repositoryId: string;
  readonly purpose: WorkspacePurpose;
  readonly forkedFrom: ForkOrigin | null;
}

interface WorkspaceMoment {
  readonly tree: string;
  readonly cause: MomentCause;
  readonly runId: string | null;
}

export interface WorkspaceStart {
  /** The commit that the work starts from, and its files. */
  readonly base: string;
  readonly tree: string;
  readonly ms: number;
}

interface RestoredMoment {
  readonly tree: string;
  /** Where in the log the files were like this. */
  readonly fromSeq: number;
  readonly by: Answerer;
}

/** All of it as one commit, handed over by a run or made by a person. */
interface WorkspaceSeal {
  readonly commit: string;
  readonly tree: string;
  /** The commit it was made on. */
  readonly base: string;
  readonly runId: string | null;
  /** Null: its agent. */
  readonly by: Answerer | null;
}

/** It stands on another commit now, with marks where both had changed the same. */
interface WorkspaceRebase {
  readonly base: string;
  readonly tree: string;
  readonly paths: readonly string[];
}

/** `error`: it could not be run. `skipped`: nobody allowed it to. */
export type CheckVerdict = "passed" | "failed" | "error" | "skipped";

interface CheckStart {
  readonly checkId: string;
  readonly name: string;
  readonly command: string;
  readonly isRequired: boolean;
  /** What is checked: the result holds for these files, whoever made them. */
  readonly checkedTree: string;
  readonly commit: string;
}

interface CheckEnd {
  readonly checkId: string;
  readonly name: string;
  readonly command: string;
  readonly isRequired: boolean;
  readonly checkedTree: string;
  readonly verdict: CheckVerdict;
  readonly exitCode: number | null;
  readonly ms: number;
  readonly output: { readonly digest: string; readonly bytes: number } | null;
}

export type WorkspaceCommand =
  | ({ readonly type: "open" } & WorkspaceOpening)
  | ({ readonly type: "start" } & WorkspaceStart)
  | { readonly type: "fail"; readonly reason: string }
  | ({ readonly type: "record" } & WorkspaceMoment)
  | ({ readonly type: "restore" } & RestoredMoment)
  | ({ readonly type: "seal" } & WorkspaceSeal)
  | ({ readonly type: "rebase" } & WorkspaceRebase)
  | ({ readonly type: "start-check" } & CheckStart)
  | ({ readonly type: "finish-check" } & CheckEnd)
  /** `null`: its task has ended. */
  | { readonly type: "discard"; readonly by: Answerer | null };

export type WorkspaceEvent =
  | ({ readonly type: "workspace.opened" } & WorkspaceOpening)
  | ({ readonly type: "workspace.ready" } & WorkspaceStart)
  | { readonly type: "workspace.failed"; readonly reason: string }
  | ({ readonly type: "workspace.moment" } & WorkspaceMoment)
  | ({ readonly type: "workspace.restored" } & RestoredMoment)
  | ({ readonly type: "workspace.sealed" } & WorkspaceSeal)
  | ({ readonly type: "workspace.rebased" } & WorkspaceRebase)
  | ({ readonly type: "workspace.check_started" } & CheckStart)
  | ({ readonly type: "workspace.check_finished" } & CheckEnd)
  | { readonly type: "workspace.discarded"; readonly by: Answerer | null };

export type WorkspaceState =
  | { readonly state: "absent" }
  | { readonly state: "opening"; readonly opening: WorkspaceOpening }
  | { readonly state: "ready"; readonly opening: WorkspaceOpening; readonly start: WorkspaceStart }
  | { readonly state: "failed"; readonly opening: WorkspaceOpening; readonly reason: string }
  | { readonly state: "discarded"; readonly opening: WorkspaceOpening };

function decide(
  workspace: WorkspaceState,
  command: WorkspaceCommand,
): Outcome<readonly WorkspaceEvent[]> {
  if (command.type === "open") {
    const { type: _, ...opening } = command;
    return open(workspace, opening);
  }
  if (workspace.state === "absent") return refuse("workspace.missing");
  const { state } = workspace;
  switch (command.type) {
    case "start": {
      const { type: _, ...start } = command;
      // Whoever makes it may be cut off before the answer reaches it, and asks again.
      if (state === "ready") return accept([]);
      return state === "opening"
        ? accept([{ type: "workspace.ready", ...start }])
        : refuse("workspace.status", `it is ${state}`);
    }
    case "fail":
      if (state === "failed") return accept([]);
      return state === "opening"
        ? accept([{ type: "workspace.failed", reason: command.reason }])
        : refuse("workspace.status", `it is ${state}`);
    case "record": {
      const { type: _, ...moment } = command;
      return whileReady(state, { type: "workspace.moment", ...moment });
    }
    case "restore": {
      const { type: _, ...restored } = command;
      return whileReady(state, { type: "workspace.restored", ...restored });
    }
    case "seal": {
      const { type: _, ...seal } = command;
      return whileReady(state, { type: "workspace.sealed", ...seal });
    }
    case "rebase": {
      const { type: _, ...rebase } = command;
      return whileReady(state, { type: "workspace.rebased", ...rebase });
    }
    // What was handed over can be checked when nobody works there any more.
    case "start-check": {
      const { type: _, ...check } = command;
      return accept([{ type: "workspace.check_started", ...check }]);
    }
    case "finish-check": {
      const { type: _, ...check } = command;
      return accept([{ type: "workspace.check_finished", ...check }]);
    }
    case "discard":
      return accept(state === "discarded" ? [] : [{ type: "workspace.discarded", by: command.by }]);
  }
}

function whileReady(
  state: WorkspaceState["state"],
  event: WorkspaceEvent,
): Outcome<readonly WorkspaceEvent[]> {
  return state === "ready" ? accept([event]) : refuse("workspace.status", `it is ${state}`);
}

function open(
  workspace: WorkspaceState,
  opening: WorkspaceOpening,
): Outcome<readonly WorkspaceEvent[]> {
  const opened = accept([{ type: "workspace.opened", ...opening } as const]);
  switch (workspace.state) {
    case "absent":
      return opened;
    case "failed":
    case "discarded":
      return workspace.opening.repositoryId === opening.repositoryId
        ? opened
        : refuse("workspace.taken", opening.workspaceId);
    case "opening":
    case "ready":
      return refuse("workspace.taken", opening.workspaceId);
  }
}

function evolve(workspace: WorkspaceState, event: WorkspaceEvent): WorkspaceState {
  if (event.type === "workspace.opened") {
    const { type: _, ...opening } = event;
    return { state: "opening", opening };
  }
  if (workspace.state === "absent") return workspace;
  const { opening } = workspace;
  switch (event.type) {
    case "workspace.ready": {
      const { type: _, ...start } = event;
      return { state: "ready", opening, start };
    }
    case "workspace.failed":
      return { state: "failed", opening, reason: event.reason };
    case "workspace.moment":
    case "workspace.restored":
    case "workspace.sealed":
    case "workspace.rebased":
    case "workspace.check_started":
    case "workspace.check_finished":
      return workspace;
    case "workspace.discarded":
      return { state: "discarded", opening };
  }
}

export const workspace: Aggregate<WorkspaceState, WorkspaceCommand, WorkspaceEvent> = {
  name: "workspace",
  initial: { state: "absent" },
  decide,
  evolve,
  ...createCodec<WorkspaceEvent>(WORKSPACE_EVENTS),
};
