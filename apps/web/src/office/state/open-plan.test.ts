import assert from "node:assert/strict";
import { test } from "node:test";
import { cozyOffice } from "@atrium/core";
import { openPlan } from "./open-plan.ts";

const task = (project: string, title: string, status: "planned" | "assigned" = "planned") => ({
  project_id: project,
  title,
  status,
});

test("[WEB-63] the newest plan that nobody has started hangs above the table, line by line", () => {
  const plan = openPlan(cozyOffice, [
    task("project_a", "An older plan"),
    task("project_b", "Draw the tide curve"),
    task("project_b", "Write the readme"),
    task("project_c", "Under way", "assigned"),
    task("project_c", "Not handed out yet"),
  ]);
  assert.deepEqual(plan?.lines, ["1  Draw the tide curve", "2  Write the readme"]);
  assert.equal(plan.table.kind, "meeting_table");
});

test("[WEB-63] a long plan is cut to five short lines, the last of which counts the rest", () => {
  const titles = Array.from({ length: 9 }, (_, at) => `${at} ${"long ".repeat(40)}`);
  const { lines } = openPlan(
    cozyOffice,
    titles.map((title) => task("project_a", title)),
  )!;
  assert.equal(lines.length, 5);
  assert.equal(lines.at(-1), "+5");
  assert.ok(lines.every((line) => line.length <= 47));
});

test("[WEB-63] there is nothing above the table once work has begun, or without any plan", () => {
  assert.equal(openPlan(cozyOffice, [task("project_a", "One", "assigned")]), undefined);
  assert.equal(openPlan(cozyOffice, []), undefined);
});
