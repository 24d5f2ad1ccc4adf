import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost } from "../../testing/test-host.ts";
import type { TurnInbound } from "../../turn/agent-runtime.ts";
import type { InboundToolMessage } from "../../turn/mcp-tool-server.ts";
import type { ProcessEvent } from "../protocol/claude-process.ts";
import { BridgedClaude, type BridgedDeps } from "./bridged.ts";

interface Stage {
  readonly bridged: BridgedClaude;
  readonly delivered: InboundToolMessage[];
  readonly withdrawn: string[];
  readonly heard: ProcessEvent[];
  readonly said: string[];
  pass(ms: number): void;
}

function openStage(options: { readonly isConnected?: boolean } = {}): Stage {
  const { isConnected = true } = options;
  const timers = new Set<{ at: number; run: () => void }>();
  let now = 0;
  const said: string[] = [];
  const deps: BridgedDeps = {
    conversationKey: "agent:main:main",
    cwd: undefined,
    secrets: new Set(),
    ask: () => Promise.resolve("expired"),
    async speak(text) {
      said.push(text);
      return { text: "{}", isError: false };
    },
    settled: () => Promise.resolve(),
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  const bridged = new BridgedClaude(deps);
  const [delivered, withdrawn, heard]: [InboundToolMessage[], string[], ProcessEvent[]] = [
    [],
    [],
    [],
  ];
  const mcpServer = {
    command: [],
    env: {},
    isConnected,
    deliver: (message: InboundToolMessage) => void delivered.push(message),
    withdraw: (id: string) => void withdrawn.push(id),
    close: () => Promise.resolve(),
  };
  bridged.open(mcpServer, undefined);
  bridged.attach(createTestHost());
  bridged.listen((one) => void heard.push(one));
  const pass = (ms: number): void => {
    now += ms;
    for (const timer of timers) {
      if (timer.at > now) continue;
      timers.delete(timer);
      timer.run();
    }
  };
  return { bridged, delivered, withdrawn, heard, said, pass };
}

function messageOf(id: string): TurnInbound {
  const sender = { id: "u1", name: "Ann" };
  return { messageId: id, text: `text of ${id}`, sender, channel: "cli", at: 0, attachments: [] };
}

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const say = ({ bridged }: Stage, ...ids: readonly string[]): void =>
  bridged.say({ text: "", attachments: [], runId: "r1", messages: ids.map(messageOf) });

test("[BRIDGE-14] whoever waits for a program that is away is told so, and who need not is not", async () => {
  const away = openStage({ isConnected: false });
  say(away, "m1");
  away.pass(4_999);
  assert.equal(away.heard.length, 0);
  away.pass(1);
  const told = away.heard.at(0);
  assert.ok(told?.type === "retrying" && /not connected/.test(told.reason), JSON.stringify(told));
  const there = openStage();
  say(there, "m1");
  there.pass(10_000);
  assert.deepEqual(there.heard, []);
});

test("[BRIDGE-8] of very many that are dropped the first are named and the rest counted", async () => {
  const stage = openStage({ isConnected: false });
  const ids = Array.from({ length: 30 }, (_, n) => `m${n}`);
  say(stage, ...ids);
  for (const id of ids.slice(0, 25)) {
    stage.bridged.dropped(id, { reason: "overflow", mayHaveArrived: id === "m0" });
  }
  stage.bridged.dropped("m29", { reason: "closed", mayHaveArrived: false });
  const named = stage.heard.flatMap((one) => (one.type === "text" ? [one.delta] : []));
  assert.equal(named.length, 20);
  assert.match(named[0] ?? "", /dropped: "text of m0".*may have arrived/);
  await stage.bridged.callTool("reply", { text: "hello" });
  assert.deepEqual(stage.heard.slice(-2), [
    { type: "text", delta: "(5 more messages were dropped.)\n\nhello" },
    { type: "ended", ending: { how: "completed", stopReason: "stop" } },
  ]);
});

test("[BRIDGE-15] what is stopped is taken back, and an answer to it does not answer what follows", async () => {
  const stage = openStage();
  say(stage, "m1");
  await settle();
  stage.bridged.interrupt();
  assert.deepEqual(stage.withdrawn, ["m1"]);
  say(stage, "m2");
  await settle();
  assert.deepEqual(
    stage.delivered.map(({ id }) => id),
    ["m1", "m2"],
  );
  const stale = await stage.bridged.callTool("reply", { text: "to the first", reply_to: "m1" });
  assert.deepEqual([stale.isError, stage.said], [true, []]);
  await stage.bridged.callTool("reply", { text: "to the second", reply_to: "m2" });
  const answer = stage.heard.findLast((one) => one.type === "text");
  assert.deepEqual(answer, { type: "text", delta: "to the second" });
});

test("[BRIDGE-15] replies that nobody waits for are said at a rate", async () => {
  const stage = openStage();
  const reply = async (): Promise<boolean> =>
    (await stage.bridged.callTool("reply", { text: "x" })).isError;
  for (let n = 0; n < 20; n++) assert.equal(await reply(), false);
  assert.equal(await reply(), true);
  stage.pass(2_999);
  assert.equal(await reply(), true);
  stage.pass(1);
  assert.equal(await reply(), false);
  assert.equal(await reply(), true);
  stage.pass(3_600_000);
  for (let n = 0; n < 20; n++) assert.equal(await reply(), false);
  assert.equal(await reply(), true);
});

test("[BRIDGE-15] a reply without words, or for another conversation, is refused with the reason", async () => {
  const stage = openStage();
  say(stage, "m1");
  for (const [input, why] of [
    [{}, /needs a text/],
    [null, /needs a text/],
    [{ text: " \n" }, /needs a text/],
    [{ text: "x".repeat(100_001) }, /too long/],
    [{ text: "x", more: "yes" }, /true or false/],
    [{ text: "x", reply_to: 7 }, /message_id/],
    [{ text: "x", chat_id: "agent:main:other" }, /serves only agent:main:main/],
  ] as const) {
    const { text, isError } = await stage.bridged.callTool("reply", input);
    assert.ok(isError && why.test(text), text);
  }
  assert.deepEqual([stage.heard, stage.said], [[], []]);
  await stage.bridged.callTool("reply", { text: "x", chat_id: "agent:main:main", mood: "good" });
  assert.equal(stage.heard.at(-1)?.type, "ended");
});
