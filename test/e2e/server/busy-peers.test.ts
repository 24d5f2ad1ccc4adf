import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import type { Frame } from "../../kit/raw-peer.ts";
import type { RawPeer } from "../../kit/raw-peer.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

const rawSocket = (peer: RawPeer): Socket =>
  (peer.socket as unknown as { _socket: Socket })._socket;

test("[LISTEN-3] a flood is answered in order, and others are served in between", async () => {
  await using atrium = await openTestAtrium();
  await using flooder = await atrium.connect();
  await using other = await atrium.connect();
  const FLOOD = 20_000;
  const done = flooder.first((frame) => frame.id === `f${FLOOD - 1}`);
  flooder.sendTogether(
    Array.from({ length: FLOOD }, (_, n) => ({
      type: "req",
      id: `f${n}`,
      method: "system.echo",
      params: { text: "x" },
    })),
  );
  let served = 0;
  let answered = 0;
  while (!flooder.frames.some((frame) => frame.id === `f${FLOOD - 1}`)) {
    await other.ask("health");
    served++;
    answered = flooder.frames.length;
    if (served > 5_000) break;
  }
  await done;
  const ids = flooder.frames.flatMap(({ id }) =>
    id?.startsWith("f") === true ? [Number(id.slice(1))] : [],
  );
  assert.deepEqual(
    ids,
    Array.from({ length: FLOOD }, (_, n) => n),
  );
  // How many depends on the machine; one answer per many hundreds of the flood's would mean waiting in its line.
  assert.ok(served >= 10, `${served} answers while ${answered} of the flood were given`);
});

test("[LISTEN-3] answers that take time are given to everyone, however many wait", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const MANY = 2_000;
  const last = peer.first((frame) => frame.id === `m${MANY - 1}`);
  peer.sendTogether(
    Array.from({ length: MANY }, (_, n) => ({
      type: "req",
      id: `m${n}`,
      method: "chat.inject",
      params: { sessionKey: "main", message: `${n}` },
    })),
  );
  await last;
  const history = await peer.ask("chat.history", { sessionKey: "main", limit: 1000 });
  assert.equal(history.totalMessages, MANY);
  const texts = history.messages.map((message: { content: { text: string }[] }) =>
    Number(message.content[0]?.text),
  );
  assert.deepEqual(
    texts,
    Array.from({ length: 1000 }, (_, n) => MANY - 1000 + n),
  );
});

test("[LISTEN-3] a peer that stops reading is told 1008 and the others do not notice", async () => {
  await using atrium = await openTestAtrium({
    limits: { maxBufferedBytes: 2_000_000, closeGraceMs: 20_000 },
  });
  await using writer = await atrium.connect();
  await using healthy = await atrium.connect();
  await using stopped = await atrium.connect();
  rawSocket(stopped).pause();
  const message = "x".repeat(200_000);
  let sent = 0;
  while ((await writer.ask("status")).connections === 3) {
    await writer.ask("chat.inject", { sessionKey: "main", message });
    sent++;
    if (sent === 200) break;
    // Only once it reads again can it learn why it was closed; until then the server waits for its answer.
    if (sent === 100) rawSocket(stopped).resume();
  }
  assert.deepEqual(await stopped.closed, { code: 1008, reason: "slow consumer" });
  const history = await healthy.ask("chat.history", { sessionKey: "main", limit: 1 });
  assert.equal(history.totalMessages, sent);
  assert.equal(healthy.frames.filter(({ event }) => event === "chat").length, sent);
});

test("[LISTEN-3] a peer that asks and never reads costs no more than its limit", async () => {
  await withHome(async (home) => {
    const config = join(home, "settings.json");
    await writeFile(
      config,
      JSON.stringify({ limits: { maxBufferedBytes: 4_000_000, closeGraceMs: 500 } }),
    );
    await using server = await startServer(home, { args: ["--config", config] });
    await using other = await server.connect();
    await using peer = await server.connect();
    const memory = async (): Promise<number> => {
      const { processMemory } = await other.ask("status");
      return processMemory.heapUsedBytes + processMemory.externalBytes;
    };
    const before = await memory();
    let most = 0;
    rawSocket(peer).pause();
    // 400 MB of answers, were they all made and kept.
    const text = "x".repeat(100_000);
    for (let sent = 0; sent < 4_000 && (await other.ask("status")).connections > 1; sent++) {
      peer.send({ type: "req", id: `${sent}`, method: "system.echo", params: { text } });
      most = Math.max(most, (await memory()) - before);
    }
    assert.equal((await other.ask("status")).connections, 1);
    // The limit, and what the garbage collector has yet to take away.
    assert.ok(most < 100_000_000, `${most} bytes for a peer that may cost 4,000,000`);
    rawSocket(peer).resume();
    await peer.closed;
  });
});

test("[GW-24] a peer that missed words gets the whole answer so far once it reads again", async () => {
  await using atrium = await openTestAtrium({ limits: { maxBufferedBytes: 100_000_000 } });
  await using writer = await atrium.connect();
  await using slow = await atrium.connect();
  rawSocket(slow).pause();
  // More than the kernel takes on the peer's behalf.
  const message = "x".repeat(500_000);
  for (let n = 0; n < 40; n++) await writer.ask("chat.inject", { sessionKey: "main", message });
  const words = "these are the words that were said";
  await writer.ask("chat.send", {
    sessionKey: "notes",
    message: `[[say: ${words}]] [[hang]]`,
    idempotencyKey: "r1",
  });
  const isWhole = ({ event, payload }: Frame): boolean =>
    event === "chat" && payload.state === "delta" && payload.message.content[0].text === words;
  await writer.first(isWhole);
  rawSocket(slow).resume();
  const told = await slow.first(isWhole);
  assert.deepEqual([told.payload.replace, told.payload.deltaText], [true, words]);
  await writer.ask("chat.abort", { sessionKey: "notes" });
  await slow.first(({ event, payload }) => event === "chat" && payload.state === "aborted");
  const deltas = slow.frames.filter((frame) => frame.payload?.state === "delta");
  assert.equal(deltas.length, 1);
  const numbers = slow.frames.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => (numbers[0] ?? 0) + index),
  );
});
