import assert from "node:assert/strict";
import { test } from "node:test";
import { agent, project, snapshotWith } from "../../../testing/snapshots.ts";
import { firstStep } from "../view/first-step.ts";
import { AGENT_PROGRAMS, installedFirst, settingsFor } from "./agent-programs.ts";

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

test("[WEB-61] what is installed comes first, and each has settings that name its runtime", () => {
  const names = (...installed: readonly string[]) =>
    installedFirst(new Set(installed)).map(({ id }) => id);
  assert.equal(names()[0], "claude");
  assert.deepEqual(names("qwen", "gemini").slice(0, 3), ["gemini", "qwen", "claude"]);
  for (const each of AGENT_PROGRAMS) {
    const { runtimes } = JSON.parse(settingsFor(each)) as { runtimes: Record<string, object> };
    assert.deepEqual(runtimes, { [each.id]: each.runtime });
  }
});
