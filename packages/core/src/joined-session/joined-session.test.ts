import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse } from "../engine/refusal.ts";
import type { Answerer } from "../people/answerer.ts";
import { findEventProblem } from "../stored-events/event-problem.ts";
import { given } from "../testing/index.ts";
import {
  joinedSession,
  type JoinedSessionCommand,
  type JoinedSessionEvent,
  type SessionDetails,
  type TurnAwayReason,
} from "./joined-session.ts";
import { createJoinedSessions, isLeft } from "./joined-sessions.ts";

const ann: Answerer = { id: "device-a", name: "Ann", via: "world" };
const details: SessionDetails = {
  program: "claude-code",
  model: "fake-model",
  owner: "ann",
  folder: "/home/ann/shop",
  branch: "main",
  process: "42:1000",
  canAsk: true,
};
const join: JoinedSessionCommand = { type: "join", details };
const joined: JoinedSessionEvent = { type: "joined-session.joined", details };
const left: JoinedSessionEvent = { type: "joined-session.left", why: "ended" };
const message = { messageId: "m1", text: "Mind the tests.", by: ann };
const wasLeft: JoinedSessionEvent = { type: "joined-session.message_left", ...message };

const entryOf = (seq: number, event: JoinedSessionEvent, id = "s1") => ({
  seq,
  stream: `joined-session/${id}`,
  type: event.type,
  at: seq * 10,
  data: joinedSession.write(event),
});

test("[JOIN-1] a session joins once, is described when something of it changed, and may come back", () => {
  assert.deepEqual(given(joinedSession).when(join), accept([joined]));
  assert.deepEqual(given(joinedSession, joined).when(join), accept([]));
  const moved = { ...details, branch: "tides" };
  assert.deepEqual(
    given(joinedSession, joined).when({ type: "join", details: moved }),
    accept([{ type: "joined-session.described", details: moved }]),
  );
  assert.deepEqual(given(joinedSession, joined, left).when(join), accept([joined]));
});

test("[JOIN-1] only what changes is in the log, and only of a session that is here", () => {
  const work: JoinedSessionCommand = { type: "change-activity", activity: "working" };
  const working: JoinedSessionEvent = {
    type: "joined-session.activity_changed",
    activity: "working",
  };
  assert.deepEqual(given(joinedSession, joined).when(work), accept([working]));
  assert.deepEqual(given(joinedSession, joined, working).when(work), accept([]));
  assert.deepEqual(given(joinedSession, joined, left).when(work), accept([]));
  assert.deepEqual(given(joinedSession).when(work), accept([]));
  const leave: JoinedSessionCommand = { type: "leave", why: "ended" };
  assert.deepEqual(given(joinedSession, joined, working).when(leave), accept([left]));
  assert.deepEqual(given(joinedSession, joined, left).when(leave), accept([]));
});

test("[JOIN-5] a message waits until it was delivered, once, also over a departure", () => {
  const leaveIt: JoinedSessionCommand = { type: "leave-message", ...message };
  assert.deepEqual(given(joinedSession, joined).when(leaveIt), accept([wasLeft]));
  assert.deepEqual(given(joinedSession).when(leaveIt), refuse("joined-session.missing"));
  assert.deepEqual(
    given(joinedSession, joined).when({ ...leaveIt, text: "" }),
    refuse("message.empty"),
  );
  const deliver: JoinedSessionCommand = {
    type: "deliver-messages",
    messageIds: ["m1", "of another"],
    moment: "turn-end",
  };
  const delivered: JoinedSessionEvent = {
    type: "joined-session.message_delivered",
    messageId: "m1",
    moment: "turn-end",
  };
  const back = given(joinedSession, joined, wasLeft, left, joined);
  assert.deepEqual(back.when(deliver), accept([delivered]));
  assert.deepEqual(given(joinedSession, joined, wasLeft, delivered).when(deliver), accept([]));
});

test("[JOIN-5] no more than twenty messages wait", () => {
  const many = Array.from({ length: 20 }, (_, at): JoinedSessionEvent => {
    return { ...wasLeft, messageId: `m${at}` };
  });
  const outcome = given(joinedSession, joined, ...many).when({ type: "leave-message", ...message });
  assert.deepEqual(outcome, refuse("joined-session.full"));
});

test("[JOIN-1] the list has those that are here, as they stand, also after a restart", () => {
  const rows = createJoinedSessions();
  const events: readonly (readonly [JoinedSessionEvent, string])[] = [
    [joined, "s1"],
    [joined, "s2"],
    [{ type: "joined-session.activity_changed", activity: "waiting" }, "s1"],
    [wasLeft, "s1"],
    [left, "s2"],
  ];
  for (const [at, [event, id]] of events.entries()) rows.apply(entryOf(at + 1, event, id));
  const [row, ...others] = rows.list();
  assert.deepEqual(others, []);
  assert.deepEqual(row, {
    id: "s1",
    isHere: true,
    details,
    activity: "waiting",
    joinedAt: 10,
    heardAt: 30,
    messages: [{ ...message, at: 40, delivered: null }],
  });
  assert.equal(rows.get("s2")?.isHere, false);
  const later = createJoinedSessions();
  later.load(rows.save());
  assert.deepEqual(later.list(), rows.list());
});

const sighted: SessionDetails = {
  ...details,
  owner: null,
  canAsk: false,
  source: "transcript",
};
const seen: JoinedSessionEvent = { type: "joined-session.joined", details: sighted };

