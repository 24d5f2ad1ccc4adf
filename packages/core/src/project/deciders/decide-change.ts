/** Everything that is asked about a change and about the line it goes into. */
import type { Outcome } from "../../engine/refusal.ts";
import type { ProjectCommand, ProjectCommandOf } from "../model/commands.ts";
import type { Project } from "../model/entities.ts";
import type { ProjectEvent } from "../model/events.ts";
import { finishChecks, startChecks } from "./decide-checks.ts";
import { answerComment, resolveComment } from "./decide-comments.ts";
import {
  conflictChange,
  failLanding,
  landChange,
  refuseRevert,
  requestRevert,
  revertChange,
} from "./decide-landing.ts";
import { recordDelivery, refuseUpdate, requestUpdate, updateLine } from "./decide-line.ts";
import { reviseArtifact } from "./decide-review.ts";

type Decided = Outcome<readonly ProjectEvent[]>;

const CHANGE_COMMANDS = [
  "revise-artifact",
  "answer-comment",
  "resolve-comment",
  "start-checks",
  "finish-checks",
  "land-change",
  "conflict-change",
  "fail-landing",
  "request-revert",
  "revert-change",
  "refuse-revert",
  "request-update",
  "update-line",
  "refuse-update",
  "record-delivery",
] as const satisfies readonly ProjectCommand["type"][];

export type ChangeCommand = ProjectCommandOf<(typeof CHANGE_COMMANDS)[number]>;

const NAMES: ReadonlySet<string> = new Set(CHANGE_COMMANDS);

export function isChangeCommand(command: ProjectCommand): command is ChangeCommand {
  return NAMES.has(command.type);
}

export function decideChange(project: Project, command: ChangeCommand): Decided {
  switch (command.type) {
    case "revise-artifact":
      return reviseArtifact(project, command);
    case "answer-comment":
      return answerComment(project, command);
    case "resolve-comment":
      return resolveComment(project, command);
    case "start-checks":
      return startChecks(project, command);
    case "finish-checks":
      return finishChecks(project, command);
    case "land-change":
      return landChange(project, command);
    case "conflict-change":
      return conflictChange(project, command);
    case "fail-landing":
      return failLanding(project, command);
    case "request-revert":
      return requestRevert(project, command);
    case "revert-change":
      return revertChange(project, command);
    case "refuse-revert":
      return refuseRevert(project, command);
    case "request-update":
      return requestUpdate(project, command);
    case "update-line":
      return updateLine(project, command);
    case "refuse-update":
      return refuseUpdate(project, command);
    case "record-delivery":
      return recordDelivery(project, command);
  }
}
