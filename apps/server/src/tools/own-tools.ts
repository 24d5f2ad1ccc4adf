/**
 * The tools this server has of its own, one definition each for every kind of agent. They read what is here, talk
 * to who is here and hand over what was made, nothing more.
 */
import type { Clock } from "@atrium/core";
import { agentsListTool, type AgentsListDeps } from "./agents-list.ts";
import { askTool, type AskDeps } from "./ask.ts";
import { deliverArtifactTool, type DeliverDeps } from "./deliver-artifact.ts";
import { nowTool } from "./now.ts";
import { progressTool, type ProgressToolDeps } from "./progress.ts";
import { replyTool, type ReplyDeps } from "./reply.ts";
import { sessionStatusTool } from "./session-status.ts";
import { sessionsHistoryTool, type SessionsHistoryDeps } from "./sessions-history.ts";
import { sessionsListTool, type SessionsListDeps } from "./sessions-list.ts";
import { sessionsSendTool, type SessionsSendDeps } from "./sessions-send.ts";
import type { Tool } from "./toolbox.ts";

export interface OwnToolsDeps
  extends
    AgentsListDeps,
    SessionsListDeps,
    SessionsHistoryDeps,
    SessionsSendDeps,
    ReplyDeps,
    AskDeps,
    ProgressToolDeps,
    DeliverDeps {
  readonly clock: Clock;
  readonly conversations: SessionsListDeps["conversations"] & SessionsHistoryDeps["conversations"];
}

export function ownTools(deps: OwnToolsDeps): readonly Tool[] {
  return [
    replyTool(deps),
    askTool(deps),
    progressTool(deps),
    deliverArtifactTool(deps),
    agentsListTool(deps),
    sessionsListTool(deps),
    sessionsHistoryTool(deps),
    sessionStatusTool(deps),
    sessionsSendTool(deps),
    nowTool(deps),
  ];
}
