import assert from "node:assert/strict";
import { test } from "node:test";
import { textsOf } from "../../../i18n/texts.ts";
import {
  artifact,
  decision,
  moment,
  project,
  snapshotWith,
  task,
} from "../../../testing/snapshots.ts";
import type { Moment } from "../../../world/moments.ts";
import { answersTo, isWholeInList, viewOf } from "./answers.ts";
import { needsOf, type Need } from "./needs.ts";
import { GONE_SHOWN_MS, steadyRows, type Row } from "./steady-rows.ts";

const MINUTE = 60_000;
const words = textsOf("en");
const delivered = (seq: number): Moment =>
  moment(seq, 0, {
    name: "artifact_delivered",
    project_id: "proj_a",
    task_id: "task_a",
    artifact_id: "art_a",
    version: 1,
    poi_id: "poi_delivery_shelf",
  });

test("[WEB-20] what holds up most tasks for longest comes first, whatever kind it is", () => {
  const snapshot = snapshotWith({
    projects: [project("a"), project("b", { status: "planned" })],
    tasks: [
      task("a", { status: "in_review", assignee: "agent_x" }),
      task("b", { status: "blocked", assignee: "agent_y" }),
      task("c", { project_id: "proj_b" }),
      task("d", { project_id: "proj_b" }),
      task("e", { status: "failed", assignee: "agent_z" }),
    ],
    artifacts: [artifact("a")],
    decisions: [
      decision("young", { asked_at: 9 * MINUTE, task_id: "task_b" }),
      decision("old", { asked_at: MINUTE, task_id: "task_b" }),
      decision("answered", { status: "resolved" }),
    ],
  });
  const timeline = [
    moment(1, 9 * MINUTE, { name: "tasks_created", project_id: "proj_b", tasks: [] }),
    moment(2, 5 * MINUTE, {
      name: "task_failed",
      project_id: "proj_a",
      task_id: "task_e",
      reason: "r",
    }),
    delivered(3),
  ];
  assert.deepEqual(
    needsOf(snapshot, timeline, 10 * MINUTE).map(({ id, held }) => [id, held]),
    [
      ["decision:dec_old", 1],
      ["failure:task_e", 1],
      ["handout:proj_b", 2],
      ["decision:dec_young", 1],
      ["review:art_a", 0],
    ],
  );
});

test("[WEB-20] what holds up no one, for hours, comes after what just began to hold someone up", () => {
  const snapshot = snapshotWith({
    projects: [project("a")],
    tasks: [task("a", { status: "in_review" })],
    artifacts: [artifact("a")],
    decisions: [decision("in_chat", { project_id: "proj_boot", asked_at: 600 * MINUTE })],
  });
  assert.deepEqual(
    needsOf(snapshot, [delivered(1)], 600 * MINUTE).map(({ id, held }) => [id, held]),
    [
      ["decision:dec_in_chat", 0],
      ["review:art_a", 0],
    ],
  );
});

test("[WEB-20] who asks holds up its task and all it was given besides, in whichever project that is under way", () => {
  const mine = { assignee: "agent_x", status: "assigned" } as const;
  const snapshot = snapshotWith({
    projects: [project("a"), project("b"), project("rests", { status: "paused" })],
    tasks: [
      task("asks", { assignee: "agent_x", status: "blocked" }),
      task("next", mine),
      task("other", { ...mine, project_id: "proj_b" }),
      task("resting", { ...mine, project_id: "proj_rests" }),
      task("done", { assignee: "agent_x", status: "done" }),
      task("hers", { assignee: "agent_y", status: "assigned" }),
    ],
    decisions: [decision("may", { kind: "permission", task_id: "task_asks" })],
  });
  const held = (from: typeof snapshot) => needsOf(from, [], 0).map((need) => need.held);
  assert.deepEqual(held(snapshot), [3]);
  // A turn that waits for money is that of its agent; the rest of the project goes on.
  const [asked] = snapshot.decisions;
  assert.ok(asked !== undefined);
  assert.deepEqual(held({ ...snapshot, decisions: [{ ...asked, kind: "budget" }] }), [3]);
  const paused = [project("a", { status: "paused" }), project("b")];
  assert.deepEqual(held({ ...snapshot, projects: paused }), [1]);
});

test("[WEB-20] a project that waits for money holds up all its open tasks", () => {
  const snapshot = snapshotWith({
    projects: [project("a", { status: "paused" })],
    tasks: [
      task("a", { status: "in_progress" }),
      task("b", { status: "assigned" }),
      task("c", { status: "done" }),
    ],
    decisions: [decision("money", { kind: "budget", asked_at: 0 })],
  });
  assert.deepEqual(
    needsOf(snapshot, [], 0).map(({ id, held }) => [id, held]),
    [["decision:dec_money", 2]],
  );
});

test("[WEB-20] what is over needs no one", () => {
  const snapshot = snapshotWith({
    projects: [project("a", { status: "cancelled", ended_at: 5 })],
    tasks: [task("a", { status: "failed" }), task("b")],
    artifacts: [artifact("a", { status: "approved" })],
  });
  assert.deepEqual(needsOf(snapshot, [], 9), []);
});

