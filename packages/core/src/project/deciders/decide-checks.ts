/** Whether a change is good enough to be looked at: its checks run, and the first failure goes back to the agent. */
import { accept, refuse, type Outcome } from "../../engine/refusal.ts";
import { MAX_CHECK_ROUNDS, type CheckResult } from "../model/change.ts";
import type { ProjectCommandOf } from "../model/commands.ts";
import type { Artifact, ArtifactStatus, Project } from "../model/entities.ts";
import type { ProjectEvent } from "../model/events.ts";
import { supersededVersion } from "../model/moves.ts";
import { taskOf } from "../model/parts.ts";
import { deliveryOf } from "./decide-delivery.ts";

type Decided = Outcome<readonly ProjectEvent[]>;

export function startChecks(
  project: Project,
  { at, artifactId, version, names }: ProjectCommandOf<"start-checks">,
): Decided {
  const artifact = checkable(project, artifactId, version, OPEN);
  if (!artifact.ok) return artifact;
  const { taskId, checks } = artifact.value;
  if (checks?.version === version) return accept([]);
  return accept([{ type: "project.checks_started", at, taskId, artifactId, version, names }]);
}

export function finishChecks(
  project: Project,
  { at, artifactId, version, results, poiId }: ProjectCommandOf<"finish-checks">,
): Decided {
  // Who approved it did not wait for them; what they found is told all the same.
  const artifact = checkable(project, artifactId, version, [...OPEN, "approved"]);
  if (!artifact.ok) return artifact;
  const { taskId, checks } = artifact.value;
  if (checks?.version !== version) {
    return refuse("artifact.status", `${artifactId} is not being checked`);
  }
  if (checks.state !== "running") return accept([]);
  const verdict = results.some(isObjection) ? "failed" : "passed";
  const task = taskOf(project, taskId);
  const isUnseen = task?.status === "in_progress" && task.isCarrying;
  const goesBack = verdict === "failed" && isUnseen && task.checkRounds < MAX_CHECK_ROUNDS;
  const finished = { taskId, artifactId, version, verdict, results, goesBack } as const;
  return accept([
    { type: "project.checks_finished", at, ...finished },
    ...(isUnseen && !goesBack ? deliveryOf(project, task, poiId, at) : []),
  ]);
}

/** What was never allowed to run says nothing about the change. */
function isObjection({ isRequired, verdict }: CheckResult): boolean {
  return isRequired && (verdict === "failed" || verdict === "error");
}

const OPEN: readonly ArtifactStatus[] = ["created", "delivered"];

function checkable(
  project: Project,
  artifactId: string,
  version: number,
  statuses: readonly ArtifactStatus[],
): Outcome<Artifact> {
  const artifact = project.artifacts.find((each) => each.artifactId === artifactId);
  if (artifact === undefined) return refuse("artifact.missing", artifactId);
  const superseded = supersededVersion(artifact, { expectedVersion: version });
  if (superseded !== undefined) return superseded;
  const { status } = artifact;
  return statuses.includes(status)
    ? accept(artifact)
    : refuse("artifact.status", `${artifactId} is ${status}`);
}
