/** Everything a rehearsal can do, as signals: each one valid, and the same when it is told again. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Ajv } from "ajv";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openBuildHouse } from "../../kit/builds.ts";
import type { Connected } from "../../kit/raw-peer.ts";
import { openSignals, signalOf, type RawSignal, type SignalSocket } from "../../kit/signals.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const SCHEMA = new URL("../../../dist/signal.schema.json", import.meta.url);
const validate = new Ajv({ strict: true }).compile(JSON.parse(await readFile(SCHEMA, "utf8")));

function checkAll(signals: readonly RawSignal[]): void {
  for (const signal of signals) {
    assert.ok(validate(signal), `${JSON.stringify(signal)} ${JSON.stringify(validate.errors)}`);
  }
}

async function play(
  peer: Connected,
  socket: SignalSocket,
  runId: string,
  message: string,
  key = "main",
): Promise<void> {
  await peer.ask("chat.send", { sessionKey: key, message, idempotencyKey: runId });
  await socket.until(({ type, payload }) => type === "completion" && payload.taskId === runId);
}

/** One approval allowed, one denied, one question answered, as they come. */
function answerAll(peer: Connected): void {
  peer.socket.on("message", (data: Buffer) => {
    const frame = JSON.parse(data.toString());
    if (frame.event === "exec.approval.requested") {
      const decision = JSON.stringify(frame.payload).includes("publish") ? "allow-once" : "deny";
      void peer.request("exec.approval.resolve", { id: frame.payload.id, decision });
    }
    if (frame.event === "question.requested") {
      void peer.request("question.answer", { id: frame.payload.id, text: "Tech users" });
    }
  });
}

test("[SIG-6] everything a rehearsal does is a valid signal, live and told again", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect({ caps: ["tool-events"] });
  answerAll(peer);
  await using socket = await openSignals(atrium);
  await socket.subscribe();
  await play(peer, socket, "run-hello", "hello");
  await play(peer, socket, "run-work", "Write a launch plan for the tide app");
  await play(
    peer,
    socket,
    "run-tools",
    '[[tool: now {}]] [[tool: no_such {"a":[1]}]] [[say: found]]',
  );
  await play(
    peer,
    socket,
    "run-approve",
    "[[approve: shell npm publish]] [[approve: shell rm -rf]]",
    "agent:eng_1:x",
  );
  await play(peer, socket, "run-ask", "[[ask: Which audience? | Tech users | General consumers]]");
  await play(
    peer,
    socket,
    "run-fail",
    "[[say: Almost.]] [[tokens: 500]] [[fail: the disk is full]]",
  );
  await peer.ask("chat.inject", { sessionKey: "main", message: "from elsewhere" });
  const hung = play(peer, socket, "run-hang", "[[say: Wait.]] [[hang]]");
  await socket.until(
    ({ type, correlationId }) => type === "text_delta" && correlationId === "run-hang",
  );
  await peer.ask("chat.abort", { sessionKey: "main", runId: "run-hang" });
  await hung;
  await socket.emit(signalOf("deploy.finished", { any: [1] }, { id: "end" }));
  await socket.until(({ id }) => id === "end");
  checkAll(socket.signals);
  const types = new Set(socket.signals.map(({ type }) => type));
  for (const type of [
    "task_dispatch",
    "tool_call",
    "tool_result",
    "token_usage",
    "agent_state_change",
    "error",
    "completion",
    "text_delta",
    "thinking",
    "artifact",
  ]) {
    assert.ok(types.has(type), `${type} of ${[...types].join(" ")}`);
  }
  const states = new Set(
    socket.signals
      .filter(({ type }) => type === "agent_state_change")
      .map(({ payload }) => payload.to),
  );
  assert.deepEqual(states, new Set(["thinking", "acting", "waiting", "done", "error", "idle"]));
  await using late = await openSignals(atrium);
  await late.subscribe({ after: "0" });
  await late.until(({ id }) => id === "end");
  checkAll(late.signals);
});

