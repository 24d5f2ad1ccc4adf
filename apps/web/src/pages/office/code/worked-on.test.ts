import assert from "node:assert/strict";
import { test } from "node:test";
import { moment, task } from "../../../testing/snapshots.ts";
import { withFiles, workedOn } from "./worked-on.ts";

const about = { project_id: "proj_a", agent_id: "agent_eng" };

test("[WEB-60] the code that is shown is that of the task worked on last by the moment one has gone to", () => {
  const moments = [
    moment(1, 1, { name: "request_accepted", project_id: "proj_a" }),
    moment(2, 2, { name: "task_started", ...about, task_id: "task_a", run_id: "r", attempt: 1 }),
    moment(3, 3, { name: "task_started", ...about, task_id: "task_b", run_id: "s", attempt: 1 }),
    moment(4, 4, {
      name: "task_progress",
      ...about,
      task_id: "task_a",
      kind: "tool",
      preview_text: "edit",
    }),
    moment(5, 5, { name: "task_done", project_id: "proj_a", task_id: "task_b" }),
  ];
  assert.deepEqual(
    [-1, 0, 1, 2, 3, 4, 99].map((until) => workedOn(moments, until)),
    [undefined, undefined, "task_a", "task_b", "task_a", "task_a", "task_a"],
  );
});

test("[WEB-60] only tasks that someone has begun, or that start from another's files, can be chosen", () => {
  const tasks = [
    task("planned"),
    task("begun", { attempts: 1 }),
    task("fork", { forked_from: { task_id: "task_begun", seq: 3 } }),
  ];
  assert.deepEqual(
    withFiles(tasks).map(({ title }) => title),
    ["begun", "fork"],
  );
});
