/** Settings where several nodes serve one log: changed at any of them, in effect and in the file of each. */
import assert from "node:assert/strict";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createMemoryBus, createMemoryChain, type Bus, type Chain } from "@atrium/log/chain";
import { openTestCluster, untilMet, type TestNode } from "../../kit/atrium-cluster.ts";
import type { Answered } from "../../kit/builds.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { askSettings, fileOf, modeOf, patchSettings, readFileOf } from "../../kit/settings.ts";

const REHEARSAL = { type: "rehearsal" };
const RUN_TOKENS = { budgets: { run: { tokens: 5 } } };

async function shownAt(node: TestNode): Promise<{ values: Answered["body"]; hash: string }> {
  return (await askSettings(node, "GET")).body;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(20);
}

const runTokensAt = async (node: TestNode): Promise<unknown> =>
  (await shownAt(node)).values["budgets"].run.tokens;

async function settingsEntries({ log }: TestNode): Promise<readonly string[]> {
  const entries = await Array.fromAsync(log.read({ stream: "settings/server" }));
  return entries.map(({ type }) => type);
}

/** All that goes to the servers of the log and between nodes. */
function recorded(): { chain: Chain; bus: Bus; has: (text: string) => boolean } {
  const said: string[] = [];
  const note = (bytes: Uint8Array): void => void said.push(Buffer.from(bytes).toString("latin1"));
  const [chain, bus] = [createMemoryChain(), createMemoryBus()];
  const write = chain.publish.bind(chain);
  const [tell, ask] = [bus.publish.bind(bus), bus.request.bind(bus)];
  chain.publish = (after, bytes) => {
    note(bytes);
    return write(after, bytes);
  };
  bus.publish = (subject, bytes) => {
    note(bytes);
    tell(subject, bytes);
  };
  bus.request = (subject, bytes, timeoutMs) => {
    note(bytes);
    return ask(subject, bytes, timeoutMs);
  };
  return { chain, bus, has: (text) => said.some((each) => each.includes(text)) };
}

test("[NODE-37] a change at any node is in effect on all, in the file of each, and in the log once", async () => {
  await using cluster = await openTestCluster();
  await untilMet(cluster);
  const [director, other] = [await cluster.director(), await cluster.other()];
  const third = cluster.nodes.find((node) => node !== director && node !== other);
  assert.ok(third !== undefined);
  const written = '{\n   "budgets":  {"project": {"tokens": 77}}\n}\n';
  await writeFile(fileOf(third), written);
  const done = await patchSettings(other, RUN_TOKENS);
  assert.deepEqual([done.status, done.body.changed], [200, ["budgets"]]);
  assert.equal(await runTokensAt(other), 5, "whoever asked sees it at once");
  for (const node of cluster.nodes) await until(async () => (await runTokensAt(node)) === 5);
  assert.equal(JSON.parse(await readFileOf(other)).budgets.run.tokens, 5);
  const kept = await readFileOf(third);
  assert.ok(kept.startsWith('{\n   "budgets":  {"project": {"tokens": 77}'), kept);
  assert.equal(JSON.parse(kept).budgets.run.tokens, 5);
  assert.deepEqual(await settingsEntries(director), ["settings.changed"]);
  const again = await patchSettings(third, RUN_TOKENS);
  assert.deepEqual(again.body.changed, []);
});

