/** Which sessions have joined, how each stands, and what people have left for it. */
import type { Entry } from "@atrium/log";
import { BoundedMap } from "../engine/bounded-map.ts";
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import type { Answerer } from "../people/answerer.ts";
import {
  joinedSession,
  type DeliveryMoment,
  type JoinedSessionEvent,
  type SessionActivity,
  type SessionDetails,
  type TurnAwayReason,
} from "./joined-session.ts";

export interface LeftMessage {
  readonly messageId: string;
  readonly text: string;
  readonly by: Answerer;
  readonly at: number;
  /** Null while it waits. */
  readonly delivered: { readonly at: number; readonly moment: DeliveryMoment } | null;
  /** To this process; whether it has arrived is not known yet, or never will be. */
  readonly offered?: { readonly at: number; readonly process: string };
  /** It was offered, and not taken. */
  readonly turnedAway?: TurnAwayReason;
}

/** Whether it is still to be handed over. */
export function isLeft({ delivered, offered, turnedAway }: LeftMessage): boolean {
  return delivered === null && offered === undefined && turnedAway !== "denied";
}

export interface JoinedSessionRow {
  readonly id: string;
  readonly isHere: boolean;
  readonly details: SessionDetails;
  readonly activity: SessionActivity;
  readonly joinedAt: number;
  /** Of the newest entry that the session itself has caused. */
  readonly heardAt: number;
  /** Only of one that has left. */
  readonly leftAt?: number;
  /** The newest last. */
  readonly messages: readonly LeftMessage[];
}

export interface JoinedSessions extends Projection<readonly JoinedSessionRow[]> {
  /** Also one that has left, for a while. */
  get(id: string): JoinedSessionRow | undefined;
  /** Those that are here, the one who came first first. */
  list(): readonly JoinedSessionRow[];
}

const MAX_SESSIONS = 500;
/** Of those that wait there are never that many, so what is dropped was delivered, or offered long ago. */
const MAX_MESSAGES = 40;

export function createJoinedSessions(): JoinedSessions {
  const rows = new BoundedMap<string, JoinedSessionRow>(MAX_SESSIONS, {
    mayEvict: ({ isHere }) => !isHere,
  });
  return {
    name: "joined-sessions",
    version: 1,
    get: (id) => rows.get(id),
    list: () => [...rows.values()].filter(({ isHere }) => isHere),
    apply(entry) {
      const id = idIn(joinedSession, entry.stream);
      if (id === undefined) return;
      const row = fold(rows.get(id), id, joinedSession.read(entry), entry);
      if (row !== undefined) rows.set(id, row);
    },
    save: () => [...rows.values()],
    load(saved) {
      rows.clear();
      for (const row of saved) rows.set(row.id, row);
    },
  };
}

function fold(
  row: JoinedSessionRow | undefined,
  id: string,
  event: JoinedSessionEvent,
  { at }: Pick<Entry, "at">,
): JoinedSessionRow | undefined {
  if (event.type === "joined-session.joined") {
    const { details } = event;
    const messages = row?.messages ?? [];
    return { id, isHere: true, details, activity: "idle", joinedAt: at, heardAt: at, messages };
  }
  if (row === undefined) return undefined;
  switch (event.type) {
    case "joined-session.described":
      return { ...row, details: event.details, heardAt: at };
    case "joined-session.activity_changed":
      return { ...row, activity: event.activity, heardAt: at };
    case "joined-session.message_left": {
      const { messageId, text, by } = event;
      const left = { messageId, text, by, at, delivered: null };
      return { ...row, messages: [...row.messages, left].slice(-MAX_MESSAGES) };
    }
    case "joined-session.message_offered":
      return withMessage(row, event.messageId, (message) => {
        return { ...message, offered: { at, process: event.process } };
      });
    case "joined-session.message_turned_away":
      return withMessage(row, event.messageId, ({ messageId, text, by, at: leftAt }) => {
        return { messageId, text, by, at: leftAt, delivered: null, turnedAway: event.why };
      });
    case "joined-session.message_delivered": {
      const delivered = { at, moment: event.moment };
      const changed = withMessage(row, event.messageId, (message) => ({ ...message, delivered }));
      return { ...changed, heardAt: at };
    }
    case "joined-session.left":
      return { ...row, isHere: false, activity: "idle", leftAt: at };
  }
}

function withMessage(
  row: JoinedSessionRow,
  messageId: string,
  change: (message: LeftMessage) => LeftMessage,
): JoinedSessionRow {
  const messages = row.messages.map((each) => (each.messageId === messageId ? change(each) : each));
  return { ...row, messages };
}
