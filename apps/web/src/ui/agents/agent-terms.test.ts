import assert from "node:assert/strict";
import { test } from "node:test";
import { EVERYONE, presentTerms, wantedTerms, type ConnectTerms } from "./agent-terms.ts";
import type { SettingsView } from "./settings-http.ts";

const SETTINGS: SettingsView = {
  path: "/atrium.config.json",
  exists: true,
  hash: "h",
  keys: [],
  fixed: [],
  values: {
    budgets: { run: { tokens: 200_000 } },
    crew: [
      { id: "agent_bd", name: "BD", role: "front desk", runtime: "claude" },
      {
        id: "agent_eng_1",
        name: "Eng",
        role: "engineer",
        runtime: "claude",
        permissions: "ask",
        limits: { run: { cost: 2 } },
      },
    ],
  },
};
const CLAUDE = { type: "claude-code" };
const UNTOUCHED: ConnectTerms = {
  whom: EVERYONE,
  model: undefined,
  permissions: undefined,
  repository: "",
  runCost: undefined,
  runTokens: undefined,
  keyName: "",
  key: "",
  isTested: false,
};

function wantedOf(whom: string, changed: Partial<ConnectTerms>, runtime = CLAUDE): object {
  return wantedTerms({ ...UNTOUCHED, ...changed, whom }, presentTerms(SETTINGS, whom), runtime);
}

test("[PAGE-23] the form shows the terms that hold, of one or of all", () => {
  const { given: _given, ...eng } = presentTerms(SETTINGS, "agent_eng_1");
  assert.deepEqual(eng, { permissions: "ask", runCost: "2", runTokens: "" });
  const { given: _all, ...all } = presentTerms(SETTINGS, EVERYONE);
  assert.deepEqual(all, { permissions: undefined, runCost: "", runTokens: "200000" });
});

test("[PAGE-23] what was chosen is written, what is so already is not, and what was emptied is removed", () => {
  assert.deepEqual(wantedOf("agent_eng_1", {}), {});
  assert.deepEqual(wantedOf("agent_bd", {}, { type: "model" }), {});
  assert.deepEqual(
    wantedOf("agent_bd", {}),
    { permissions: "sandbox" },
    "else Claude Code decides",
  );
  assert.deepEqual(wantedOf(EVERYONE, {}), {}, "each keeps its own");
  assert.deepEqual(wantedOf("agent_eng_1", { permissions: "sandbox" }), { permissions: "sandbox" });
  assert.deepEqual(wantedOf(EVERYONE, { permissions: "sandbox" }), { permissions: "sandbox" });
  assert.deepEqual(wantedOf("agent_eng_1", { runCost: "", runTokens: "5" }), {
    runCost: null,
    runTokens: 5,
  });
  assert.deepEqual(wantedOf(EVERYONE, { runTokens: "200000" }), {});
});

test("[PAGE-23] Codex is told what was shown, because without it follows a policy of its own", () => {
  assert.deepEqual(wantedOf("agent_bd", {}, { type: "codex" }), { permissions: "sandbox" });
});
