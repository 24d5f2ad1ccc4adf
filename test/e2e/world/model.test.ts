/** A project done by models: the same flow as with the rehearsal crew, over a real HTTP API. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { openModelServer, type ModelRequest } from "../../kit/model-server/model-server.ts";
import { modelOn } from "../../kit/workshop.ts";
import { enterWorld, type WorldMessage } from "../../kit/world-peer.ts";

const PLAN = {
  title: "Landing page",
  summary: "Copy first, then a sketch.",
  tasks: [
    { title: "Write the copy", description: "Short.", role: "writer" },
    { title: "Sketch it", description: "One variant.", role: "designer" },
  ],
};

/** What a model would do at each point, told by what it was sent. */
function decide({ body }: ModelRequest): Behavior {
  const said = JSON.stringify(body.messages);
  const usage = { inputTokens: 100, outputTokens: 20 };
  const says = (text: string): Behavior => ({ type: "answer", chunks: [text], usage });
  const calls = (name: string, input: unknown): Behavior => ({
    type: "answer",
    toolCalls: [{ name, input }],
    usage,
  });
  if (said.includes("Plan this for the team")) {
    return says(
      said.includes("This plan cannot be used") ? JSON.stringify(PLAN) : "I will think about it.",
    );
  }
  if (said.includes("Task 2 of 2")) return says("# A sketch\n\nOne box.");
  const results = body.messages.filter(({ role }: { role: string }) => role === "tool").length;
  if (results === 0) return calls("ask", { question: "Which tone?", options: ["Warm", "Dry"] });
  if (results === 1) return calls("deliver_artifact", { name: "copy.md", content: "# Copy" });
  return says("The copy is on its way.");
}

const isEvent = (name: string, id: string) => (message: WorldMessage) =>
  message.payload.name === name && Object.values(message.payload).includes(id);

test("[WORLD-25] [WORLD-9] models plan, ask, deliver and are reviewed, in the same order", async () => {
  await using model = await openModelServer(decide);
  const runtimes = { local: modelOn(model.baseUrl) };
  const agents = [
    { id: "agent_bd", name: "BD", role: "front desk", runtime: "local" },
    { id: "agent_writer_1", name: "Writer", role: "writer", runtime: "local" },
    { id: "agent_design_1", name: "Design", role: "designer", runtime: "local" },
  ];
  await using atrium = await openTestAtrium({ settings: { runtimes, agents } });
  await using peer = await enterWorld(atrium);
  await peer.ask("submit_request", {
    text: "Make a landing page",
    constraints: { tone: "kind" },
  });
  const { payload } = await peer.event("kickoff_finished");
  const { project_id, summary } = payload;
  assert.equal(summary, PLAN.summary);
  await peer.ask("auto_assign", { project_id });
  const { payload: asked } = await peer.event("decision_requested");
  assert.deepEqual([asked.prompt, asked.options], ["Which tone?", ["Warm", "Dry"]]);
  await peer.ask("resolve_decision", { decision_id: asked.decision_id, choice: "Warm" });
  const tasks = (await peer.event("tasks_created")).payload.tasks as { task_id: string }[];
  for (const { task_id } of tasks) {
    const delivered = await peer.first(isEvent("artifact_delivered", task_id));
    const { artifact_id } = delivered.payload;
    const kept = await fetch(new URL(`/api/artifacts/${artifact_id}/1`, atrium.url), {
      headers: { authorization: `Bearer ${atrium.token}` },
    });
    assert.match(await kept.text(), /^# (?:Copy|A sketch)/);
    await peer.ask("approve_artifact", { artifact_id });
    await peer.first(isEvent("task_done", task_id));
  }
  await peer.event("project_completed");
  await peer.event("decor_unlocked");
  const names = peer.told("event").map(({ payload: event }) => event.name as string);
  const order = [
    "request_submitted",
    "request_accepted",
    "kickoff_started",
    "tasks_created",
    "kickoff_finished",
    "task_assigned",
    "task_started",
    "decision_requested",
    "task_blocked",
    "decision_resolved",
    "review_approved",
    "task_done",
    "project_completed",
    "decor_unlocked",
  ];
  const places = order.map((name) => names.indexOf(name));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    names.join(" "),
  );
  assert.ok(!places.includes(-1), names.join(" "));
  assert.deepEqual(atrium.faults, []);
  const prompts = model.requests.map(({ body }) => JSON.stringify(body.messages));
  for (const words of ["Plan this for the team", "Task 1 of 2", "Task 2 of 2"]) {
    const found = prompts.find((prompt) => prompt.includes(words)) ?? assert.fail(words);
    assert.match(found, /> Make a landing page/);
    assert.match(found, /Constraints:\\n> - tone: kind/);
  }
});
