/** Joined sessions as those who have a task: members of the crew for as long as they are here. */
import { joinedIdOf, type CrewMember, type JoinedSessions } from "@atrium/core";
import { sessionName } from "../session-name.ts";

export interface Guests {
  /** Undefined: it is no joined session's id. One that is forgotten has its id for a name. */
  readonly guestOf: (agentId: string) => CrewMember | undefined;
  /** A joined session that has left. */
  readonly isAway: (agentId: string) => boolean;
}

const PREFIX = "agent_";

export function createGuests(sessions: Pick<JoinedSessions, "get">): Guests {
  return {
    guestOf(agentId) {
      const id = joinedIdOf(agentId);
      if (id === undefined) return undefined;
      const row = sessions.get(id);
      const handle = agentId.slice(PREFIX.length);
      const name = row === undefined ? handle : sessionName(row.details);
      return { id: agentId, handle, name, role: "joined session" };
    },
    isAway(agentId) {
      const id = joinedIdOf(agentId);
      return id !== undefined && sessions.get(id)?.isHere !== true;
    },
  };
}
