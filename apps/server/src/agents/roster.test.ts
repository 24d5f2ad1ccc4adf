import assert from "node:assert/strict";
import { test } from "node:test";
import { createRoster, namedKeys, type RosterSettings } from "./roster.ts";
import type { AgentRuntime } from "./turn/agent-runtime.ts";

const TIDES = { tides: { command: "tides-mcp", env: ["TIDES_KEY"] } };
const MODEL = {
  type: "model",
  provider: "openai-compatible",
  baseUrl: "http://127.0.0.1:9/v1",
  model: "m",
  apiKeyEnv: "MODEL_KEY",
} as const;
const SETTINGS: RosterSettings = {
  crew: [
    { id: "agent_eng_1", runtime: "local" },
    { id: "agent_eng_2", runtime: "slow" },
  ],
  runtimes: { local: MODEL, slow: { type: "rehearsal" } },
  repositories: [{ id: "shop", mcpServers: TIDES, skills: ["/s"] }, { id: "plain" }],
};

/** Runtimes that say by their type what they were made of. */
async function open(settings: RosterSettings) {
  const made: string[] = [];
  const create = async (name: string, given: object): Promise<AgentRuntime> => {
    const type = JSON.stringify(given);
    made.push(type);
    const model = { provider: "p", id: "m", contextTokens: 1 };
    return { name, type, model, async *start() {} };
  };
  const roster = createRoster({ create, report: assert.fail });
  (await roster.prepare(settings, () => undefined)).commit();
  return { roster, made };
}

test("[AGENT-28] whoever works in a repository has what it brings, and nobody elsewhere", async () => {
  const { roster } = await open(SETTINGS);
  const typeOf = (agent: string, repository?: string): string =>
    roster.runtimeOf(agent, repository).type;
  assert.match(typeOf("agent_eng_1", "shop"), /"tides-mcp".*"skills":\["\/s"\]/);
  for (const elsewhere of [undefined, "plain", "own-proj_1", "__proto__"]) {
    assert.equal(typeOf("agent_eng_1", elsewhere), JSON.stringify(MODEL));
  }
  assert.equal(typeOf("agent_eng_2", "shop"), '{"type":"rehearsal"}');
});

test("[AGENT-28] a change of what a repository brings makes new only those who have it", async () => {
  const { roster, made } = await open(SETTINGS);
  const before = made.length;
  const repositories = [{ id: "shop", mcpServers: TIDES }];
  (await roster.prepare({ ...SETTINGS, repositories }, () => undefined)).commit();
  assert.equal(made.length, before + 1);
  assert.doesNotMatch(roster.runtimeOf("agent_eng_1", "shop").type, /skills/);
});

test("[SET-14] keys are those of runtimes, agents and repositories", () => {
  const crew = [
    { id: "a", runtime: "local", mcpServers: { x: { url: "u", headersEnv: { A: "X_KEY" } } } },
  ];
  assert.deepEqual(namedKeys({ ...SETTINGS, crew }), ["MODEL_KEY", "X_KEY", "TIDES_KEY"]);
});
