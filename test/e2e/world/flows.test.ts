/** The protocol's two canonical flows, from a request to a trophy, with the rehearsal crew. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { enterWorld, type WorldMessage } from "../../kit/world-peer.ts";

const nameOf = ({ type, payload }: WorldMessage): string =>
  type === "event" ? payload.name : type;

/** What was told between two messages, both included, without what comes and goes by the clock. */
function between(messages: readonly WorldMessage[], from: string, to: string): readonly string[] {
  const names = messages
    .filter(({ type }) => type !== "snapshot" && type !== "agent_stream" && type !== "chat")
    .map(nameOf);
  return names.slice(names.indexOf(from), names.indexOf(to) + 1);
}

test("[WORLD-25] a request is acknowledged, submitted, accepted, kicked off with goals, planned, and shown", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await peer.ask("submit_request", { text: "Create a landing page plan" });
  const finished = await peer.event("kickoff_finished");
  const shown = await peer.first(
    ({ type, payload }) => type === "snapshot" && payload.seq >= finished.payload.seq,
  );
  assert.deepEqual(between(peer.messages, "ack", "kickoff_finished"), [
    "ack",
    "request_submitted",
    "request_accepted",
    "kickoff_started",
    ...Array.from({ length: 6 }, () => "agent_goal"),
    "tasks_created",
    "kickoff_finished",
  ]);
  const { projects, tasks } = shown.payload;
  assert.equal(projects[0].status, "planned");
  assert.ok(tasks.length >= 2 && tasks.length <= 5);
  const chat = await peer.first(({ type }) => type === "chat");
  const actions = chat.payload.suggested_actions.map(({ action }: { action: string }) => action);
  assert.ok(actions.includes("auto_assign"), JSON.stringify(actions));
});

test("[WORLD-25] a kickoff says what it is about, and what is suggested names what it is for", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const text = "A page [[say: here]] [[fail: no paper]]";
  await peer.ask("submit_request", { text });
  const { payload: started } = await peer.event("kickoff_started");
  assert.equal(started.meta.title, "Kickoff meeting");
  assert.match(started.meta.summary, /^A page/);
  const [task] = (await peer.event("tasks_created")).payload.tasks as { task_id: string }[];
  await peer.ask("assign_task", { task_id: task?.task_id, agent_id: "agent_eng_1" });
  const suggestion = async (action: string): Promise<Record<string, unknown>> => {
    const isIt = (each: { action: string }): boolean => each.action === action;
    const { payload } = await peer.first(
      ({ type, payload: { suggested_actions: actions = [] } }) =>
        type === "chat" && actions.some(isIt),
    );
    return payload.suggested_actions.find(isIt);
  };
  assert.equal((await suggestion("rerun_task"))["task_id"], task?.task_id);
  const planned = peer.next(({ payload: { name } }) => name === "kickoff_finished");
  await peer.ask("submit_request", { text: "A page [[say: here]]" });
  const { payload } = await planned;
  await peer.ask("auto_assign", { project_id: payload.project_id });
  const { artifact_id } = (await peer.event("artifact_delivered")).payload;
  assert.equal((await suggestion("open_review"))["artifact_id"], artifact_id);
});

test("[DIR-1] everyone is seen in the meeting before the plan is told, and stays for the next one", async () => {
  const office = { walkingSpeedMps: 6, meetingMs: 1_000 };
  await using atrium = await openTestAtrium({ office });
  await using peer = await enterWorld(atrium);
  await peer.ask("submit_request", { text: "Create a landing page plan" });
  const { payload: started } = await peer.event("kickoff_started");
  const isMet = ({ type, payload }: WorldMessage): boolean =>
    type === "snapshot" &&
    started.participants.every((agentId: string) =>
      payload.agents.some(
        (agent: { agent_id: string; state: string }) =>
          agent.agent_id === agentId && agent.state === "InMeeting",
      ),
    );
  const met = await peer.first(isMet);
  const again = await peer.command("submit_request", { text: "Another one, while they sit" });
  assert.equal(again.type, "ack");
  const { payload: told } = await peer.event("tasks_created");
  assert.ok(met.payload.seq < told.seq, "they were there first");
  await peer.first(
    ({ payload }) =>
      payload.name === "kickoff_finished" && payload.project_id !== started.project_id,
  );
  const names = peer.messages.map(nameOf);
  const first = names.indexOf("kickoff_finished");
  const second = names.lastIndexOf("kickoff_finished");
  assert.equal(names.slice(first, second).includes("agent_goal"), false, "nobody left in between");
});

