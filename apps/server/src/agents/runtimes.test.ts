import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { test } from "node:test";
import { BUILT_IN_CREW } from "@atrium/core";
import { publicSettings } from "../settings/public-settings.ts";
import { ConfigError, readConfig, type Config } from "../settings/read-config.ts";
import { createRuntimes, givenSecrets } from "./runtimes.ts";
import { forAgent } from "./settings/brought-settings.ts";

function read(
  file: object,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Config {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-settings-"));
  const path = join(folder.path, "settings.json");
  writeFileSync(path, JSON.stringify(file));
  return readConfig({ args: [...args, "--config", path], env, cwd: folder.path });
}

function rejects(file: object, pattern: RegExp, args: readonly string[] = []): void {
  assert.throws(
    () => read(file, args),
    (error: unknown) => {
      assert.ok(error instanceof ConfigError, String(error));
      assert.match(error.message, pattern);
      return true;
    },
  );
}

const local = {
  type: "model",
  provider: "openai-compatible",
  baseUrl: "http://127.0.0.1:11434/v1",
  model: "m",
};
const eng = { id: "agent_eng_1", name: "Eng 1", role: "engineer" };

test("[AGENT-18] the built-in crew rehearses, or uses the runtime that flag or environment names", () => {
  assert.deepEqual(
    read({}).crew,
    BUILT_IN_CREW.map((member) => ({ ...member, runtime: "rehearsal" })),
  );
  const runtimes = { local };
  const used = (config: Config): Set<string> => new Set(config.crew.map(({ runtime }) => runtime));
  assert.deepEqual(used(read({ runtimes }, ["--agents", "local"])), new Set(["local"]));
  assert.deepEqual(used(read({ runtimes }, [], { ATRIUM_AGENTS: "local" })), new Set(["local"]));
});

test("[AGENT-18] a crew of one's own has handles without the prefix, and main at the front desk", () => {
  const bd = { id: "agent_bd", name: "BD", role: "front desk", runtime: "local" };
  const { crew } = read({ runtimes: { local }, agents: [eng, bd] });
  assert.deepEqual(crew, [
    { ...eng, handle: "eng_1", runtime: "rehearsal" },
    { ...bd, handle: "main" },
  ]);
  const second = { ...eng, id: "agent_eng_2" };
  const handles = read({ agents: [eng, second] }).crew.map(({ handle }) => handle);
  assert.deepEqual(handles, ["main", "eng_2"]);
});

test("[AGENT-19] a crew or runtime that cannot be is an error that names it", () => {
  rejects({}, /--agents: no runtime is called "gpt"; there are: rehearsal/, ["--agents", "gpt"]);
  rejects(
    { runtimes: { local }, agents: [{ ...eng, runtime: "lokal" }] },
    /agent_eng_1: no runtime is called "lokal"; there are: local, rehearsal/,
  );
  rejects({ agents: [eng, eng] }, /agent_eng_1 is there twice/);
  rejects({ agents: [eng, { ...eng, id: "agent_main" }] }, /agent_main and agent_eng_1 would both/);
  rejects({ agents: [] }, /\/agents/);
  for (const id of ["eng_1", "agent_", "agent_Eng", "agent_a-b"]) {
    rejects({ agents: [{ ...eng, id }] }, /\/agents\/0\/id: must match pattern/);
  }
  rejects({ agents: [{ ...eng, color: "red" }] }, /'color'/);
  rejects(
    { runtimes: { x: { type: "oracle" } } },
    /runtime "x": at \/type: .*: rehearsal, model, /,
  );
  const claude = { type: "claude-code" };
  rejects({ runtimes: { x: { ...claude, transport: "telepathy" } } }, /"x": at \/transport/);
  rejects(
    { runtimes: { x: { ...claude, permissionMode: "bypassPermissions" } } },
    /permissionMode/,
  );
  rejects({ runtimes: { x: { ...claude, env: ["KEY=value"] } } }, /"x": at \/env\/0/);
  rejects(
    { runtimes: { x: { ...local, modle: "m" } } },
    /runtime "x": at root: unexpected property 'modle'$/,
  );
  rejects({ runtimes: { x: { ...local, provider: "skynet" } } }, /openai-compatible, anthropic/);
  rejects({ runtimes: { x: { ...local, baseUrl: undefined } } }, /runtime "x": .* needs a baseUrl/);
  rejects({ runtimes: { x: { ...local, apiKey: "sk-1" } } }, /unexpected property 'apiKey'/);
  const price = { inputPerMillion: 1, outputPerMillion: 2 };
  for (const type of ["acp", "cline", "codex"]) {
    const command = type === "codex" ? "codex" : ["agent"];
    rejects({ runtimes: { x: { type, command, price } } }, /"x": a price is that of a model/);
  }
  const script = { type: "command", command: ["./agent.sh"] };
  rejects({ runtimes: { x: { ...script, command: [] } } }, /runtime "x": at \/command/);
  rejects({ runtimes: { x: { ...script, command: "./agent.sh" } } }, /at \/command/);
  rejects({ runtimes: { x: { ...script, env: ["A=b"] } } }, /at \/env\/0/);
  rejects({ runtimes: { x: { ...script, type: "acp", timeoutMs: 1 } } }, /'timeoutMs'/);
  rejects({ runtimes: { x: { type: "openclaw", url: "http://x" } } }, /at \/url/);
  rejects({ runtimes: { x: { type: "openclaw", url: "ws://x", token: "t" } } }, /'token'/);
  rejects({ runtimes: { rehearsal: local } }, /"rehearsal": this name is kept/);
  rejects({ runtimes: { "a b": local } }, /a b/);
  rejects({ runtimes: { x: 1 } }, /\/runtimes\/x/);
});

test("[AGENT-20] a folder that is not there, or is of no use, is an error that names the agent", () => {
  const script = { type: "command", command: ["./agent.sh"] };
  rejects(
    { runtimes: { script }, agents: [{ ...eng, runtime: "script", cwd: "nowhere" }] },
    /agents: agent_eng_1: there is no folder \S+nowhere; make it/,
  );
  rejects(
    { runtimes: { local }, agents: [{ ...eng, runtime: "local", cwd: "." }] },
    /agents: agent_eng_1: its runtime is of type "model", which works in no folder/,
  );
  const agents = [{ ...eng, runtime: "script", cwd: "." }];
  const [member] = read({ runtimes: { script }, agents }).crew;
  assert.ok(member?.cwd !== undefined && isAbsolute(member.cwd));
});

test("[AGENT-19] tools and limits of an agent that cannot be are errors, too", () => {
  rejects({ agents: [{ ...eng, tools: ["a b"] }] }, /\/agents\/0\/tools\/0/);
  rejects({ agents: [{ ...eng, tools: "now" }] }, /\/agents\/0\/tools/);
  rejects({ agents: [{ ...eng, limits: { run: { tokens: 0 } } }] }, /\/limits\/run\/tokens/);
  rejects({ agents: [{ ...eng, limits: { project: { tokens: 1 } } }] }, /'project'/);
  rejects({ agents: [{ ...eng, limits: { turnTimeoutMs: "1h" } }] }, /turnTimeoutMs/);
});

test("[AGENT-22] budgets have defaults that the file changes one by one", () => {
  const standard = read({}).budgets;
  assert.deepEqual(standard, {
    run: { tokens: 200_000 },
    conversation: { tokens: 2_000_000 },
    project: { tokens: 2_000_000 },
  });
  const budgets = { run: { tokens: 5 } };
  assert.deepEqual(read({ budgets }).budgets, { ...standard, ...budgets });
  rejects({ budgets: { run: { tokens: 0 } } }, /\/budgets\/run\/tokens/);
  rejects({ budgets: { day: { tokens: 1 } } }, /'day'/);
});

test("[AGENT-22] a budget may be in dollars beside tokens, and a price is for a million tokens", () => {
  const standard = read({}).budgets;
  const { run, project } = read({ budgets: { run: { cost: 0.5 } } }).budgets;
  assert.deepEqual([run, project], [{ tokens: 200_000, cost: 0.5 }, standard.project]);
  const limits = { run: { cost: 0.1 }, conversation: { tokens: 5, cost: 2 } };
  assert.deepEqual(read({ agents: [{ ...eng, limits }] }).crew[0]?.limits, limits);
  rejects({ budgets: { run: { cost: 0 } } }, /\/budgets\/run\/cost/);
  assert.equal(read({ budgets: { project: { cost: 20 } } }).budgets.project.cost, 20);
  const price = { inputPerMillion: 3, outputPerMillion: 15, cachedInputPerMillion: 0.3 };
  assert.ok(read({ runtimes: { local: { ...local, price } } }));
  for (const wrong of [{ inputPerMillion: 3 }, { ...price, currency: "EUR" }]) {
    rejects({ runtimes: { local: { ...local, price: wrong } } }, /runtime "local": .*price/);
  }
  rejects(
    { runtimes: { local: { ...local, price: { ...price, outputPerMillion: -1 } } } },
    /outputPerMillion/,
  );
});

test("runtimes are made from their settings, with keys from the environment", async () => {
  const config = read({
    runtimes: {
      local: { ...local, contextTokens: 8_192 },
      claude: { type: "model", provider: "anthropic", model: "c", apiKeyEnv: "CLAUDE_KEY" },
      slow: { type: "rehearsal", pace: 3 },
      code: { type: "claude-code", model: "opus" },
      script: { type: "command", command: ["./agent.sh"], contextTokens: 9 },
      gemini: { type: "acp", command: ["gemini", "--acp"], env: ["GEMINI_KEY"] },
      claw: { type: "openclaw", url: "ws://127.0.0.1:18790", tokenEnv: "CLAW_TOKEN" },
    },
  });
  const asked: string[] = [];
  const runtimes = await createRuntimes(config.runtimes, (name) => {
    asked.push(name);
    return "sk-1";
  });
  assert.equal(asked[0], "CLAUDE_KEY");
  assert.ok(!asked.includes("ANTHROPIC_API_KEY"));
  assert.deepEqual(
    [...runtimes.values()].map(({ name, type, model }) => [name, type, model]),
    [
      ["local", "model", { provider: "openai-compatible", id: "m", contextTokens: 8_192 }],
      ["claude", "model", { provider: "anthropic", id: "c", contextTokens: 200_000 }],
      ["slow", "rehearsal", runtimes.get("rehearsal")?.model],
      ["code", "claude-code", { provider: "claude-code", id: "opus", contextTokens: 200_000 }],
      ["script", "command", { provider: "command", id: "./agent.sh", contextTokens: 9 }],
      ["gemini", "acp", { provider: "acp", id: "gemini", contextTokens: 200_000 }],
      ["claw", "openclaw", { provider: "openclaw", id: "main", contextTokens: 200_000 }],
      ["rehearsal", "rehearsal", runtimes.get("rehearsal")?.model],
    ],
  );
});

test("[AGENT-19] a key that is not in the environment is an error that names the variable", async () => {
  const config = read({ runtimes: { local: { ...local, apiKeyEnv: "LOCAL_KEY" } } });
  for (const value of [undefined, ""]) {
    await assert.rejects(
      () => createRuntimes(config.runtimes, () => value),
      (error) => error instanceof ConfigError && /"local".* LOCAL_KEY /.test(error.message),
    );
  }
  const claw = { type: "openclaw", url: "ws://x", tokenEnv: "CLAW_TOKEN" } as const;
  await assert.rejects(
    () => createRuntimes({ claw }, () => undefined),
    (error) => error instanceof ConfigError && /"claw".* CLAW_TOKEN .* token/.test(error.message),
  );
});

const docs = { docs: { command: "docs-mcp", env: ["DOCS_KEY"] } };
const gemini = { type: "acp", command: ["gemini", "--acp"] };

test("[AGENT-26] MCP servers that cannot be are errors that name them", async () => {
  const atrium = { atrium: { command: "x" } };
  rejects(
    { runtimes: { gemini: { ...gemini, mcpServers: atrium } } },
    /"gemini": .*"atrium" is kept/,
  );
  const agent = { ...eng, runtime: "gemini", mcpServers: atrium };
  rejects({ runtimes: { gemini }, agents: [agent] }, /agents: agent_eng_1: .*"atrium" is kept/);
  for (const one of [
    { type: "cline", command: ["cline"] },
    { type: "rehearsal" },
    { type: "openclaw", url: "ws://x" },
  ]) {
    const agents = [{ ...eng, runtime: "one", mcpServers: docs }];
    const why = /agents: agent_eng_1: .*takes no MCP servers; .*claude-code, codex, acp, model/;
    rejects({ runtimes: { one }, agents }, why);
  }
  rejects(
    { repositories: { shop: { path: ".", mcpServers: atrium } } },
    /repositories\.shop: .*"atrium" is kept/,
  );
  for (const server of [{ command: "x", env: { KEY: "secret" } }, { url: "ftp://x" }, {}]) {
    const mcpServers = { one: server };
    rejects({ runtimes: { gemini: { ...gemini, mcpServers } } }, /"gemini": .*mcpServers/);
  }
  for (const type of [gemini, { type: "claude-code" }, local]) {
    const { runtimes } = read({ runtimes: { one: { ...type, mcpServers: docs } } });
    await assert.rejects(
      () => createRuntimes(runtimes, () => undefined),
      (error) =>
        error instanceof ConfigError && /"one".* DOCS_KEY .*"docs" needs it/.test(error.message),
    );
  }
});

test("[AGENT-37] ownSettings is an error for a program that cannot leave out what is its user's", async () => {
  for (const command of [["codex-acp"], ["my-agent", "--acp"]]) {
    const { runtimes } = read({ runtimes: { one: { type: "acp", command, ownSettings: false } } });
    await assert.rejects(
      () => createRuntimes(runtimes, () => undefined),
      (error) =>
        error instanceof ConfigError &&
        /"one": ownSettings: .*no way to leave out/.test(error.message),
    );
  }
  for (const one of [
    { ...gemini, ownSettings: false },
    { type: "acp", command: ["node", "x"], program: "copilot", ownSettings: false },
    { type: "acp", command: ["codex-acp"], ownSettings: true },
    { type: "codex", ownSettings: false },
    { type: "cline", command: ["cline"], ownSettings: false },
  ]) {
    assert.equal((await createRuntimes(read({ runtimes: { one } }).runtimes, () => "")).size, 2);
  }
});

test("[AGENT-26] an agent's servers are added to those of its runtime", () => {
  const tides = { tides: { url: "http://127.0.0.1:9/mcp" } };
  const { runtimes } = read({ runtimes: { gemini: { ...gemini, mcpServers: docs } } });
  const settings = forAgent(runtimes["gemini"]!, { mcpServers: tides });
  assert.ok(settings?.type === "acp");
  assert.deepEqual(settings.mcpServers, { ...docs, ...tides });
  assert.equal(forAgent(runtimes["gemini"]!, {}), undefined);
});

test("[AGENT-28] of one name the agent's server counts, then the repository's, then the runtime's", () => {
  const from = (url: string) => ({ url: `http://${url}` });
  const { runtimes } = read({
    runtimes: { one: { ...local, mcpServers: { a: from("r"), b: from("r"), c: from("r") } } },
  });
  const repository = { mcpServers: { b: from("repo"), c: from("repo") }, skills: ["/of-repo"] };
  const agent = { mcpServers: { c: from("agent") }, skills: ["/of-agent"] };
  const placed = forAgent(runtimes["one"]!, agent, repository);
  assert.ok(placed?.type === "model");
  assert.deepEqual(placed.mcpServers, { a: from("r"), b: from("repo"), c: from("agent") });
  assert.deepEqual(placed.skills, ["/of-repo", "/of-agent"]);
});

test("[AGENT-28] what a repository brings and a runtime cannot take is left out", () => {
  const { runtimes } = read({
    runtimes: { slow: { type: "rehearsal" }, cline: { type: "cline", command: ["cline"] } },
  });
  const repository = { mcpServers: { tides: { url: "http://x" } }, skills: ["/s"] };
  assert.equal(forAgent(runtimes["slow"]!, {}, repository), undefined);
  assert.deepEqual(forAgent(runtimes["cline"]!, {}, repository), {
    ...runtimes["cline"],
    skills: ["/s"],
  });
});

test("[AGENT-30] skills that cannot be are errors that name whose they are", () => {
  const agents = [{ ...eng, runtime: "local", skills: ["nowhere"] }];
  rejects(
    { runtimes: { local }, agents },
    /agents: agent_eng_1: skills: \S+nowhere cannot be read/,
  );
  rejects({ agents: [{ ...eng, skills: ["x"] }] }, /agent_eng_1: .*"rehearsal".*takes no skills/);
  const bridge = { type: "claude-code", transport: "bridge", command: "x" };
  const bridged = [{ ...eng, runtime: "bridge", skills: ["x"] }];
  rejects({ runtimes: { bridge }, agents: bridged }, /agent_eng_1: .*takes no skills/);
  const repositories = { shop: { path: ".", skills: ["nowhere"] } };
  rejects({ repositories }, /repositories\.shop: skills: \S+nowhere cannot be read/);
  rejects({ agents: [{ ...eng, skills: "x" }] }, /\/agents\/0\/skills/);
});

test("[AGENT-27] what servers are given is a secret of their agents, and not shown", () => {
  const tides = { url: "http://127.0.0.1:9/mcp?k=1", headersEnv: { "X-Pass": "TIDES_PASS_ID" } };
  const env: Record<string, string> = {
    DOCS_KEY: "sk-docs-secret",
    TIDES_PASS_ID: "open-sesame-1",
  };
  const runtime = { ...gemini, mcpServers: docs };
  const repositories = { shop: { path: "/shop", mcpServers: { moon: tides } } };
  const agents = [{ ...eng, runtime: "gemini", mcpServers: { tides } }];
  const config = read({ runtimes: { gemini: runtime }, agents, repositories });
  const both = forAgent(config.runtimes["gemini"]!, config.crew[0]!);
  assert.deepEqual(
    givenSecrets(both!, (name) => env[name]),
    ["sk-docs-secret", "open-sesame-1"],
  );
  const shown = JSON.stringify(publicSettings(config).values);
  assert.match(shown, /"mcpServers":\["docs"\]/);
  assert.match(shown, /"mcpServers":\["tides"\]/);
  assert.match(shown, /"shop":\{"path":"\/shop","mcpServers":\["moon"\]\}/);
  assert.doesNotMatch(shown, /docs-mcp|DOCS_KEY|k=1|X-Pass/);
});
