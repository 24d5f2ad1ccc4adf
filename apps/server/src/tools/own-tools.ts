/** The tools this server has of its own. They read what is here and talk to who is here, nothing more. */
import type { Clock } from "@atrium/core";
import { agentsListTool, type AgentsListDeps } from "./agents-list.ts";
import { nowTool } from "./now.ts";
import { sessionStatusTool } from "./session-status.ts";
import { sessionsHistoryTool, type SessionsHistoryDeps } from "./sessions-history.ts";
import { sessionsListTool, type SessionsListDeps } from "./sessions-list.ts";
import { sessionsSendTool, type SessionsSendDeps } from "./sessions-send.ts";
import type { Tool } from "./toolbox.ts";

export interface OwnToolsDeps
  extends AgentsListDeps, SessionsListDeps, SessionsHistoryDeps, SessionsSendDeps {
  readonly clock: Clock;
  readonly conversations: SessionsListDeps["conversations"] & SessionsHistoryDeps["conversations"];
}

export function ownTools(deps: OwnToolsDeps): readonly Tool[] {
  return [
    agentsListTool(deps),
    sessionsListTool(deps),
    sessionsHistoryTool(deps),
    sessionStatusTool(deps),
    sessionsSendTool(deps),
    nowTool(deps),
  ];
}
