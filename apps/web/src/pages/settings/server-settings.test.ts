import assert from "node:assert/strict";
import { test } from "node:test";
import { readServerSettings } from "./server-settings.ts";

const PRICE = { inputPerMillion: 3, outputPerMillion: 15, cachedInputPerMillion: 0.3 };

test("[PAGE-14] agents are shown with their runtime and model, runtimes with who uses them", () => {
  const settings = readServerSettings(
    {
      crew: [
        { id: "agent_bd", handle: "main", name: "BD", role: "front desk", runtime: "local" },
        { id: "agent_eng_1", name: "Eng", role: "engineer", runtime: "script", permissions: "ask" },
      ],
      runtimes: {
        rehearsal: { type: "rehearsal" },
        local: { type: "model", provider: "openai-compatible", model: "m1", price: PRICE },
        script: { type: "command", command: ["./agent.sh", "-v"] },
      },
      budgets: { run: { tokens: 5, cost: 0.5 }, project: {} },
    },
    new Map([["main", "local/m1"]]),
  );
  assert.deepEqual(settings, {
    agents: [
      {
        id: "agent_bd",
        name: "BD",
        role: "front desk",
        runtime: "local",
        model: "local/m1",
        permissions: "",
      },
      {
        id: "agent_eng_1",
        name: "Eng",
        role: "engineer",
        runtime: "script",
        model: undefined,
        permissions: "ask",
      },
    ],
    runtimes: [
      { name: "rehearsal", type: "rehearsal", about: "", usedBy: [], price: undefined },
      {
        name: "local",
        type: "model",
        about: "m1 · openai-compatible",
        usedBy: ["BD"],
        price: { input: 3, output: 15, cachedInput: 0.3 },
      },
      {
        name: "script",
        type: "command",
        about: "./agent.sh -v",
        usedBy: ["Eng"],
        price: undefined,
      },
    ],
    budgets: [
      { name: "run", tokens: 5, cost: 0.5 },
      { name: "project", tokens: undefined, cost: undefined },
    ],
  });
});

test("[PAGE-14] a server that says something else is shown as far as it is understood", () => {
  assert.deepEqual(readServerSettings({ crew: "?", runtimes: null }, new Map()), {
    agents: [],
    runtimes: [],
    budgets: [],
  });
});
