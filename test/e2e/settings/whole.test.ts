/** Settings given as a whole, as OpenClaw's clients do: read with `config.get`, changed, and given back. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import type { Connected } from "../../kit/raw-peer.ts";
import { fileOf, readFileOf } from "../../kit/settings.ts";

const SETTINGS = {
  budgets: { run: { tokens: 1000 } },
  runtimes: {
    act: { type: "rehearsal", pace: 0 },
    tool: { type: "command", command: ["/bin/cat", "--secret=hunter2"], env: ["TOOL_KEY"] },
  },
  agents: [
    { id: "agent_bd", name: "Bee", role: "front desk" },
    { id: "agent_eng_1", name: "Eng", role: "engineer", runtime: "act" },
  ],
};

// oxlint-disable-next-line typescript/no-explicit-any -- as a client has it: JSON that it changes
type Config = any;

async function openWith() {
  const atrium = await openTestAtrium({
    settings: SETTINGS,
    env: { TOOL_KEY: "key-0123456789abcdef" },
  });
  const peer = await atrium.connect();
  const stack = new AsyncDisposableStack();
  stack.use(atrium);
  stack.use(peer);
  return { atrium, peer, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** What a client does: everything it was shown goes back, with its change. */
async function give(
  peer: Connected,
  change: (config: Config) => void,
  method: "config.set" | "config.apply" = "config.set",
) {
  const { config, hash } = await peer.ask("config.get", {});
  const next = structuredClone(config);
  change(next);
  return peer.request(method, { raw: JSON.stringify(next, null, 2), baseHash: hash });
}

const written = async (atrium: TestAtrium): Promise<Config> => JSON.parse(await readFileOf(atrium));

for (const method of ["config.set", "config.apply"] as const) {
  test(`[SET-17] ${method}: what differs from what was shown is changed, and the rest stays as it is written`, async () => {
    await using stage = await openWith();
    const { atrium, peer } = stage;
    const same = await give(peer, () => undefined, method);
    assert.deepEqual([same.ok, same.payload.noop], [true, true], JSON.stringify(same));
    const done = await give(
      peer,
      (config) => {
        config.budgets.run.tokens = 5;
        config.crew[1].name = "Ada";
        config.crew.push({ id: "agent_ops", name: "Olga", role: "operator" });
        config.office.meetingMs = 7;
      },
      method,
    );
    assert.equal(done.ok, true, JSON.stringify(done));
    assert.equal(done.payload.config.budgets.run.tokens, 5);
    const { hash } = await peer.ask("config.get", {});
    assert.equal(done.payload.hash, hash);
    assert.deepEqual(await written(atrium), {
      budgets: { run: { tokens: 5 } },
      runtimes: SETTINGS.runtimes,
      agents: [
        SETTINGS.agents[0],
        { ...SETTINGS.agents[1], name: "Ada" },
        { id: "agent_ops", name: "Olga", role: "operator" },
      ],
      office: { meetingMs: 7 },
    });
  });
}

test("[SET-17] what is left out is removed: a budget, a member, a runtime that nobody uses", async () => {
  await using stage = await openWith();
  const { atrium, peer } = stage;
  const done = await give(peer, (config) => {
    delete config.budgets.run;
    delete config.runtimes.act;
    config.crew = config.crew.filter(({ id }: Config) => id !== "agent_eng_1");
  });
  assert.equal(done.ok, true, JSON.stringify(done));
  assert.deepEqual(await written(atrium), {
    budgets: {},
    runtimes: { tool: SETTINGS.runtimes.tool },
    agents: [SETTINGS.agents[0]],
  });
  assert.equal(done.payload.config.budgets.run.tokens, 200_000, "the default holds");
});

test("[SET-17] a hash is needed and must hold; a mark that is moved, and what cannot be, is refused by name", async () => {
  await using stage = await openWith();
  const { atrium, peer } = stage;
  const before = await readFileOf(atrium);
  const missing = await peer.request("config.set", { raw: "{}" });
  assert.match(missing.error?.message ?? "", /baseHash/);
  const late = await peer.request("config.apply", { raw: "{}", baseHash: "0".repeat(64) });
  assert.match(late.error?.message ?? "", /changed since you read them/);
  const refusals: readonly (readonly [(config: Config) => unknown, RegExp])[] = [
    [
      (config) => (config.crew[0].name = config.token ?? MARK),
      /agents\.agent_bd\.name: .*not shown/,
    ],
    [(config) => (config.runtimes.copy = { ...config.runtimes.tool }), /runtimes\.copy\.env/],
    [(config) => (config.port = 1), /port/],
    [(config) => (config.colour = "red"), /colour/],
    [(config) => (config.crew[0].handle = "boss"), /handle/],
    [(config) => [config.crew.pop(), (config.agents = [{ id: "agent_x" }])], /crew, agents/],
    [(config) => (config.channels = { telegram: { enabled: true } }), /channels/],
  ];
  for (const [change, named] of refusals) {
    const { ok, error } = await give(peer, change);
    assert.equal(ok, false, String(named));
    assert.match(error?.message ?? "", named);
  }
  for (const raw of ["[]", "nonsense", '"text"']) {
    assert.equal((await peer.request("config.set", { raw, baseHash: "h" })).ok, false, raw);
  }
  assert.equal(await readFileOf(atrium), before);
});

test("[SET-17] a whole file, as it is written by hand, takes the place of the settings", async () => {
  await using stage = await openWith();
  const { atrium, peer } = stage;
  const { hash } = await peer.ask("config.get", {});
  const whole = { agents: [{ id: "agent_bd", name: "Bo", role: "front desk" }] };
  const done = await peer.request("config.apply", {
    raw: JSON.stringify(whole),
    baseHash: hash,
    sessionKey: "main",
    note: "why",
    restartDelayMs: 0,
    deliveryContext: { channel: "telegram", to: "1" },
  });
  assert.equal(done.ok, true, JSON.stringify(done));
  assert.deepEqual(await written(atrium), whole);
});

test("[SET-18] a place in replacePaths is replaced: whom it does not name leaves, what it does not name goes", async () => {
  await using stage = await openWith();
  const { atrium, peer } = stage;
  await writeFile(fileOf(atrium), JSON.stringify({ ...SETTINGS, budgets: { run: { cost: 1 } } }));
  const merged = await peer.ask("config.patch", { raw: '{"budgets":{"run":{"tokens":7}}}' });
  assert.equal(merged.config.budgets.run.cost, 1);
  const raw = JSON.stringify({
    budgets: { run: { tokens: 9 } },
    agents: [{ id: "agent_bd", name: "Bo", role: "front desk" }],
  });
  const replacePaths = ["agents", "budgets.run", "nothing.there", "__proto__"];
  const done = await peer.ask("config.patch", { raw, replacePaths });
  assert.equal(done.ok, true);
  const { budgets, agents, runtimes } = await written(atrium);
  assert.deepEqual(
    [budgets, agents],
    [{ run: { tokens: 9 } }, [{ id: "agent_bd", name: "Bo", role: "front desk" }]],
  );
  assert.deepEqual(runtimes, SETTINGS.runtimes);
});

const MARK = "__OPENCLAW_REDACTED__";
