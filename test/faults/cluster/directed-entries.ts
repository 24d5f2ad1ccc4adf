/** Which entries only the node that directs may write. Any node writes the others, and those of them that people ask for. */
import type { ChainEntry } from "./chain-entries.ts";

/** What a director alone writes, whatever it says. */
export const DIRECTED: ReadonlySet<string> = new Set([
  "agent.goal_set",
  "agent.joined",
  "agent.left",
  "build.held",
  "build.repaired",
  "cursor.moved",
  "decor.unlocked",
  "office.created",
  "project.artifact_created",
  "project.artifact_delivered",
  "project.bd_said",
  "project.change_conflicted",
  "project.change_landed",
  "project.change_reverted",
  "project.checks_finished",
  "project.checks_started",
  "project.comment_answered",
  "project.decision_requested",
  "project.delivered",
  "project.failed",
  "project.kickoff_finished",
  "project.landing_failed",
  "project.line_updated",
  "project.plan_drafted",
  "project.planning_started",
  "project.request_accepted",
  "project.review_requested",
  "project.revert_failed",
  "project.task_blocked",
  "project.task_failed",
  "project.task_progress",
  "project.task_started",
  "project.update_failed",
  "project.usage_counted",
  "project.work_finished",
  "repository.added",
  "repository.removed",
  "run.calls.requested",
  "run.compacted",
  "run.completed",
  "run.delivered",
  "run.failed",
  "run.merged",
  "run.session.named",
  "run.started",
  "run.tool.called",
  "run.tool.returned",
  "sandbox.tested",
  "workspace.check_finished",
  "workspace.check_started",
  "workspace.discarded",
  "workspace.failed",
  "workspace.moment",
  "workspace.opened",
  "workspace.ready",
  "workspace.rebased",
  "workspace.restored",
  "workspace.sealed",
]);

interface Fields {
  readonly by?: object | null;
  readonly origin?: object | null;
  readonly source?: { readonly askedBy?: string };
  readonly subject?: { readonly askedBy?: string };
  readonly telling?: { readonly what: string };
  readonly turn?: { readonly message: string; readonly number: number };
  readonly why?: string;
}

/** What people make happen in a build, at whichever node; the rest its agent and its director say. */
const TOLD_ANYWHERE = new Set(["started", "answered", "status", "failed"]);

/** A request that nobody answered; one that a session asked may be answered elsewhere. */
const isUnanswered = ({ why }: Fields): boolean => why !== "elsewhere";
const isByNobody = ({ by }: Fields): boolean => by === null;
const isOfLine = ({ origin }: Fields): boolean => origin !== null && origin !== undefined;

/** What the director writes in some cases and any node in others. */
export const SOMETIMES: ReadonlyMap<string, (data: Fields) => boolean> = new Map([
  ["approval.expired", isUnanswered],
  ["approval.requested", ({ subject }) => subject?.askedBy === "agent"],
  ["build.rejected", isOfLine],
  ["build.told", (data) => isOfLine(data) || !TOLD_ANYWHERE.has(data.telling?.what ?? "")],
  // The first is asked for by whoever starts the build, and those with answers by whoever answers.
  ["build.turn.wanted", ({ turn }) => turn?.message === "request" && turn.number > 1],
  ["poll.closed", isByNobody],
  ["project.paused", isByNobody],
  ["question.asked", ({ source }) => source?.askedBy === "agent"],
  ["question.expired", isUnanswered],
]);

/** Asked of every entry of a log in order: a run that waits is stopped by any node, one that was started only there. */
export function createIsDirected(): (entry: Pick<ChainEntry, "type" | "data">) => boolean {
  const started = new Set<string>();
  return ({ type, data }) => {
    const { runId = "" } = data as { readonly runId?: string };
    if (type === "run.started") started.add(runId);
    if (type === "run.aborted") return started.has(runId);
    return DIRECTED.has(type) || SOMETIMES.get(type)?.(data as Fields) === true;
  };
}