test("[NODE-37] changes at two nodes at once are both there; one that was built on older settings is refused", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  const [first, second] = await untilMet(cluster);
  const { hash } = await shownAt(second);
  const names = { agents: { agent_bd: { name: "Bee" } } };
  const both = await Promise.all([patchSettings(first, RUN_TOKENS), patchSettings(second, names)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
  for (const node of cluster.nodes) {
    await until(async () => (await runTokensAt(node)) === 5);
    await until(async () => (await shownAt(node)).values["crew"][0].name === "Bee");
  }
  const late = await patchSettings(second, { office: { meetingMs: 1 } }, { baseHash: hash });
  assert.equal(late.body.error.code, "guard.broken");
  const { hash: now } = await shownAt(second);
  const held = await patchSettings(second, { office: { meetingMs: 1 } }, { baseHash: now });
  assert.equal(held.status, 200, JSON.stringify(held.body));
});

test("[NODE-38] a node that was away takes over what it missed; a new one keeps its own file", async () => {
  await using cluster = await openTestCluster();
  await untilMet(cluster);
  const [director, away] = [await cluster.director(), await cluster.other()];
  const { name, home } = away;
  await away.close();
  await patchSettings(director, { agents: { agent_writer_1: null } });
  await patchSettings(director, RUN_TOKENS);
  const back = await cluster.open(name);
  assert.equal(await runTokensAt(back), 5);
  assert.ok(!JSON.stringify((await shownAt(back)).values["crew"]).includes("writer"));
  assert.equal(
    JSON.parse(await readFile(join(home, "atrium.config.json"), "utf8")).agents.length,
    5,
  );
  const own = join(cluster.shared, "..", "z");
  await mkdir(own);
  await writeFile(join(own, "atrium.config.json"), '{"budgets":{"run":{"tokens":9}}}');
  const fresh = await cluster.open("z");
  assert.equal(await runTokensAt(fresh), 9);
  await patchSettings(fresh, { budgets: { project: { tokens: 8 } } });
  await until(async () => (await shownAt(back)).values["budgets"].project.tokens === 8);
  assert.equal(await runTokensAt(back), 5);
});

test("[NODE-38] what a node cannot take over is noted there, and the others have it; what it cannot write, it takes later", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  await untilMet(cluster);
  const [director, other] = [await cluster.director(), await cluster.other()];
  await symlink(join(other.home, "gone", "settings.json"), fileOf(other));
  assert.equal((await patchSettings(director, RUN_TOKENS)).status, 200);
  const isNoted = ({ what = "" }: Readonly<Record<string, unknown>>): boolean =>
    String(what).includes("not taken over");
  await until(async () => other.notes.some(isNoted));
  assert.notEqual(await runTokensAt(other), 5);
  await rm(fileOf(other));
  await patchSettings(director, { budgets: { project: { tokens: 8 } } });
  await until(async () => (await shownAt(other)).values["budgets"].project.tokens === 8);
  assert.equal(await runTokensAt(other), 5, "in their order, with the one before");
  await writeFile(fileOf(other), '{"runtimes":{"own":{"type":"rehearsal"}},"crewRuntime":"own"}');
  const notes = other.notes.length;
  const removed = await patchSettings(director, { runtimes: { own: null, new: REHEARSAL } });
  assert.equal(removed.status, 200, JSON.stringify(removed.body));
  await until(async () => other.notes.slice(notes).some(isNoted));
  const kept = JSON.parse(await readFileOf(other));
  assert.deepEqual(Object.keys(kept.runtimes), ["own"], "its crew cannot do without");
});

test("[NODE-39] a key and a change go by the shared folder: neither the log nor the bus has them", async () => {
  const SECRET = "sk-shared-0123456789abcdef";
  const PASSWORD = "hunter2hunter2hunter2";
  await using model = await openModelServer();
  const { chain, bus, has } = recorded();
  await using cluster = await openTestCluster({ nodes: 2, chain, bus });
  await untilMet(cluster);
  const [director, other] = [await cluster.director(), await cluster.other()];
  const kept = await askSettings(other, "PUT", "/keys/MY_MODEL_KEY", { value: SECRET });
  assert.deepEqual(kept.body, { keys: [{ name: "MY_MODEL_KEY", source: "kept" }] });
  assert.equal(await modeOf(join(cluster.shared, "keys.json")), 0o600);
  const mine = {
    type: "model",
    provider: "openai-compatible",
    baseUrl: model.baseUrl,
    model: "m",
    apiKeyEnv: "MY_MODEL_KEY",
  };
  const away = { ...mine, baseUrl: `http://ann:${PASSWORD}@127.0.0.1:9/v1` };
  const done = await patchSettings(other, { crewRuntime: "mine", runtimes: { mine, away } });
  assert.equal(done.status, 200, JSON.stringify(done.body));
  await using peer = await other.connect();
  const ended = peer.next(({ event, payload }) => event === "chat" && payload.state === "final");
  await peer.ask("chat.send", { sessionKey: "main", message: "a", idempotencyKey: "a" });
  await ended;
  assert.equal(model.requests[0]?.headers["authorization"], `Bearer ${SECRET}`);
  assert.ok(has("settings.changed") && !has(SECRET) && !has(PASSWORD));
  const listed = await askSettings(director, "GET");
  assert.deepEqual(listed.body.keys, [{ name: "MY_MODEL_KEY", source: "kept" }]);
});
