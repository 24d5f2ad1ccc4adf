/** Joined sessions as those who have a task: members of the crew for as long as they are here. */
import {
  accept,
  joinedIdOf,
  refuse,
  type CrewMember,
  type JoinedSessions,
  type Outcome,
  type Projects,
  type SessionDetails,
} from "@atrium/core";
import { programNamed } from "../program.ts";
import { sessionName } from "../session-name.ts";
import { taskInHandOf } from "./task-in-hand.ts";

export interface Guests {
  /** Undefined: it is no joined session's id. One that is forgotten has its id for a name. */
  readonly guestOf: (agentId: string) => CrewMember | undefined;
  /** A joined session that has left. */
  readonly isAway: (agentId: string) => boolean;
  /** Whether it has what a task takes, whatever it has in hand. */
  readonly takesTasks: (details: SessionDetails) => boolean;
  /** Whether a person may give it that task now; refused also when it is no joined session. */
  readonly admitTask: (agentId: string, taskId: string) => Outcome<null>;
}

export interface GuestsDeps {
  readonly sessions: Pick<JoinedSessions, "get">;
  readonly projects: Pick<Projects, "list">;
}

const PREFIX = "agent_";

export function createGuests({ sessions, projects }: GuestsDeps): Guests {
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
    takesTasks: (details) => hindranceOf(details) === undefined,
    admitTask(agentId, taskId) {
      const id = joinedIdOf(agentId);
      const row = id === undefined ? undefined : sessions.get(id);
      if (row?.isHere !== true) return refuse("agent.unknown", agentId);
      const hindrance = hindranceOf(row.details);
      if (hindrance !== undefined) return refuse("joined-session.toolless", hindrance);
      const inHand = taskInHandOf(agentId, projects)?.task.taskId ?? taskId;
      return inHand === taskId ? accept(null) : refuse("joined-session.busy", inHand);
    },
  };
}

/** Why it could never be told of a task, or not hand it over; undefined: it can. */
function hindranceOf({ program: id, source }: SessionDetails): string | undefined {
  const { title, hasTaskTools } = programNamed(id);
  if (!hasTaskTools) return `${title} has no tools of Atrium`;
  return source === "transcript"
    ? `it has not joined: run atrium join ${id}, and start the session again`
    : undefined;
}
