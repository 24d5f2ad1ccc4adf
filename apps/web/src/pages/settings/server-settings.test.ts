import assert from "node:assert/strict";
import { test } from "node:test";
import { readServerSettings } from "./server-settings.ts";

test("[WEB-132] agents are shown with their runtime and model, runtimes with who uses them", () => {
  const settings = readServerSettings(
    {
      crew: [{ id: "agent_bd", handle: "main", name: "BD", role: "front desk", runtime: "local" }],
      runtimes: {
        rehearsal: { type: "rehearsal" },
        local: { type: "model", provider: "openai-compatible", model: "m1", apiKeyEnv: "KEY" },
        script: { type: "command", command: ["./agent.sh", "-v"] },
      },
      budgets: { run: { tokens: 5 }, project: {} },
    },
    new Map([["main", "local/m1"]]),
  );
  assert.deepEqual(settings, {
    agents: [
      { id: "agent_bd", name: "BD", role: "front desk", runtime: "local", model: "local/m1" },
    ],
    runtimes: [
      { name: "rehearsal", type: "rehearsal", about: "", usedBy: [] },
      { name: "local", type: "model", about: "m1 · openai-compatible", usedBy: ["BD"] },
      { name: "script", type: "command", about: "./agent.sh -v", usedBy: [] },
    ],
    budgets: [
      { name: "run", tokens: 5 },
      { name: "project", tokens: undefined },
    ],
  });
});

test("[WEB-132] a server that says something else is shown as far as it is understood", () => {
  assert.deepEqual(readServerSettings({ crew: "?", runtimes: null }, new Map()), {
    agents: [],
    runtimes: [],
    budgets: [],
  });
});
