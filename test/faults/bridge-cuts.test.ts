/** The bridge over a connection that keeps breaking, anywhere, also in the middle of a frame. */
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { openPlugin, type PluginDeps } from "@atrium/plugin/plugin";
import { openTestAtrium } from "../kit/atrium.ts";
import { openTestSession, type BridgeSession } from "../kit/bridge.ts";
import { ChannelHost } from "../kit/channel-host.ts";
import { openCutProxy } from "../kit/cut-proxy.ts";
import { chooseSeed, createRandom } from "../kit/random.ts";

const MESSAGES = 2_000;
const CUTS = 200;
const BACKOFF_MS: ReadonlySet<number> = new Set(
  [1, 2, 4, 8, 16, 30].map((seconds) => seconds * 1000),
);

/** The plugin in this process, impatient about coming back and otherwise as it is. */
async function plugInThrough(session: BridgeSession, port: number) {
  const { env } = session;
  const input = new PassThrough();
  const output = new PassThrough();
  const host = new ChannelHost(input, output);
  const timers: PluginDeps["timers"] = {
    after(ms, run) {
      const timer = setTimeout(run, BACKOFF_MS.has(ms) ? 1 : ms);
      return () => clearTimeout(timer);
    },
  };
  const plugin = await openPlugin({
    settings: {
      url: `ws://127.0.0.1:${port}/bridge`,
      token: String(env["SYNTHESIS_BRIDGE_TOKEN"]),
      openclawSession: String(env["SYNTHESIS_OPENCLAW_SESSION"]),
      claudeSession: String(env["SYNTHESIS_CLAUDE_SESSION"]),
    },
    version: "0.0.0-test",
    pid: process.pid,
    input,
    output,
    openSocket: (url) => new WebSocket(url),
    timers,
    log: () => undefined,
  });
  await host.begin();
  const close = (): Promise<void> => plugin.close();
  return { host, close, [Symbol.asyncDispose]: close };
}

const textOf = (n: number): string => `text of m${n}`;
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, n) => from + n);

test(`[BRIDGE-7] [PLUGIN-2] ${CUTS} cuts during ${MESSAGES} messages: order kept, nothing lost, nothing twice`, async (t) => {
  const seed = chooseSeed();
  t.diagnostic(`SEED=${seed}`);
  const random = createRandom(seed);
  await using atrium = await openTestAtrium();
  const { session, heard, say } = openTestSession(atrium.bridge);
  let connections = 0;
  await using proxy = await openCutProxy(atrium.port, () =>
    ++connections > CUTS ? Number.MAX_SAFE_INTEGER : 300 + Math.floor(random() * 4_700),
  );
  await using plugin = await plugInThrough(session, proxy.port);
  const { host } = plugin;
  let sent = 0;
  while (sent < MESSAGES) {
    const burst = Math.min(MESSAGES - sent, 1 + Math.floor(random() * 30));
    for (let n = 0; n < burst; n++) say(`m${sent++}`);
    // Never more on the way than a plugin that is away is kept.
    const due = sent - Math.floor(random() * 40);
    await host.until(() => host.messages.length >= due);
    if (random() < 0.1) await setImmediate();
  }
  await host.until(() => host.messages.length >= MESSAGES);
  session.close("done");
  assert.deepEqual(
    host.messages.map(({ content }) => content),
    range(0, MESSAGES).map(textOf),
    `SEED=${seed}`,
  );
  assert.equal(proxy.cuts, CUTS);
  assert.deepEqual(
    heard.dropped.filter(({ mayHaveArrived }) => !mayHaveArrived),
    [],
  );
  assert.deepEqual(
    heard.dropped.filter(({ reason }) => reason === "overflow"),
    [],
  );
});

test("[BRIDGE-8] [BRIDGE-7] above the limit exactly the oldest are gone, every one of them reported", async (t) => {
  const seed = chooseSeed();
  t.diagnostic(`SEED=${seed}`);
  const random = createRandom(seed);
  await using atrium = await openTestAtrium();
  const { session, heard, say } = openTestSession(atrium.bridge);
  let sent = 0;
  for (let round = 0; round < 10; round++) {
    // Nobody is there: the newest 100 are kept.
    const away = 50 + Math.floor(random() * 300);
    const first = sent;
    for (let n = 0; n < away; n++) say(`m${sent++}`);
    const lost = Math.max(0, away - 100);
    assert.deepEqual(
      heard.dropped.splice(0),
      range(first, first + lost).map((n) => ({
        id: `m${n}`,
        reason: "overflow",
        mayHaveArrived: false,
      })),
      `SEED=${seed}`,
    );
    await using plugin = await plugInThrough(session, atrium.port);
    const { host } = plugin;
    const due = range(first + lost, sent).map(textOf);
    await host.until(() => host.messages.length >= due.length);
    assert.deepEqual(
      host.messages.map(({ content }) => content),
      due,
      `SEED=${seed}`,
    );
    // The pong to the ping behind the last message leaves before this call does, and proves them all.
    await host.callTool("echo");
    await plugin.close();
    while (session.isConnected) await setImmediate();
  }
});
