import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import type { Frame } from "../../kit/raw-peer.ts";

const seqs = (frames: readonly Frame[]): number[] =>
  frames.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));

function assertNoGap(frames: readonly Frame[]): void {
  const numbers = seqs(frames);
  const [first = 0] = numbers;
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => first + index),
  );
}

test("[GW-32] seq grows by one on every connection, whenever it came", async () => {
  await using atrium = await openTestAtrium({ limits: { tickIntervalMs: 40 } });
  await using early = await atrium.connect();
  await using bare = await atrium.connect({ scopes: [] });
  for (let i = 0; i < 5; i++) {
    await early.ask("chat.inject", { sessionKey: "main", message: `${i}` });
  }
  await using late = await atrium.connect();
  for (let i = 0; i < 5; i++) {
    await early.ask("chat.inject", { sessionKey: "main", message: `${i}` });
  }
  await Promise.all([early, bare, late].map((peer) => peer.event("tick")));
  for (const { frames } of [early, bare, late]) assertNoGap(frames);
  assert.ok(seqs(early.frames).length > seqs(late.frames).length);
});

test("[GW-33] an event reaches only those who may see it", async () => {
  await using atrium = await openTestAtrium({
    limits: { tickIntervalMs: 40, healthIntervalMs: 40 },
  });
  await using admin = await atrium.connect();
  await using bare = await atrium.connect({ scopes: [] });
  const told = admin.event("chat");
  await admin.ask("chat.inject", { sessionKey: "main", message: "for readers" });
  await told;
  await Promise.all([bare.event("tick"), bare.event("health"), admin.event("presence")]);
  const seen = new Set(bare.frames.flatMap(({ event }) => event ?? []));
  assert.deepEqual([...seen].toSorted(), ["connect.challenge", "health", "tick"]);
});

test("[GW-32] tick comes at the interval that hello announces", async () => {
  const tickIntervalMs = 150;
  await using atrium = await openTestAtrium({ limits: { tickIntervalMs } });
  await using peer = await atrium.connect();
  assert.equal(peer.hello.policy.tickIntervalMs, tickIntervalMs);
  let last = (await peer.event("tick")).payload.ts;
  // A busy machine may be late, never early; sooner or later one comes in time.
  for (let gap = Infinity; gap > tickIntervalMs * 1.3;) {
    const { ts } = (await peer.event("tick")).payload;
    gap = ts - last;
    assert.ok(gap > tickIntervalMs * 0.5, `${gap} ms after the one before`);
    last = ts;
  }
});

test("[GW-32] tick tells the time; health carries its state version, which grows", async () => {
  await using atrium = await openTestAtrium({
    limits: { tickIntervalMs: 40, healthIntervalMs: 40 },
  });
  await using peer = await atrium.connect();
  const { payload } = await peer.event("tick");
  assert.ok(Math.abs(Date.now() - payload.ts) < 60_000);
  const first = await peer.event("health");
  const second = await peer.event("health");
  assert.equal(first.payload.ok, true);
  const before = peer.hello.snapshot.stateVersion.health;
  assert.ok(before < (first.stateVersion?.health ?? 0));
  assert.ok((first.stateVersion?.health ?? 0) < (second.stateVersion?.health ?? 0));
});

test("[GW-32] presence is told when someone comes and goes", async () => {
  await using atrium = await openTestAtrium();
  await using watcher = await atrium.connect();
  await watcher.first(({ event }) => event === "presence");
  const came = watcher.event("presence");
  const visitor = await atrium.connect({
    client: { id: "openclaw-tui", mode: "ui", displayName: "Visitor" },
  });
  const hosts = (frame: Frame): string[] =>
    frame.payload.presence.map(
      (entry: { host: string; mode: string }) => `${entry.mode}:${entry.host}`,
    );
  const arrival = await came;
  assert.ok(hosts(arrival).includes("ui:Visitor"));
  const left = watcher.event("presence");
  visitor.close();
  const departure = await left;
  assert.ok(!hosts(departure).includes("ui:Visitor"));
  assert.ok((arrival.stateVersion?.presence ?? 0) < (departure.stateVersion?.presence ?? 0));
});

test("[GW-32] a command that passes by is not listed", async () => {
  await using atrium = await openTestAtrium();
  await using _command = await atrium.connect({ client: { id: "cli", mode: "cli" } });
  await using watcher = await atrium.connect();
  const modes = (await watcher.ask("system-presence")).map((entry: { mode: string }) => entry.mode);
  assert.deepEqual(modes, ["gateway", "test"]);
});
