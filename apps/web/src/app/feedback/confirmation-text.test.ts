import assert from "node:assert/strict";
import { test } from "node:test";
import { textsOf } from "../../i18n/texts.ts";
import { agent, project, snapshotWith, task } from "../../testing/snapshots.ts";
import type { SentCommand } from "../../world/world.ts";
import { confirmationText } from "./confirmation-text.ts";

const office = snapshotWith({
  agents: [agent("Ada")],
  projects: [project("kites")],
  tasks: [task("draw a kite that flies on days without any wind at all")],
});
const [{ task_id } = { task_id: "" }] = office.tasks;
const [{ project_id } = { project_id: "" }] = office.projects;

test("what was done is said in a few words, with names, in every language", () => {
  const english = textsOf("en");
  const given: SentCommand = { name: "assign_task", data: { task_id, agent_id: "agent_Ada" } };
  assert.equal(
    confirmationText(given, office, english),
    "Assigned to Ada: draw a kite that flies on days without…",
  );
  const paused: SentCommand = { name: "pause_project", data: { project_id } };
  assert.equal(confirmationText(paused, office, english), "Paused: kites");
  assert.equal(confirmationText(paused, office, textsOf("de")), "Pausiert: kites");
  const split: SentCommand = {
    name: "split_into_tasks",
    data: { artifact_id: "a", task_titles: ["a", "b"] },
  };
  assert.equal(confirmationText(split, office, english), "Created 2 tasks");
  const denied: SentCommand = {
    name: "resolve_decision",
    data: { decision_id: "d", choice: "Deny" },
  };
  assert.equal(confirmationText(denied, office, english), "Your answer: Deny");
});

test("nothing is said of what is seen at once", () => {
  const said: SentCommand = { name: "chat", data: { text: "How does it go?" } };
  assert.equal(confirmationText(said, office, textsOf("en")), undefined);
});
