/** What is nested without end, at every door: refused with a reason, and nobody is worse off for it. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSqliteLog } from "@atrium/log";
import { openHome } from "@atrium/server/home";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { openTestSession, plugIn } from "../../kit/bridge.ts";
import { openSignals, post, signalOf, type SignalFrame } from "../../kit/signals.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const LEVELS = 100_000;
const DEEP = `${'{"a":'.repeat(LEVELS)}1${"}".repeat(LEVELS)}`;
const SAYS = /nested deeper than 100 levels/;

/** As text: what is this deep cannot be counted on to be written by anyone. */
const deepSignal = (): string => JSON.stringify(signalOf("x.deep", {})).replace("{}", DEEP);
const good = (): string => JSON.stringify(signalOf("x.good", { "7": 1 }));

interface Page {
  readonly signals: readonly {
    readonly signal: { readonly type: string; readonly payload: unknown };
  }[];
}

async function page(atrium: TestAtrium): Promise<Page> {
  const headers = { authorization: `Bearer ${atrium.token}` };
  const answer = await fetch(new URL("/api/signals?type=x.*", atrium.url), { headers });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Page;
}

test("[SIG-4] a signal that goes too deep is rejected by itself, at every door, and those beside it are taken", async () => {
  await using atrium = await openTestAtrium();
  const alone = await post(atrium, deepSignal());
  assert.deepEqual([alone.status, alone.body.accepted], [400, 0]);
  assert.match(alone.body.rejected[0].reason, SAYS);
  const beside = await post(atrium, `[${good()},${deepSignal()},${good()}]`);
  assert.deepEqual([beside.status, beside.body.accepted], [202, 2]);
  assert.deepEqual([beside.body.rejected.length, beside.body.rejected[0].index], [1, 1]);
  assert.match(beside.body.rejected[0].reason, SAYS);
  const lines = await post(atrium, `${deepSignal()}\n${good()}`, {
    "content-type": "application/x-ndjson",
  });
  assert.deepEqual([lines.body.accepted, lines.body.rejected[0].index], [1, 0]);

  await using socket = await openSignals(atrium);
  for (const [id, signal] of [
    ["both", `[${good()},${deepSignal()}]`],
    ["alone", deepSignal()],
  ] as const) {
    const answer = socket.peer.next((frame) => frame.id === id);
    socket.peer.sendText(`{"type":"emit","id":"${id}","signal":${signal}}`);
    const { type, accepted, rejected = [] } = (await answer) as SignalFrame;
    assert.deepEqual([type, accepted, rejected.length], ["emitted", id === "both" ? 1 : 0, 1]);
    assert.match(rejected[0]?.reason ?? "", SAYS);
  }
  const subscribing = socket.peer.next((frame) => frame.id === "deep");
  socket.peer.sendText(`{"type":"subscribe","id":"deep","filter":${DEEP}}`);
  assert.match(((await subscribing) as SignalFrame).message ?? "", SAYS);
  const { signals } = await page(atrium);
  assert.deepEqual(
    signals.map(({ signal }) => signal.type),
    Array.from({ length: 4 }, () => "x.good"),
  );
  assert.deepEqual(atrium.faults, []);
});

test("[SIG-4] what a log holds from before there was a limit is told without its depths, and the rest with it", async () => {
  const home = await mkdtemp(join(tmpdir(), "atrium-"));
  await using _home = { [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }) };
  {
    await using log = await openSqliteLog({ file: openHome(home).logFile, durability: "full" });
    const drafts = [deepSignal(), good()].map((text) => {
      const signals: unknown = [JSON.parse(text)];
      return { type: "signals.received", at: 1, data: { signals, passed: [], merged: [] } };
    });
    await log.append("signal/test", "any", drafts);
  }
  await using atrium = await openTestAtrium({ home, args: ["--log", "sqlite"] });
  const { signals } = await page(atrium);
  assert.deepEqual(
    signals.map(({ signal }) => signal.type),
    ["x.deep", "x.good"],
  );
  assert.match(JSON.stringify(signals[0]?.signal.payload), SAYS);
  assert.deepEqual(atrium.faults, []);
});

test("[GW-29] a frame that goes too deep is answered by its id, at the gateway and in the world, and the connection goes on", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const answer = peer.next((frame) => frame.type === "res" && frame.id === "deep");
  peer.sendText(`{"type":"req","id":"deep","method":"system.echo","params":${DEEP}}`);
  assert.match((await answer).error?.message ?? "", SAYS);
  assert.equal((await peer.ask("health")).ok, true);

  await using world = await enterWorld(atrium);
  const error = world.nextOf("error");
  world.sendText(`{"type":"command","id":"cmd_deep","ts":1,"v":1,"payload":${DEEP}}`);
  assert.match(JSON.stringify((await error).payload), SAYS);
  await world.ask("submit_request", { text: "A page" });

  const { session } = openTestSession(atrium.bridge);
  await using plugin = await plugIn(session);
  plugin.sendText(`{"type":"ping","ts":${DEEP}}`);
  await plugin.settled();
  assert.equal(atrium.faults.at(-1)?.context["problem"], "nested deeper than 100 levels");
});

test("[GW-29] a body that goes too deep is 400, whoever reads it", async () => {
  await using atrium = await openTestAtrium();
  const headers = { authorization: `Bearer ${atrium.token}`, "content-type": "application/json" };
  for (const [path, body] of [
    ["/api/builds", `{"prompt":${DEEP}}`],
    ["/v1/chat/completions", `{"model":"openclaw","messages":${DEEP}}`],
    ["/tools/invoke", `{"tool":"x","args":${DEEP}}`],
  ] as const) {
    const answer = await fetch(new URL(path, atrium.url), { method: "POST", headers, body });
    assert.equal(answer.status, 400, path);
    assert.match(await answer.text(), SAYS, path);
  }
});