test("[SIGHT-1] a session that is read from its files is here as others are, until it is out of sight", () => {
  const sight: JoinedSessionCommand = { type: "sight", details: sighted, activity: "working" };
  const working: JoinedSessionEvent = {
    type: "joined-session.activity_changed",
    activity: "working",
  };
  assert.deepEqual(given(joinedSession).when(sight), accept([seen, working]));
  assert.deepEqual(given(joinedSession, seen, working).when(sight), accept([]));
  assert.deepEqual(given(joinedSession, seen, working, left).when(sight), accept([seen, working]));
  const rested: JoinedSessionCommand = { ...sight, activity: "idle" };
  assert.deepEqual(
    given(joinedSession, seen, working).when(rested),
    accept([{ type: "joined-session.activity_changed", activity: "idle" }]),
  );
  const gone: JoinedSessionCommand = { type: "lose-sight", why: "gone" };
  assert.deepEqual(
    given(joinedSession, seen).when(gone),
    accept([{ type: "joined-session.left", why: "gone" }]),
  );
});

test("[SIGHT-2] what a session says of itself counts, and what is read of it then does not", () => {
  const sight: JoinedSessionCommand = { type: "sight", details: sighted, activity: "working" };
  assert.deepEqual(given(joinedSession, joined).when(sight), accept([]));
  assert.deepEqual(
    given(joinedSession, seen).when(join),
    accept([{ type: "joined-session.described", details }]),
  );
  const described: JoinedSessionEvent = { type: "joined-session.described", details };
  assert.deepEqual(
    given(joinedSession, seen, described).when({ type: "lose-sight", why: "gone" }),
    accept([]),
  );
});

test("[SIGHT-3] nothing can be left for a session that is only read", () => {
  assert.deepEqual(
    given(joinedSession, seen).when({ type: "leave-message", ...message }),
    refuse("joined-session.read-only"),
  );
});

test("[JOIN-1] entries are checked as all others are", () => {
  assert.equal(findEventProblem(entryOf(1, joined)), undefined);
  assert.notEqual(findEventProblem({ ...entryOf(1, joined), data: { details: 1 } }), undefined);
});

const offer: JoinedSessionCommand = { type: "offer-message", messageId: "m1", process: "7:1" };
const offered: JoinedSessionEvent = {
  type: "joined-session.message_offered",
  messageId: "m1",
  process: "7:1",
};
const turnAway = (why: TurnAwayReason): JoinedSessionCommand => ({
  type: "turn-away-message",
  messageId: "m1",
  why,
});
const turnedAway = (why: TurnAwayReason): JoinedSessionEvent => ({
  type: "joined-session.message_turned_away",
  messageId: "m1",
  why,
});
const woken: JoinedSessionEvent = {
  type: "joined-session.message_delivered",
  messageId: "m1",
  moment: "wake",
};

test("[JOIN-82] a message is offered once, to a session that is here, and then delivered or turned away", () => {
  const waiting = given(joinedSession, joined, wasLeft);
  assert.deepEqual(waiting.when(offer), accept([offered]));
  assert.equal(given(joinedSession, joined).when(offer).ok, false);
  assert.equal(given(joinedSession, joined, wasLeft, offered).when(offer).ok, false);
  const gone: JoinedSessionEvent = { type: "joined-session.left", why: "gone" };
  assert.equal(given(joinedSession, joined, wasLeft, gone).when(offer).ok, false);
  const open = given(joinedSession, joined, wasLeft, offered, gone);
  assert.deepEqual(
    open.when({ type: "deliver-messages", messageIds: ["m1"], moment: "wake" }),
    accept([woken]),
  );
  assert.deepEqual(open.when(turnAway("refused")), accept([turnedAway("refused")]));
  assert.deepEqual(waiting.when(turnAway("refused")), accept([]));
});

test("[JOIN-83] what was turned away waits again, but not what its user denied", () => {
  const after = (why: TurnAwayReason) =>
    given(joinedSession, joined, wasLeft, offered, turnedAway(why));
  const deliver: JoinedSessionCommand = {
    type: "deliver-messages",
    messageIds: ["m1"],
    moment: "prompt",
  };
  assert.deepEqual(after("refused").when(deliver), accept([{ ...woken, moment: "prompt" }]));
  assert.deepEqual(after("denied").when(deliver), accept([]));
  // Taken, and given up unread when the program ended.
  const taken = given(joinedSession, joined, wasLeft, offered, woken);
  assert.deepEqual(taken.when(turnAway("expired")), accept([turnedAway("expired")]));
  assert.deepEqual(taken.when(turnAway("dropped")), accept([]));
  assert.deepEqual(taken.when(deliver), accept([]));
});

test("[JOIN-82] [JOIN-83] the list says what is still to be handed over, and what became of the rest", () => {
  const rows = createJoinedSessions();
  let seq = 0;
  const apply = (event: JoinedSessionEvent) => {
    rows.apply(entryOf(++seq, event));
    const [first] = rows.get("s1")?.messages ?? [];
    return first && { isLeft: isLeft(first), ...first };
  };
  apply(joined);
  assert.equal(apply(wasLeft)?.isLeft, true);
  const sent = apply(offered);
  assert.deepEqual([sent?.isLeft, sent?.offered], [false, { at: 30, process: "7:1" }]);
  const back = apply(turnedAway("refused"));
  assert.deepEqual([back?.isLeft, back?.offered, back?.turnedAway], [true, undefined, "refused"]);
  apply(offered);
  assert.deepEqual(apply(woken)?.delivered, { at: 60, moment: "wake" });
  const unread = apply(turnedAway("expired"));
  assert.deepEqual([unread?.isLeft, unread?.delivered], [true, null]);
  apply(offered);
  assert.equal(apply(turnedAway("denied"))?.isLeft, false);
});
