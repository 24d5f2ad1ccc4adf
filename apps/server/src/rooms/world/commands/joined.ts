/** What people leave for sessions that were started in a terminal. */
import { joinedIdOf, joinedSession, refuse, type Dispatch, type Ids } from "@atrium/core";
import { cleanText } from "../../../platform/clean-text.ts";
import type { CommandHandlers } from "./command-context.ts";

export interface JoinedDeps {
  readonly dispatch: Dispatch;
  readonly ids: Ids;
}

export function createJoinedCommands({
  dispatch,
  ids,
}: JoinedDeps): Pick<CommandHandlers, "leave_message"> {
  return {
    leave_message({ agent_id: agentId, text }, { key, by }) {
      const id = joinedIdOf(agentId);
      if (id === undefined) return refuse("joined-session.missing", agentId);
      const message = { messageId: ids.next(), text: cleanText(text), by };
      return dispatch(joinedSession, id, { type: "leave-message", ...message }, key);
    },
  };
}
