/**
 * Joined session: a session of an agent program that a person started in a terminal, as it tells of itself.
 *
 *   absent --join--> here --leave--> away --join--> here …
 *
 * Pure: that the news is the program's own was checked at the door. It decides nothing for anyone: what it
 * asks is an ordinary approval or question. Messages that people leave wait until it takes them; those it has not
 * taken wait on when it comes back.
 *
 *   left --offer--> offered --deliver--> delivered
 *                   offered --turn away--> left again, or denied
 *
 * A message is offered where nobody can tell in time whether it has arrived. It then goes to that process alone: handed
 * over another way, it could be read twice.
 *
 * A session that is only sighted, in the files its program keeps, is here in the same way, but takes nothing. Once it
 * speaks for itself it has joined, and what is sighted of it no longer counts.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { TaggedUnion } from "../engine/tagged-union.ts";
import type { Answerer } from "../people/answerer.ts";
import { JOINED_SESSION_EVENTS } from "./joined-session-shapes.ts";

export interface SessionDetails {
  /** Which program it is a session of: "claude-code", "codex", … */
  readonly program: string;
  readonly model: string | null;
  readonly owner: string | null;
  readonly folder: string | null;
  readonly branch: string | null;
  /** Tells its process from any other of the server's machine; null: not known. */
  readonly process: string | null;
  /** The same of a process that serves it, and other sessions with it; left out: not known. */
  readonly servedBy?: string;
  /** Its permissions can be answered here; without that, only in its terminal. */
  readonly canAsk: boolean;
  /** It does not speak for itself: it is read from the files that its program keeps. */
  readonly source?: "transcript";
  /** Of several nodes, the one that it reports to, or that reads its files; only that one sees its process. */
  readonly node?: string;
}

export type SessionActivity = "idle" | "working" | "waiting";
/** Its program said so, its process is gone, nothing was heard for too long, or its files are no longer read. */
export type LeaveReason = "ended" | "gone" | "silent" | "unwatched";
/**
 * With what a message was handed over: the result of a tool, the end of a turn, the next prompt, or nothing of the
 * session's own: it takes words at any time, or was idle and was woken.
 */
export type DeliveryMoment = "tool-result" | "turn-end" | "prompt" | "at-once" | "wake";

/**
 * Why a program does not take what it was offered: its user said no, its settings do, it ended or gave up before, it has
 * too much to read, or its process has another session by now.
 */
export type TurnAwayReason = "denied" | "refused" | "expired" | "dropped" | "misaddressed";

export type JoinedSessionCommand = TaggedUnion<{
  join: { details: SessionDetails };
  "change-activity": { activity: SessionActivity };
  "leave-message": { messageId: string; text: string; by: Answerer };
  "offer-message": { messageId: string; process: string };
  "turn-away-message": { messageId: string; why: TurnAwayReason };
  "deliver-messages": { messageIds: readonly string[]; moment: DeliveryMoment };
  leave: { why: LeaveReason };
  sight: { details: SessionDetails; activity: SessionActivity };
  "lose-sight": { why: LeaveReason };
}>;

export type JoinedSessionEvent = TaggedUnion<{
  "joined-session.joined": { details: SessionDetails };
  "joined-session.described": { details: SessionDetails };
  "joined-session.activity_changed": { activity: SessionActivity };
  "joined-session.message_left": { messageId: string; text: string; by: Answerer };
  "joined-session.message_offered": { messageId: string; process: string };
  "joined-session.message_turned_away": { messageId: string; why: TurnAwayReason };
  "joined-session.message_delivered": { messageId: string; moment: DeliveryMoment };
  "joined-session.left": { why: LeaveReason };
}>;

export interface JoinedSession {
  readonly state: "absent" | "here" | "away";
  readonly details: SessionDetails | null;
  readonly activity: SessionActivity;
  readonly waiting: readonly string[];
  /** The newest last, as below. */
  readonly offered: readonly string[];
  /** Of those that were offered, the ones that were taken. */
  readonly confirmed: readonly string[];
}

/** What nobody takes does not grow without end. */
const MAX_WAITING_MESSAGES = 20;
/** Of older ones nobody will hear any more. */
const MAX_OFFERED_MESSAGES = 40;

type Decided = Outcome<readonly JoinedSessionEvent[]>;
type CommandOf<Type extends JoinedSessionCommand["type"]> = Extract<
  JoinedSessionCommand,
  { type: Type }
>;

