import assert from "node:assert/strict";
import { test } from "node:test";
import * as core from "@atrium/core";
import { createIsDirected, DIRECTED, SOMETIMES } from "./directed-entries.ts";

/** Written by whichever node is asked, or by each of itself. */
const ANYWHERE = [
  "approval.allowed approval.denied approval.revoked",
  "build.cancelled build.started",
  "conversation.deleted conversation.opened conversation.patched conversation.reset",
  "device.approved device.expired device.granted device.paired device.rejected device.removed",
  "device.requested device.revoked device.token.revoked device.token.rotated",
  "invocation.requested invocation.settled",
  "joined-session.activity_changed joined-session.described joined-session.joined",
  "joined-session.left joined-session.message_delivered joined-session.message_left",
  "joined-session.message_offered joined-session.message_turned_away",
  "lease.granted lease.released shared-folder.claimed",
  "login.approved login.ended login.opened login.rejected login.renamed login.seen",
  "message.injected office.said player.goal_set",
  "node.approved node.rejected node.removed node.renamed node.requested node.withdrawn",
  "poll.opened poll.voted question.answered question.withdrawn",
  "project.cancelled project.comment_resolved project.completed project.decision_resolved",
  "project.kickoff_started project.request_submitted project.resumed project.revert_requested",
  "project.review_approved project.review_changes_requested project.review_split",
  "project.task_assigned project.task_cancelled project.task_done project.task_edited",
  "project.task_released project.task_removed project.task_rerun project.tasks_created",
  "project.tasks_reordered project.update_requested",
  "run.aborted run.calls.answered run.requested run.stopping",
  "settings.changed settings.found settings.key_kept settings.key_removed settings.reverted",
  "signals.received tool-call.begun tool-call.finished",
].flatMap((line) => line.split(" "));

test("of every type of entry it is known who writes it: add a new one to one of the three lists", () => {
  const known = [...DIRECTED, ...SOMETIMES.keys(), ...ANYWHERE];
  const aggregates = Object.values(core).filter(
    (each) => typeof each === "object" && "checks" in each,
  );
  const types = aggregates.flatMap(({ checks }) => [...checks.keys()]);
  assert.ok(types.length > 0);
  assert.deepEqual(known.toSorted(), [...new Set(types)].toSorted());
});

test("what any node writes in some cases is told apart by what it says", () => {
  const person = { id: "ann" };
  const origin = { runId: "r", line: 1 };
  for (const [type, directed, anywhere] of [
    ["approval.expired", { why: "timeout" }, { why: "elsewhere" }],
    ["question.expired", { why: "restart" }, { why: "elsewhere" }],
    ["approval.requested", { subject: { askedBy: "agent" } }, { subject: { askedBy: "client" } }],
    ["question.asked", { source: { askedBy: "agent" } }, { source: { askedBy: "session" } }],
    ["poll.closed", { by: null }, { by: person }],
    ["project.paused", { by: null }, { by: person }],
    ["build.rejected", { origin }, { origin: null }],
    [
      "build.told",
      { telling: { what: "checks-finished" }, origin: null },
      { telling: { what: "answered" }, origin: null },
    ],
    [
      "build.told",
      { telling: { what: "status" }, origin },
      { telling: { what: "status" }, origin: null },
    ],
    [
      "build.turn.wanted",
      { turn: { message: "request", number: 2 } },
      { turn: { message: "request", number: 1 } },
    ],
    [
      "build.turn.wanted",
      { turn: { message: "request", number: 3 } },
      { turn: { message: "answer", number: 3 } },
    ],
  ] as const) {
    const isDirected = createIsDirected();
    assert.deepEqual(
      [isDirected({ type, data: directed }), isDirected({ type, data: anywhere })],
      [true, false],
      type,
    );
  }
});

test("a run that was started is ended by the director, one that waits by any node", () => {
  const isDirected = createIsDirected();
  const data = { runId: "r1" };
  assert.equal(isDirected({ type: "run.aborted", data }), false);
  assert.equal(isDirected({ type: "run.started", data }), true);
  assert.equal(isDirected({ type: "run.aborted", data }), true);
  assert.equal(isDirected({ type: "run.aborted", data: { runId: "r2" } }), false);
});
