/** What a change of settings does at once: runtimes, the crew in every room, terms of the next turn. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import type { Connected } from "../../kit/raw-peer.ts";
import { askSettings, patchSettings } from "../../kit/settings.ts";
import { enterWorld, type WorldMessage } from "../../kit/world-peer.ts";

const modelAt = (baseUrl: string, model: string) => ({
  type: "model",
  provider: "openai-compatible",
  baseUrl,
  model,
});

async function answerOf(peer: Connected, sessionKey: string, message: string): Promise<string> {
  const idempotencyKey = message;
  const ended = peer.next(
    ({ type, event, payload }) =>
      type === "event" &&
      event === "chat" &&
      payload.runId === idempotencyKey &&
      payload.state === "final",
  );
  await peer.ask("chat.send", { sessionKey, message, idempotencyKey });
  return JSON.stringify((await ended).payload);
}

test("[SET-11] a turn ends with the runtime it began with; the next has the new one", async () => {
  await using first = await openModelServer(() => ({ type: "answer", chunks: ["one"] }));
  await using second = await openModelServer(() => ({ type: "answer", chunks: ["two"] }));
  await using atrium = await openTestAtrium({
    settings: { crewRuntime: "mine", runtimes: { mine: modelAt(first.baseUrl, "m1") } },
  });
  await using peer = await atrium.connect();
  first.queue.push({ type: "answer", chunks: ["slow ", "one"], chunkDelayMs: 300 });
  const began = peer.next(({ event, payload }) => event === "chat" && payload.state === "delta");
  const running = answerOf(peer, "main", "a");
  await began;
  const patch = { runtimes: { mine: modelAt(second.baseUrl, "m2") } };
  assert.equal((await patchSettings(atrium, patch)).status, 200);
  const { agents } = await peer.ask("agents.list", {});
  assert.ok(agents[0].model.primary.endsWith("/m2"), agents[0].model.primary);
  assert.match(await running, /slow one/);
  assert.match(await answerOf(peer, "main", "b"), /two/);
  assert.deepEqual([first.requests.length, second.requests.length], [1, 1]);
  assert.deepEqual(atrium.faults, []);
});

const agentIn = ({ payload }: WorldMessage, agentId: string) =>
  (
    payload["agents"] as {
      agent_id: string;
      name: string;
      role: string;
      look?: number;
      poi_id?: string;
    }[]
  ).find(({ agent_id }) => agent_id === agentId);

async function modelIds(atrium: TestAtrium): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${atrium.token}` };
  const response = await fetch(`${atrium.url}v1/models`, { headers });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

test("[SET-12] who is added, changed or removed is so in every room at once", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await using world = await enterWorld(atrium);
  const shown = (id: string, isIt: (agent: ReturnType<typeof agentIn>) => boolean) =>
    world.next((message) => message.type === "snapshot" && isIt(agentIn(message, id)));

  const joined = shown("agent_ops", (agent) => agent?.name === "Ops");
  const ops = { name: "Ops", role: "operator", desk: 8, look: 7 };
  assert.equal((await patchSettings(atrium, { agents: { agent_ops: ops } })).status, 200);
  const agent = agentIn(await joined, "agent_ops");
  assert.deepEqual([agent?.role, agent?.look, agent?.poi_id], ["operator", 7, "poi_desk_8"]);
  const ids = async () =>
    ((await peer.ask("agents.list", {})).agents as { id: string; name: string }[]).map(
      ({ id, name }) => `${id}:${name}`,
    );
  assert.ok((await ids()).includes("ops:Ops"));
  assert.ok((await modelIds(atrium)).some((id) => id.endsWith("ops")));
  assert.match(await answerOf(peer, "agent:ops:main", "hello"), /"final"/);

  const moved = shown("agent_ops", (each) => each?.poi_id === "poi_desk_7");
  const renamed = { agents: { agent_ops: { name: "Olga", desk: 7 } } };
  assert.equal((await patchSettings(atrium, renamed)).status, 200);
  assert.equal(agentIn(await moved, "agent_ops")?.name, "Olga");

  const left = shown("agent_ops", (each) => each === undefined);
  assert.equal((await patchSettings(atrium, { agents: { agent_ops: null } })).status, 200);
  await left;
  assert.ok(!(await ids()).includes("ops:Olga"));
  assert.ok(!(await modelIds(atrium)).some((id) => id.endsWith("ops")));
  assert.deepEqual(atrium.faults, []);
});

test("[SET-13] terms hold for the next turn, hosts for the next request", async () => {
  await using atrium = await openTestAtrium({ settings: { agents: undefined } });
  await using peer = await atrium.connect();
  const tools = async (): Promise<number> =>
    (await peer.ask("tools.catalog", {})).groups.flatMap(
      ({ tools: all }: { tools: unknown[] }) => all,
    ).length;
  const all = await tools();
  assert.ok(all > 1);
  await patchSettings(atrium, { agents: { agent_bd: { tools: ["now"] } } });
  assert.equal(await tools(), 1);
  const origin = "https://app.example";
  const asked = (): Promise<number> =>
    fetch(`${atrium.url}api/office`, {
      headers: { authorization: `Bearer ${atrium.token}`, origin },
    }).then(({ status }) => status);
  assert.equal(await asked(), 403);
  assert.equal((await patchSettings(atrium, { allowedOrigins: [origin] })).status, 200);
  assert.equal(await asked(), 200);
  const budgets = { run: { tokens: 1 } };
  assert.equal((await patchSettings(atrium, { budgets })).status, 200);
  const braked = peer.event("question.requested");
  await peer.ask("chat.send", {
    sessionKey: "main",
    message: "[[tokens: 5000]]",
    idempotencyKey: "brake",
  });
  assert.ok((await braked).payload !== undefined);
  const { values } = (await askSettings(atrium, "GET")).body;
  assert.deepEqual(values.allowedOrigins, [origin]);
});