function decide(session: JoinedSession, command: JoinedSessionCommand): Decided {
  switch (command.type) {
    case "join":
      return join(session, command.details);
    case "change-activity": {
      const { activity } = command;
      const isNews = session.state === "here" && session.activity !== activity;
      return accept(isNews ? [{ type: "joined-session.activity_changed", activity }] : []);
    }
    case "leave-message":
      return leaveMessage(session, command);
    case "offer-message": {
      const { messageId, process } = command;
      const isHere = session.state === "here" && session.waiting.includes(messageId);
      if (!isHere) return refuse("joined-session.missing");
      return accept([{ type: "joined-session.message_offered", messageId, process }]);
    }
    case "turn-away-message": {
      const { messageId, why } = command;
      // What it has taken in it may give up unread: when it ends, or has another session by then.
      const isUnread = why === "expired" || why === "misaddressed";
      const isTaken = session.confirmed.includes(messageId);
      const isNews = session.offered.includes(messageId) || (isUnread && isTaken);
      return accept(isNews ? [{ type: "joined-session.message_turned_away", messageId, why }] : []);
    }
    case "deliver-messages": {
      const { messageIds, moment } = command;
      const open = [...session.waiting, ...session.offered];
      const found = messageIds.filter((id) => open.includes(id));
      return accept(
        found.map((messageId) => ({ type: "joined-session.message_delivered", messageId, moment })),
      );
    }
    case "leave":
      return accept(
        session.state === "here" ? [{ type: "joined-session.left", why: command.why }] : [],
      );
    case "sight":
      return sight(session, command);
    case "lose-sight":
      return accept(isSighted(session) ? [{ type: "joined-session.left", why: command.why }] : []);
  }
}

function isSighted({ state, details }: JoinedSession): boolean {
  return state === "here" && details?.source === "transcript";
}

function sight(session: JoinedSession, { details, activity }: CommandOf<"sight">): Decided {
  if (session.state === "here" && !isSighted(session)) return accept([]);
  const joined = join(session, details);
  if (!joined.ok) return joined;
  const before = session.state === "here" ? session.activity : "idle";
  if (before === activity) return joined;
  return accept([...joined.value, { type: "joined-session.activity_changed", activity }]);
}

function join(session: JoinedSession, details: SessionDetails): Decided {
  if (session.state !== "here") return accept([{ type: "joined-session.joined", details }]);
  const isSame = session.details !== null && isSameSession(session.details, details);
  return accept(isSame ? [] : [{ type: "joined-session.described", details }]);
}

export function isSameSession(before: SessionDetails, after: SessionDetails): boolean {
  return (
    before.program === after.program &&
    before.model === after.model &&
    before.owner === after.owner &&
    before.folder === after.folder &&
    before.branch === after.branch &&
    before.canAsk === after.canAsk &&
    before.source === after.source &&
    before.node === after.node &&
    before.process === after.process &&
    before.servedBy === after.servedBy
  );
}

function leaveMessage(session: JoinedSession, command: CommandOf<"leave-message">): Decided {
  if (session.state !== "here") return refuse("joined-session.missing");
  if (isSighted(session)) return refuse("joined-session.read-only");
  const { messageId, text, by } = command;
  if (text === "") return refuse("message.empty");
  if (session.waiting.length >= MAX_WAITING_MESSAGES) return refuse("joined-session.full");
  return accept([{ type: "joined-session.message_left", messageId, text, by }]);
}

function evolve(session: JoinedSession, event: JoinedSessionEvent): JoinedSession {
  switch (event.type) {
    case "joined-session.joined":
      return { ...session, state: "here", details: event.details, activity: "idle" };
    case "joined-session.described":
      return { ...session, details: event.details };
    case "joined-session.activity_changed":
      return { ...session, activity: event.activity };
    case "joined-session.message_left":
      return { ...session, waiting: [...session.waiting, event.messageId] };
    case "joined-session.message_offered": {
      const others = without(session, event.messageId);
      return { ...session, ...others, offered: newest(others.offered, event.messageId) };
    }
    case "joined-session.message_turned_away": {
      const others = without(session, event.messageId);
      const left = event.why === "denied" ? [] : [event.messageId];
      return { ...session, ...others, waiting: [...others.waiting, ...left] };
    }
    case "joined-session.message_delivered": {
      const others = without(session, event.messageId);
      if (!session.offered.includes(event.messageId)) return { ...session, ...others };
      return { ...session, ...others, confirmed: newest(others.confirmed, event.messageId) };
    }
    case "joined-session.left":
      return { ...session, state: "away" };
  }
}

type Messages = Pick<JoinedSession, "waiting" | "offered" | "confirmed">;

function without({ waiting, offered, confirmed }: JoinedSession, messageId: string): Messages {
  const others = (ids: readonly string[]): readonly string[] =>
    ids.filter((id) => id !== messageId);
  return { waiting: others(waiting), offered: others(offered), confirmed: others(confirmed) };
}

function newest(ids: readonly string[], added: string): readonly string[] {
  return [...ids, added].slice(-MAX_OFFERED_MESSAGES);
}

export const joinedSession: Aggregate<JoinedSession, JoinedSessionCommand, JoinedSessionEvent> = {
  name: "joined-session",
  initial: {
    state: "absent",
    details: null,
    activity: "idle",
    waiting: [],
    offered: [],
    confirmed: [],
  },
  decide,
  evolve,
  ...createCodec<JoinedSessionEvent>(JOINED_SESSION_EVENTS),
};

/** What a joined session is called in the office; its own id is made of letters and digits. */
export const joinedAgentId = (id: string): string => `${PREFIX}${id}`;

/** Whose agent id it is; undefined: it is no joined session's. */
export function joinedIdOf(agentId: string): string | undefined {
  return agentId.startsWith(PREFIX) ? agentId.slice(PREFIX.length) : undefined;
}

const PREFIX = "agent_joined_";
