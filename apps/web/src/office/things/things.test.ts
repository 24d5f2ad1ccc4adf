import assert from "node:assert/strict";
import { test } from "node:test";
import { cozyOffice } from "@atrium/core";
import { TASK_STATUSES } from "@atrium/wire/world";
import { Vector3 } from "three";
import { madeUpState } from "../../lab/made-up-state.ts";
import { LOW_SHELF_TOP } from "../room/shelf.ts";
import { commandLines, screenLines } from "./screen-text.ts";
import { deliveriesOf, trophiesOf } from "./shelves.ts";
import { NOTES, wrapWords } from "./task-board.ts";
import { handsAt } from "./wall-clock.ts";

const state = madeUpState(cozyOffice, 1, 0);
const textOf = (lines: ReturnType<typeof screenLines>): string[] =>
  lines.map((runs) => runs.map(({ text }) => text).join(""));

test("a screen shows the end of what is written, whole lines, nothing lost within", () => {
  const text = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");
  assert.deepEqual(textOf(screenLines(text, { columns: 20, rows: 3 })), [
    "line 27",
    "line 28",
    "line 29",
  ]);
});

test("long lines are wrapped at words, and words that are too long anywhere", () => {
  assert.deepEqual(textOf(screenLines("one inbox for all of them", { columns: 10, rows: 9 })), [
    "one inbox",
    "for all of",
    "them",
  ]);
  assert.deepEqual(textOf(screenLines("x".repeat(25), { columns: 10, rows: 9 })), [
    "x".repeat(10),
    "x".repeat(10),
    "x".repeat(5),
  ]);
});

test("a line of a megabyte costs no more than a screenful", () => {
  const lines = screenLines("y".repeat(1_000_000), { columns: 10, rows: 4 });
  assert.deepEqual(
    textOf(lines),
    Array.from({ length: 4 }, () => "y".repeat(10)),
  );
});

test("code is inked as code", () => {
  const [runs = []] = screenLines('const port = 18789; // "x"', { columns: 60, rows: 1 });
  const inks = new Map(runs.map(({ ink, text }) => [text, ink]));
  assert.deepEqual(
    [inks.get("const"), inks.get("18789"), inks.get('// "x"')],
    ["word", "number", "note"],
  );
});

test("[WEB-14] every task has a column and a color, open ones before closed ones", () => {
  const columns = TASK_STATUSES.map((status) => NOTES[status].column);
  assert.deepEqual(columns, [0, 0, 1, 1, 2, 3, 3, 3]);
  for (const status of TASK_STATUSES) assert.match(NOTES[status].color, /^#[0-9a-f]{6}$/);
});

test("[WEB-14] a note breaks its title between words", () => {
  const fits = (line: string): boolean => line.length <= 9;
  assert.deepEqual(wrapWords("fix it in the unbelievable timer", fits), [
    "fix it in",
    "the",
    "unbelievable",
    "timer",
  ]);
});

test("[WEB-14] trophies stand at their anchors; one whose anchor is unknown is not shown", () => {
  const decor = [
    ...state.office_decor,
    { decor_id: "decor_x", anchor_id: "roof_1", unlocked_by_project_id: "proj_lab" },
  ];
  const trophies = trophiesOf(cozyOffice, decor);
  assert.deepEqual(
    trophies.map(({ id }) => id),
    state.office_decor.map(({ decor_id }) => decor_id),
  );
  const anchor = cozyOffice.decor_anchors.find(({ anchor_id }) => anchor_id === "trophy_shelf_01")!;
  assert.deepEqual(new Vector3().setFromMatrixPosition(trophies[0]!.matrix).toArray(), anchor.pos);
});

test("[WEB-14] delivered work lies on the delivery shelf, and what is withdrawn or not delivered does not", () => {
  const shelf = cozyOffice.objects.find(({ kind }) => kind === "low_shelf")!;
  const lying = deliveriesOf(cozyOffice, state.artifacts);
  assert.equal(lying.length, state.artifacts.length);
  for (const { matrix } of lying) {
    const at = new Vector3().setFromMatrixPosition(matrix);
    assert.ok(
      Math.abs(at.x - shelf.pos[0]) < 0.3 &&
        Math.abs(at.z - shelf.pos[2]) < 1 &&
        at.y >= LOW_SHELF_TOP,
    );
  }
  const gone = state.artifacts.map((one, at) => ({
    ...one,
    status: at % 2 === 0 ? ("withdrawn" as const) : ("created" as const),
  }));
  assert.deepEqual(deliveriesOf(cozyOffice, gone), []);
});

test("[WEB-14] the hands of the clock on the wall stand as the time that is shown", () => {
  const at = (hours: number, minutes: number) => handsAt(new Date(2026, 0, 5, hours, minutes));
  assert.deepEqual(at(0, 0), { hour: 0, minute: 0 });
  assert.deepEqual(at(15, 0), { hour: 0.25, minute: 0 });
  assert.deepEqual(at(18, 30), { hour: 6.5 / 12, minute: 0.5 });
});

test("[WEB-42] what a command prints is inked by how it went, and its end is what is seen", () => {
  const text = "✔ one\n✖ two\nError: no\nplain\n\n";
  const lines = commandLines(text, { columns: 20, rows: 3 });
  assert.deepEqual(textOf(lines), ["✖ two", "Error: no", "plain"]);
  assert.deepEqual(
    lines.map(([run]) => run?.ink),
    ["bad", "bad", "plain"],
  );
});