test("[SIG-7] a run is told from dispatch to completion, with the run as its episode", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await using socket = await openSignals(atrium);
  await socket.subscribe({ filter: { correlationId: "r1" } });
  await play(
    peer,
    socket,
    "r1",
    "[[tool: now {}]] [[say: done]] [[fail: no more]]",
    "agent:eng_1:notes",
  );
  await socket.until(
    ({ type, payload }) => type === "agent_state_change" && payload.to === "error",
  );
  const told = socket.signals.filter(({ type }) => type !== "text_delta" && type !== "thinking");
  assert.deepEqual(
    told.map(({ type, payload }) => [type, payload.from, payload.to].filter(Boolean).join(" ")),
    [
      "task_dispatch test agent_eng_1",
      "agent_state_change idle thinking",
      "tool_call",
      "agent_state_change thinking acting",
      "tool_result",
      "agent_state_change acting thinking",
      "token_usage",
      "error",
      "completion",
      "agent_state_change thinking error",
    ],
  );
  for (const { source, correlationId, metadata } of socket.signals) {
    assert.deepEqual(
      [source, correlationId, metadata.conversationKey],
      ["atrium", "r1", "agent:eng_1:notes"],
    );
  }
  const [call, result] = ["tool_call", "tool_result"].map(
    (name) => told.find(({ type }) => type === name)?.payload,
  );
  assert.equal(call.callId, result.callId);
  assert.deepEqual([call.agentId, call.input, result.success], ["agent_eng_1", {}, true]);
  const usage = told.find(({ type }) => type === "token_usage")?.payload;
  assert.ok(usage.promptTokens > 0 && usage.model === "rehearsal-1");
  const error = told.find(({ type }) => type === "error")?.payload;
  assert.match(error.message, /no more/);
  assert.deepEqual(told.find(({ type }) => type === "completion")?.payload.success, false);
});

test("[SIG-8] told again it is the same, with the words as one", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await using socket = await openSignals(atrium);
  await socket.subscribe();
  await play(peer, socket, "r1", "[[say: One thing.]] [[tool: now {}]] [[say: Another.]]");
  await play(peer, socket, "r2", "hello");
  await socket.emit(signalOf("end", {}, { id: "end" }));
  await socket.until(({ id }) => id === "end");
  await using late = await openSignals(atrium);
  await late.subscribe({ after: "0" });
  await late.until(({ id }) => id === "end");
  const lasting = (each: SignalSocket) =>
    each.frames.filter(
      ({ position, signal }) => signal && position && signal.metadata?.kept !== true,
    );
  assert.deepEqual(lasting(late), lasting(socket));
  const textOf = (each: SignalSocket, runId: string): string =>
    each.signals
      .filter(({ type, correlationId }) => type === "text_delta" && correlationId === runId)
      .map(({ payload }) => payload.content)
      .join("");
  for (const runId of ["r1", "r2"]) {
    assert.notEqual(textOf(socket, runId), "");
    assert.equal(textOf(late, runId), textOf(socket, runId));
  }
  const [after] = late.frames.filter(({ position }) => position?.endsWith(".1") === true);
  await using middle = await openSignals(atrium);
  await middle.subscribe({ after: after?.position });
  await middle.until(({ id }) => id === "end");
  const rest = late.frames.slice(late.frames.indexOf(after!) + 1);
  assert.deepEqual(
    middle.frames.filter(({ signal }) => signal),
    rest,
  );
});

test("[SIG-7] a build is told from dispatch to completion, with its steps and questions", async () => {
  await using house = await openBuildHouse();
  await using socket = await openSignals(house.atrium);
  await socket.subscribe();
  const id = await house.api.start("Build a bot that waters plants");
  await house.api.see(id);
  await socket.until(({ type, payload }) => type === "completion" && payload.taskId === id);
  checkAll(socket.signals);
  const mine = socket.signals.filter(({ correlationId }) => correlationId === id);
  assert.equal(mine[0]?.type, "task_dispatch");
  assert.equal(mine.filter(({ type }) => type === "build.step").length, 14);
  assert.equal(mine.filter(({ type }) => type === "build.question").length, 2);
  assert.equal(mine.filter(({ type }) => type === "completion").length, 1);
});

test("[SIG-7] a project is told by its requests, assignments and what came of them", async () => {
  await using atrium = await openTestAtrium();
  await using socket = await openSignals(atrium);
  await socket.subscribe();
  await using peer = await enterWorld(atrium);
  await peer.ask("submit_request", { text: "Create a landing page [[fail: the disk is full]]" });
  const { payload } = await peer.event("kickoff_finished");
  const { project_id } = payload;
  const [task] = (await peer.event("tasks_created")).payload.tasks as { task_id: string }[];
  await peer.ask("assign_task", { task_id: task?.task_id ?? "", agent_id: "agent_eng_1" });
  await socket.until(
    ({ type, payload: of }) => type === "completion" && of.taskId === task?.task_id,
  );
  checkAll(socket.signals);
  const mine = socket.signals.filter(({ correlationId }) => correlationId === project_id);
  assert.deepEqual(
    mine.map(({ type }) => type),
    ["task_dispatch", "user.command", "task_dispatch", "error", "completion"],
  );
});
