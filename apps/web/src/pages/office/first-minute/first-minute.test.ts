import assert from "node:assert/strict";
import { test } from "node:test";
import { agent, project, snapshotWith } from "../../../testing/snapshots.ts";
import {
  settingsFor,
  usableFirst,
  type DetectionState,
} from "../../../ui/agents/detected-agents.ts";
import { firstStep } from "../view/first-step.ts";

const acting = [agent("a", { is_rehearsal: true }), agent("v", { is_visitor: true })];
const mixed = [...acting, agent("b")];

test("[WEB-61] first one asks; after a first project of a rehearsal one connects an agent; then nothing", () => {
  const step = (agents = acting, ...statuses: readonly ("executing" | "completed")[]) =>
    firstStep(
      snapshotWith({ agents, projects: statuses.map((status) => project(status, { status })) }),
    );
  assert.equal(firstStep(null), undefined);
  assert.equal(step(), "ask");
  assert.equal(step(mixed), "ask");
  assert.equal(step(acting, "executing"), undefined);
  assert.equal(step(acting, "executing", "completed"), "connect");
  assert.equal(step(mixed, "completed"), undefined);
});

test("[WEB-61] what can be used comes first, and has settings that name its runtime", () => {
  const program = (id: string, state: DetectionState, runtime?: Record<string, unknown>) => {
    const texts = { name: id, message: "So it is.", install: "npm install -g it" };
    return { id, state, variables: [], keys: [], ...texts, ...(runtime && { runtime }) };
  };
  const server = {
    ...program("ollama", "ready", { type: "model" }),
    baseUrl: "http://127.0.0.1:11434/v1",
    models: ["m"],
  };
  const agents = usableFirst({
    agentPrograms: [
      program("claude", "missing"),
      program("codex", "broken"),
      program("gemini", "login-needed"),
      program("qwen", "login-unknown"),
      program("copilot", "too-old"),
      program("opencode", "ready", { type: "acp", command: ["opencode", "acp"] }),
    ],
    modelServers: [server],
  });
  const ids = agents.map(({ id }) => id);
  assert.deepEqual(ids, ["opencode", "ollama", "qwen", "gemini", "copilot", "codex", "claude"]);
  const [first, , third] = agents;
  assert.ok(first !== undefined && third !== undefined);
  assert.deepEqual(JSON.parse(settingsFor(first) ?? ""), {
    runtimes: { opencode: { type: "acp", command: ["opencode", "acp"] } },
  });
  assert.equal(settingsFor(third), undefined);
});
