/** Joined sessions as the office shows them. Pure. */
import type {
  AgentState,
  JoinedSessionRow,
  LeftMessage,
  SessionActivity,
  SessionDetails,
} from "@atrium/core";
import type { JoinedSessionInfo, WorldAgent } from "@atrium/wire/world";
import type { LiveSession } from "../../../joined/live-sessions.ts";
import { programNamed, type JoinedProgram } from "../../../joined/program.ts";
import { sessionName } from "../../../joined/session-name.ts";
import { omitEmpty } from "../messages/omit-empty.ts";

export type LiveSessionOf = (id: string) => LiveSession | undefined;
/** A person can give such a session a task. */
export type TakesTasks = (details: SessionDetails) => boolean;

type Introduction = Pick<
  WorldAgent,
  "name" | "role" | "runtime" | "is_visitor" | "heard_at" | "joined"
>;

const MAX_SHOWN_MESSAGES = 10;
const HOOK_MOMENTS = ["at-once", "tool-result", "turn-end", "prompt"] as const;
const STATES: Readonly<Record<SessionActivity, AgentState>> = {
  idle: "idle",
  working: "acting",
  waiting: "waiting",
};

export function joinedState({ activity }: JoinedSessionRow): AgentState {
  return STATES[activity];
}

/** `isAskedHere`: something that it asks is open here. */
export function introduceJoined(
  row: JoinedSessionRow,
  live: LiveSession | undefined,
  isAskedHere: boolean,
  takesTasks: TakesTasks,
): Introduction {
  const { details, activity, messages } = row;
  const { program: id, model, owner, folder, branch, canAsk, source } = details;
  const { moments, keepsItsDialog } = programNamed(id);
  const doing = activity === "idle" ? null : live?.doing;
  const isReachable = live?.isReachable ?? false;
  // What it waits for and nobody here was asked, nobody here can answer.
  const isAnsweredThere = activity === "waiting" && !isAskedHere;
  const isAnswerable = (canAsk || isReachable) && !isAnsweredThere;
  const joined: JoinedSessionInfo = {
    program: id,
    ...omitEmpty({ model, owner, folder, branch, doing }),
    can_ask: isAnswerable,
    answer_places: placesOf(isAnswerable, keepsItsDialog || isReachable),
    ...(source !== undefined && { source }),
    ...(takesTasks(details) && { takes_tasks: true as const }),
    message_moments: source === undefined ? momentsOf(moments, live) : [],
    ...(messages.length > 0 && { messages: messages.slice(-MAX_SHOWN_MESSAGES).map(onWire) }),
  };
  return {
    name: sessionName(details),
    role: "joined session",
    runtime: id,
    is_visitor: true,
    heard_at: live?.heardAt ?? row.heardAt,
    joined,
  };
}

function placesOf(
  canAsk: boolean,
  keepsItsDialog: boolean,
): NonNullable<JoinedSessionInfo["answer_places"]> {
  if (!canAsk) return ["terminal"];
  return keepsItsDialog ? ["office", "terminal"] : ["office"];
}

function onWire({
  messageId,
  text,
  by,
  at,
  delivered,
  offered,
  turnedAway,
}: LeftMessage): NonNullable<JoinedSessionInfo["messages"]>[number] {
  const handed = delivered && { delivered_at: delivered.at, moment: delivered.moment };
  const sent = delivered === null && offered !== undefined && { offered_at: offered.at };
  const denied = turnedAway === "denied" && { is_denied: true as const };
  return { message_id: messageId, text, by: by.name, at, ...handed, ...sent, ...denied };
}

/** When a message can be handed over, as things are. */
function momentsOf(
  moments: JoinedProgram["moments"],
  live: LiveSession | undefined,
): JoinedSessionInfo["message_moments"] {
  return [
    ...(live?.canWake === true ? (["wake"] as const) : []),
    ...HOOK_MOMENTS.filter(
      (moment) =>
        moments[moment] !== undefined || (moment === "at-once" && live?.isReachable === true),
    ),
  ];
}