test("[WEB-22] yes and no are the choices that say so, digits choose, and one press is one command", () => {
  const base: Need = {
    id: "decision:dec_a",
    kind: "permission",
    title: "shell rm?",
    since: 0,
    held: 1,
    options: ["Allow", "Deny", "Always allow"],
    decisionId: "dec_a",
    projectId: "proj_a",
    place: "agent_a",
  };
  assert.deepEqual(
    answersTo(base, words).map(({ label, keys, command }) => [label, keys, command.data]),
    [
      ["Allow", ["Y", "1"], { decision_id: "dec_a", choice: "Allow" }],
      ["Deny", ["N", "2"], { decision_id: "dec_a", choice: "Deny" }],
      ["Always allow", [], { decision_id: "dec_a", choice: "Always allow" }],
    ],
  );
  const question = answersTo({ ...base, kind: "question", options: ["Red", "Blue"] }, words);
  assert.deepEqual(
    question.map(({ keys }) => keys),
    [["1"], ["2"]],
  );
  const { decisionId: _, ...plain } = base;
  const review: Need = { ...plain, kind: "review", artifactId: "art_a", version: 2 };
  assert.deepEqual(
    answersTo(review, words).map(({ keys, command }) => [keys, command]),
    [[["Y"], { name: "approve_artifact", data: { artifact_id: "art_a", expected_version: 2 } }]],
  );
  assert.deepEqual(viewOf(review), { kind: "artifact", id: "art_a" });
  assert.deepEqual(viewOf({ ...plain, kind: "failure", taskId: "task_a" }), {
    kind: "task",
    id: "task_a",
  });
  const planning: Need = { ...plain, kind: "planning" };
  assert.deepEqual(
    answersTo(planning, words).map(({ keys, command }) => [keys, command]),
    [[["Y"], { name: "start_kickoff", data: { project_id: "proj_a" } }]],
  );
  assert.deepEqual(viewOf(planning), { kind: "project", id: "proj_a" });
  assert.equal(isWholeInList(base), false, "a permission is read where it stands whole");
  assert.equal(isWholeInList({ ...base, kind: "question" }), true);
  assert.equal(isWholeInList({ ...base, kind: "question", title: "why? ".repeat(40) }), false);
  assert.equal(isWholeInList({ ...base, kind: "question", title: "a\nb\nc\nd\ne" }), false);
  assert.deepEqual(viewOf(base), { kind: "decision", id: "dec_a" });
  assert.deepEqual(viewOf({ ...plain, kind: "handout" }), { kind: "plan", id: "proj_a" });
});

test("[WEB-28] a plan that failed is a need with its reason; what an ended project asked is none", () => {
  const snapshot = snapshotWith({
    projects: [
      project("a", { status: "failed", ended_at: 5, reason: "no model" }),
      project("b", { status: "cancelled", ended_at: 6, reason: "no model" }),
    ],
    decisions: [decision("q", { project_id: "proj_b" })],
  });
  assert.deepEqual(
    needsOf(snapshot, [], 9).map(({ id, detail, since }) => [id, detail, since]),
    [["planning:proj_a", "no model", 5]],
  );
});

test("[WEB-21] while it is held the list keeps its order, adds below, and keeps the place of what is gone for a moment", () => {
  const of = (...ids: readonly string[]): readonly Need[] =>
    ids.map((id) => ({
      id,
      kind: "question" as const,
      title: id,
      since: 0,
      held: 0,
      options: [],
      projectId: "proj_a",
      place: "agent_a",
    }));
  const told = (rows: readonly Row[]): readonly string[] =>
    rows.map(({ need, goneAt }) => (goneAt === undefined ? need.id : `(${need.id})`));
  const first = steadyRows([], of("a", "b", "c"), { isHeld: false, now: 0 });
  assert.deepEqual(told(first), ["a", "b", "c"]);
  const held = steadyRows(first, of("new", "c", "a"), { isHeld: true, now: 100 });
  assert.deepEqual(told(held), ["a", "(b)", "c", "new"]);
  const later = steadyRows(held, of("new", "c", "a"), { isHeld: true, now: 100 + GONE_SHOWN_MS });
  assert.deepEqual(told(later), ["a", "c", "new"]);
  const free = steadyRows(later, of("new", "c", "a"), { isHeld: false, now: 200 });
  assert.deepEqual(told(free), ["new", "c", "a"]);
});

test("[WEB-66] failed checks, a conflict nobody resolved and a finished project to deliver are named as such", () => {
  const change = {
    commit: "c",
    base: "b",
    files: 1,
    added: 1,
    removed: 0,
    omitted: [],
    flagged: [],
  };
  const checks = { version: 1, state: "failed" as const, names: ["test"], results: [] };
  const done = { status: "completed" as const, ended_at: 500, line: "c0ffee" };
  const delivery = { how: "branch", ref: "atrium/x", commit: "c", by: "ann", at: 1 };
  const snapshot = snapshotWith({
    projects: [
      project("a"),
      project("new", done),
      project("taken", { ...done, deliveries: [delivery] }),
      project("paper", { ...done, line: undefined as never }),
    ],
    tasks: [task("a", { status: "in_review" }), task("stuck", { status: "failed" })],
    artifacts: [
      artifact("red", { change, checks }),
      artifact("stuck", {
        task_id: "task_stuck",
        status: "changes_requested",
        change,
        landing: "conflicted",
      }),
    ],
  });
  const found = needsOf(snapshot, [], 1_000).map(({ id, kind, trouble }) => [id, kind, trouble]);
  assert.deepEqual(
    new Set(found.map(String)),
    new Set([
      "delivery:proj_new,delivery,",
      "failure:task_stuck,failure,conflict",
      "review:art_red,review,checks",
    ]),
  );
  assert.deepEqual(
    needsOf(snapshot, [], 2 * 86_400_000).filter(({ kind }) => kind === "delivery"),
    [],
  );
});
