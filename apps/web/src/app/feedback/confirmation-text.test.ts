import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogueOf } from "../../i18n/texts.ts";
import { agent, project, snapshotWith, task } from "../../testing/snapshots.ts";
import type { Asked } from "../../world/world.ts";
import { doneWords } from "./confirmation-text.ts";

const office = snapshotWith({
  agents: [agent("Ada")],
  projects: [project("kites")],
  tasks: [task("draw a kite that flies on days without any wind at all")],
});
const [{ task_id } = { task_id: "" }] = office.tasks;
const [{ project_id } = { project_id: "" }] = office.projects;

test("[WEB-214] what was done is said in a few words, with names, in every language", () => {
  const english = catalogueOf("en");
  const given: Asked = { name: "assign_task", data: { task_id, agent_id: "agent_Ada" } };
  assert.equal(
    doneWords(given, office, english),
    "Given to Ada: draw a kite that flies on days without…",
  );
  const paused: Asked = { name: "pause_project", data: { project_id } };
  assert.equal(doneWords(paused, office, english), "Paused: kites");
  assert.equal(doneWords(paused, office, catalogueOf("de")), "Angehalten: kites");
  const split: Asked = {
    name: "split_into_tasks",
    data: { artifact_id: "a", task_titles: ["a", "b"] },
  };
  assert.equal(doneWords(split, office, english), "Split into 2 tasks");
  const denied: Asked = { name: "resolve_decision", data: { decision_id: "d", choice: "Deny" } };
  assert.equal(doneWords(denied, office, english), "Your answer: Deny");
});

test("[WEB-214] nothing is said of what is seen at once", () => {
  const said: Asked = { name: "chat", data: { text: "How does it go?" } };
  assert.equal(doneWords(said, office, catalogueOf("en")), undefined);
});