test("[WORLD-25] what is delivered is reviewed, approved and done; the project ends with a trophy", async () => {
  await using atrium = await openTestAtrium({ office: { walkingSpeedMps: 1.2 } });
  await using peer = await enterWorld(atrium);
  await peer.ask("submit_request", { text: "Create a landing page plan" });
  const { payload: finished } = await peer.event("kickoff_finished");
  await peer.ask("auto_assign", { project_id: finished.project_id });
  const asked = await peer.event("decision_requested");
  const { decision_id, options, agent_id } = asked.payload;
  await peer.first(
    ({ type, payload }) => type === "agent_goal" && payload.goal.decision_id === decision_id,
  );
  const seeking = await peer.first(
    ({ type, payload }) =>
      type === "snapshot" &&
      payload.agents.some(
        (agent: { agent_id: string; state: string }) =>
          agent.agent_id === agent_id && agent.state === "WalkingToPlayer",
      ),
  );
  assert.equal(seeking.payload.decisions[0].status, "open");
  await peer.ask("resolve_decision", { decision_id, choice: options[0] });
  const tasks = (await peer.event("tasks_created")).payload.tasks as { task_id: string }[];
  for (const { task_id } of tasks) {
    const delivered = await peer.first(
      ({ payload }) => payload.name === "artifact_delivered" && payload.task_id === task_id,
    );
    const { artifact_id, poi_id, seq } = delivered.payload;
    assert.equal(poi_id, "poi_delivery_shelf");
    await peer.first(
      ({ type, payload }) =>
        type === "snapshot" &&
        payload.artifacts.some(
          (artifact: Record<string, unknown>) =>
            artifact["artifact_id"] === artifact_id && artifact["poi_id"] === "poi_delivery_shelf",
        ),
    );
    await peer.ask("approve_artifact", { artifact_id });
    const approved = await peer.first(
      ({ payload }) => payload.name === "review_approved" && payload.artifact_id === artifact_id,
    );
    const done = await peer.first(
      ({ payload }) => payload.name === "task_done" && payload.task_id === task_id,
    );
    assert.ok(seq < approved.payload.seq && approved.payload.seq < done.payload.seq);
    const position = (message: WorldMessage): number => peer.messages.indexOf(message);
    const ack = peer.messages.findLast(({ type }) => type === "ack");
    assert.ok(ack && position(ack) < position(approved));
  }
  await peer.event("project_completed");
  const trophy = await peer.event("decor_unlocked");
  assert.equal(trophy.payload.project_id, finished.project_id);
  await peer.first(({ type, payload }) => type === "snapshot" && payload.office_decor.length === 1);
  const streams = new Map<string, WorldMessage[]>();
  for (const each of peer.told("agent_stream")) {
    streams.set(each.payload.stream_id, [...(streams.get(each.payload.stream_id) ?? []), each]);
  }
  assert.ok(streams.size >= tasks.length + 1);
  for (const deltas of streams.values()) {
    assert.deepEqual(
      deltas.map(({ payload }) => payload.seq),
      deltas.map((_, index) => index + 1),
    );
    assert.deepEqual(
      deltas.filter(({ payload }) => payload.done).map(({ payload }) => payload.seq),
      [deltas.length],
    );
  }
  assert.deepEqual(atrium.faults, []);
});
