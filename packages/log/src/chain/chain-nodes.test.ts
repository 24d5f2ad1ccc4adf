/** What holds between the nodes of one log, beyond what every log promises. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { drafts, insist, isFault, readAll, types, write } from "../contract/log-steps.ts";
import type { Draft } from "../log.ts";
import type { ClusterLog } from "./cluster-log.ts";
import { encodeFrame } from "./state/frame.ts";
import { ChainNodes, until } from "./testing/chain-nodes.ts";

const outcome = (answer: { ok: boolean; reason?: string }): string =>
  answer.ok ? "written" : (answer.reason ?? "");

test("[CHAIN-2] a node that is behind catches up before it refuses", async () => {
  await using nodes = new ChainNodes();
  const [a, b] = [await nodes.open("a"), await nodes.open("b")];
  b.chain.isDeaf = true;
  const lease = await write(a.log, "lease", drafts("granted"));
  const desk = await write(a.log, "desk", drafts("a"));
  const guard = { stream: "lease", version: lease.position.seq };
  const key = { id: "k", digest: "d" };
  await a.log.append("keyed", 0, drafts("once"), { key });
  const answers = await Promise.all([
    b.log.append("desk", desk.position.seq, drafts("b")),
    b.log.append("wall", 0, drafts("c"), { guard }),
    b.log.append("keyed", 7, drafts("once"), { key }),
  ]);
  assert.deepEqual(answers.map(outcome), ["written", "written", "written"]);
  assert.ok(answers[2].ok && answers[2].repeated);
  const early = await b.log.append("desk", 1000, drafts("early"));
  assert.deepEqual(outcome(early), "conflict");
});

test("[CHAIN-2] a key that another node has settled is not refused by a node that is behind", async () => {
  await using nodes = new ChainNodes();
  const [a, b] = [await nodes.open("a"), await nodes.open("b")];
  await write(b.log, "desk", drafts("first"));
  await until(() => a.log.head === 1);
  b.chain.isDeaf = true;
  const key = { id: "k", digest: "d" };
  const once = await a.log.append("desk", 1, drafts("once"), { key });
  const again = await b.log.append("desk", 0, drafts("once"), { key });
  assert.deepEqual(again, { ...once, repeated: true });
});

test("[CHAIN-2] [LOG-29] a node that is behind erases under a grant it has not heard of, and nothing under one that is over", async () => {
  await using nodes = new ChainNodes();
  const [a, b] = [await nodes.open("a"), await nodes.open("b")];
  await write(a.log, "desk", drafts("secret"));
  const former = await write(a.log, "lease", drafts("granted"));
  await until(() => b.log.head === a.log.head);
  b.chain.isDeaf = true;
  const present = await write(a.log, "lease", drafts("granted"));
  const rewrites = [{ seq: 1, data: null }];
  const guardOf = ({ position }: typeof former) => ({ stream: "lease", version: position.seq });
  // It believes that the former grant holds: only the chain can tell.
  const fenced = await b.log.erase(rewrites, { guard: guardOf(former) });
  assert.deepEqual(fenced, { ok: false, reason: "fenced", head: present.position.seq });
  const last = await nodes.chain.last();
  const next = await write(a.log, "lease", drafts("granted"));
  assert.equal(await nodes.chain.last(), last + 1);
  assert.deepEqual((await readAll(a.log))[0]?.data, { name: "secret" });
  assert.deepEqual(await b.log.erase(rewrites, { guard: guardOf(next) }), { ok: true });
  assert.equal((await readAll(b.log))[0]?.data, null);
});

test("[CHAIN-3] publishes whose answers get lost are looked up, and nothing is written twice", async () => {
  await using nodes = new ChainNodes();
  const { log, chain } = await nodes.open("a");
  chain.isDeaf = true;
  chain.lostAnswers = 5;
  for (let n = 0; n < 8; n++) await write(log, "desk", drafts(`n${n}`));
  assert.deepEqual(
    types(await readAll(log)),
    Array.from({ length: 8 }, (_, n) => `n${n}`),
  );
  assert.equal(log.status().counts.unknown, 5);
});

test("[CHAIN-4] appends go through the node that wrote last", async () => {
  await using nodes = new ChainNodes();
  const [a, b] = [await nodes.open("a"), await nodes.open("b")];
  await write(a.log, "desk", drafts("a"));
  await until(() => b.log.status().pen === "a");
  const { publishes } = b.chain;
  await Promise.all([write(b.log, "desk", drafts("b")), write(b.log, "wall", drafts("c"))]);
  const refused = await b.log.append("desk", 1, drafts("late"));
  assert.deepEqual(refused, { ok: false, reason: "conflict", head: 2 });
  assert.equal(b.chain.publishes, publishes);
  assert.deepEqual([a.log.status().pen, b.log.status().pen], ["a", "a"]);
  assert.ok(b.log.status().counts.forwarded > 0);
  assert.deepEqual(await readAll(b.log), await readAll(a.log));
});

test("[CHAIN-4] whoever waits for a node with the pen that is cut off writes by itself", async () => {
  await using nodes = new ChainNodes();
  const [a, b] = [await nodes.open("a"), await nodes.open("b")];
  await write(a.log, "desk", drafts("a"));
  await until(() => b.log.status().pen === "a");
  a.chain.isCut = true;
  const start = performance.now();
  await write(b.log, "desk", drafts("b"));
  assert.ok(performance.now() - start < 4000);
  assert.equal(b.log.status().pen, "b");
  a.chain.isCut = false;
  await until(() => a.log.head === 2 && a.log.status().pen === "b");
  await write(a.log, "desk", drafts("c"));
  assert.deepEqual(types(await readAll(b.log)), ["a", "b", "c"]);
  assert.deepEqual(await readAll(a.log), await readAll(b.log));
});

test("[CHAIN-4] a node that is gone is not waited for", async () => {
  await using nodes = new ChainNodes();
  const [a, b] = [await nodes.open("a"), await nodes.open("b")];
  await write(a.log, "desk", drafts("a"));
  await until(() => b.log.status().pen === "a");
  await a.log.close();
  const start = performance.now();
  await write(b.log, "desk", drafts("b"));
  assert.ok(performance.now() - start < 2000);
});

test("[CHAIN-5] writers of every node get through on one stream about equally often", async (t) => {
  await using nodes = new ChainNodes();
  const logs = [
    (await nodes.open("a")).log,
    (await nodes.open("b")).log,
    (await nodes.open("c")).log,
  ];
  const end = performance.now() + 2500;
  const counts = await Promise.all(
    logs.map(async (log, node) => {
      const conflicts = { count: 0 };
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        let written = 0;
        while (performance.now() < end) {
          await insist(log, "hot", `${node}.${writer}.${written}`, conflicts);
          written++;
        }
        return written;
      });
      return (await Promise.all(writers)).reduce((sum, written) => sum + written, 0);
    }),
  );
  t.diagnostic(`${counts.join(", ")} entries by node`);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  assert.ok(least * 2 > most, `${counts.join(", ")} entries by node`);
});

test("[CHAIN-6] a message that the chain lost or damaged comes from another node's copy", async () => {
  await using nodes = new ChainNodes();
  const a = await nodes.open("a");
  for (let n = 0; n < 20; n++) await write(a.log, "desk", drafts(`n${n}`));
  const open = async (id: string, damage: (bytes: Uint8Array) => Uint8Array | undefined) => {
    const bytes = await nodes.chain.read(7);
    assert.ok(bytes !== undefined);
    const chain = Object.assign(Object.create(nodes.chain) as typeof nodes.chain, {
      read: (n: number) => (n === 7 ? Promise.resolve(damage(bytes)) : nodes.chain.read(n)),
      last: () => nodes.chain.last(),
      publish: nodes.chain.publish.bind(nodes.chain),
      async *watch(after: number, signal: AbortSignal) {
        for await (const link of nodes.chain.watch(after, signal)) {
          const seen = link.n === 7 ? damage(link.bytes) : link.bytes;
          if (seen !== undefined) yield { n: link.n, bytes: seen };
        }
      },
    });
    return nodes.open(id, { chain });
  };
  const b = await open("b", () => undefined);
  const c = await open("c", (bytes) => Uint8Array.from(bytes).fill(0x41, 50, 51));
  const all = await readAll(a.log);
  for (const { log } of [b, c]) {
    assert.deepEqual(await readAll(log), all);
    assert.equal(log.status().counts.repaired, 1);
  }
});

test("[CHAIN-6] what nobody has is named, nothing behind it is read, and it is found in the end", async () => {
  await using nodes = new ChainNodes();
  const a = await nodes.open("a");
  const b = await nodes.open("b");
  await write(a.log, "desk", drafts("a"));
  await until(() => b.log.head === 1);
  // It reaches the node that wrote it, and nobody else.
  b.chain.damages.set(3, undefined);
  b.chain.isCut = true;
  await write(a.log, "desk", drafts("lost"));
  await write(a.log, "desk", drafts("behind"));
  await a.log.close();
  b.chain.isCut = false;
  await until(() => b.log.trouble?.includes("message 3") === true);
  assert.deepEqual(types(await readAll(b.log)), ["a"]);
  assert.deepEqual(outcome(await b.log.append("desk", "any", drafts("x"))), "unavailable");
  await using again = (await nodes.open("a")).log;
  await until(() => b.log.head === 3);
  assert.equal(b.log.trouble, undefined);
  assert.deepEqual(await readAll(b.log), await readAll(again));
});

test("[CHAIN-7] a watch that brings nothing any more is replaced, also at a node that only reads", async () => {
  await using nodes = new ChainNodes();
  const [a, b] = [await nodes.open("a"), await nodes.open("b")];
  b.chain.isDeaf = true;
  await write(a.log, "desk", drafts("a"));
  await until(() => b.log.head === 1 && b.log.status().counts.watchRestarts > 0);
  b.chain.isDeaf = false;
  await write(a.log, "desk", drafts("b"));
  await until(() => b.log.head === 2);
  const { watchRestarts, fetched } = b.log.status().counts;
  await until(() => b.log.status().counts.watchRestarts === watchRestarts);
  for (let n = 0; n < 10; n++) await write(a.log, "desk", drafts(`n${n}`));
  await until(() => b.log.head === 12);
  assert.equal(b.log.status().counts.fetched, fetched);
});

test("[CHAIN-8] a chain that lost what a node has applied is not followed", async () => {
  await using nodes = new ChainNodes();
  const { log, chain } = await nodes.open("a");
  await write(log, "desk", drafts("a", "b"));
  await write(log, "desk", drafts("c"));
  chain.length = 2;
  await until(() => log.trouble?.includes("lost acknowledged entries") === true);
  assert.deepEqual(outcome(await log.append("desk", "any", drafts("d"))), "unavailable");
  assert.deepEqual(types(await readAll(log)), ["a", "b", "c"]);
  await log.close();
  await assert.rejects(nodes.open("a", { chain }), isFault("corrupt"));
});

test("[CHAIN-8] a node with another history than the chain stops and says so", async () => {
  await using nodes = new ChainNodes();
  await using other = new ChainNodes();
  const a = await nodes.open("a");
  const genesis = await nodes.chain.read(1);
  assert.ok(genesis !== undefined);
  await other.chain.publish(0, genesis);
  await write(a.log, "desk", drafts("here"));
  await a.log.close();
  const b = await other.open("b");
  await write(b.log, "desk", drafts("there"));
  await write(b.log, "desk", drafts("and on"));
  await assert.rejects(nodes.open("a", { chain: other.chain }), isFault("corrupt"));
  const again = await nodes.open("a");
  again.chain.damages.set(3, await other.chain.read(3));
  const next = again.log.append("desk", "any", drafts("x"));
  await assert.rejects(next, isFault("corrupt"));
  assert.match(again.log.trouble ?? "", /another history/);
  assert.deepEqual(types(await readAll(again.log)), ["here"]);
});

test("[CHAIN-8] a node that went astray hears it from the next heartbeat, and nobody stops for a wrong one", async () => {
  await using nodes = new ChainNodes();
  await using other = new ChainNodes();
  const a = await nodes.open("a");
  await write(a.log, "desk", drafts("both"));
  const b = await nodes.open("b");
  for (const n of [1, 2]) await other.chain.publish(n - 1, (await nodes.chain.read(n))!);
  const c = await other.open("c", { node: { id: "c", life: "of another history" } });
  await write(c.log, "desk", drafts("there"));
  b.chain.damages.set(3, await other.chain.read(3));
  await write(a.log, "desk", drafts("here"));
  await until(() => b.log.head === 2);
  assert.deepEqual(types(await readAll(b.log)), ["both", "there"]);
  // From here on the chain shows it the right one, and nothing comes behind that would not follow on its own.
  b.chain.damages.clear();
  await until(() => b.log.trouble !== undefined);
  assert.match(b.log.trouble ?? "", /message 3 .* another history/);
  assert.deepEqual(outcome(await b.log.append("desk", "any", drafts("x"))), "unavailable");
  assert.deepEqual(types(await readAll(b.log)), ["both", "there"]);

  const d = await nodes.open("d");
  const beat = { author: ["e", "life of e"], applied: 3, hash: "0".repeat(64) };
  const reads = [a, d].map(({ chain }) => chain.reads);
  nodes.bus.publish(
    "log.pen",
    encodeFrame(() => beat),
  );
  await until(() => [a, d].every(({ chain }, index) => chain.reads > (reads[index] ?? 0)));
  await write(d.log, "desk", drafts("d"));
  await write(a.log, "desk", drafts("on"));
  await until(() => a.log.head === d.log.head);
  assert.deepEqual([a.log.trouble, d.log.trouble], [undefined, undefined]);
  assert.deepEqual(types(await readAll(d.log)), ["both", "here", "d", "on"]);
});

test("[CHAIN-9] without an acknowledgement for two seconds the log is unavailable, until there is one", async () => {
  await using nodes = new ChainNodes();
  const { log, chain } = await nodes.open("a");
  await write(log, "desk", drafts("a"));
  chain.isCut = true;
  const inFlight = log.append("desk", "any", drafts("b"));
  await until(() => log.trouble !== undefined);
  const start = performance.now();
  assert.deepEqual(outcome(await log.append("desk", "any", drafts("c"))), "unavailable");
  assert.ok(performance.now() - start < 1000);
  assert.deepEqual(types(await readAll(log)), ["a"]);
  chain.isCut = false;
  assert.equal((await inFlight).ok, true);
  assert.equal(log.trouble, undefined);
  await write(log, "desk", drafts("d"));
  assert.deepEqual(types(await readAll(log)), ["a", "b", "d"]);
  assert.equal(log.status().counts.unavailable, 1);
});

test("[CHAIN-9] what the chain says of its own trouble is the log's, and closing does not wait for ever", async () => {
  await using nodes = new ChainNodes();
  const { log, chain } = await nodes.open("a");
  chain.trouble = "not connected";
  assert.equal(log.trouble, "not connected");
  assert.deepEqual(outcome(await log.append("desk", "any", drafts("a"))), "unavailable");
  chain.trouble = undefined;
  chain.isCut = true;
  const inFlight = assert.rejects(log.append("desk", "any", drafts("b")), isFault("closed"));
  await log.close();
  await inFlight;
});

test("[CHAIN-13] what builds on an append under way is refused when another node comes in between", async () => {
  await using nodes = new ChainNodes();
  const [a, b] = [await nodes.open("a"), await nodes.open("b")];
  await write(a.log, "desk", drafts("begin"));
  const counts = { written: 0, conflict: 0 };
  for (let n = 0; n < 60; n++) {
    const other = write(a.log, "desk", drafts(`other ${n}`));
    const first = b.log.append("desk", "any", drafts(`first ${n}`));
    await new Promise(setImmediate);
    const second = await b.log.append("desk", "after-previous", drafts(`second ${n}`));
    counts[second.ok ? "written" : "conflict"]++;
    await Promise.all([first, other]);
  }
  const all = types(await readAll(b.log));
  for (const [index, type] of all.entries()) {
    if (type.startsWith("second")) assert.equal(all[index - 1], type.replace("second", "first"));
  }
  assert.ok(counts.written > 0, JSON.stringify(counts));
});

test("[CHAIN-14] a key grows old at the same entry on every node, whatever came in one message", async () => {
  await using nodes = new ChainNodes();
  const at = (time: number): Draft[] => [{ type: "t", at: time, data: {} }];
  const keyed = (log: ClusterLog, id: string, time: number) =>
    log.append("desk", "any", at(time), { key: { id, digest: "d" } });
  const a = await nodes.open("a", { keyRetentionMs: 1000 });
  const b = await nodes.open("b");
  await a.log.append("desk", "any", [], { key: { id: "idle", digest: "d" } });
  const answers = await Promise.all([
    keyed(a.log, "first", 5000),
    keyed(a.log, "edge", 6000),
    keyed(a.log, "first", 6000),
    keyed(a.log, "past", 6001),
    keyed(a.log, "first", 6001),
  ]);
  assert.deepEqual(
    answers.map((answer) => answer.ok && answer.repeated),
    [false, false, true, false, false],
  );
  await until(() => b.log.head === a.log.head);
  for (const { log } of [a, b]) {
    assert.ok(await log.findKey("edge"));
    assert.ok(await log.findKey("idle"));
  }
  await keyed(b.log, "later", 7001);
  await until(() => a.log.head === b.log.head);
  for (const { log } of [a, b]) {
    assert.equal(await log.findKey("edge"), undefined);
    assert.ok(await log.findKey("first"));
    assert.ok(await log.findKey("idle"));
  }
  await write(b.log, "desk", at(7002));
  await until(() => a.log.head === b.log.head);
  for (const { log } of [a, b]) {
    assert.equal(await log.findKey("first"), undefined);
    assert.equal(await log.findKey("idle"), undefined);
  }
});

test("[LOG-7] what the chain does not take is malformed, and the rest is written", async () => {
  await using nodes = new ChainNodes();
  const { log, chain } = await nodes.open("a");
  const many = Array.from({ length: 8000 }, (_, n) => ({
    type: `t\u0001${n}`,
    at: n / 3,
    data: n,
  }));
  const large = [{ type: "t", at: 1, data: "ü".repeat(2_100_000) }];
  chain.limit = 1024 * 1024;
  await Promise.all(Array.from({ length: 12 }, (_, n) => write(log, `s${n}`, many)));
  chain.limit = chain.maxBytes;
  await write(log, "desk", large);
  const maxBytes = log.status().maxBytes;
  assert.ok(maxBytes > 4_200_000 && maxBytes < chain.maxBytes);
  const both = await log.append("desk", "any", [...large, ...large]);
  assert.deepEqual(both, { ok: false, reason: "oversize", maxBytes });
  await assert.rejects(log.erase([{ seq: 1, data: "x".repeat(9_000_000) }]), isFault("malformed"));
  // The servers take less than they said.
  chain.limit = 100_000;
  await assert.rejects(write(log, "desk", large), isFault("malformed"));
  await assert.rejects(log.erase([{ seq: 1, data: "x".repeat(200_000) }]), isFault("malformed"));
  await write(log, "desk", drafts("goes on"));
  assert.equal(log.trouble, undefined);
  assert.equal(log.head, 12 * many.length + 2);
});

test("[LOG-23] a copy that cannot be written stops the log, and what was answered stays", async () => {
  await using nodes = new ChainNodes();
  const { log, copyFile } = await nodes.open("a");
  await write(log, "desk", drafts("kept"));
  using intruder = new DatabaseSync(copyFile);
  intruder.exec("insert into entries values (2, 'desk', 'intruder', 0, 'null')");
  const isOurs = (error: unknown): boolean =>
    isFault("failed")(error) && String(error).includes(copyFile);
  await assert.rejects(write(log, "desk", drafts("lost here")), isOurs);
  assert.ok(isOurs(await log.stopped));
  assert.deepEqual(types(await readAll(log)), ["kept"]);
  await log.close();
  intruder.exec("delete from entries where seq = 2");
  const again = await nodes.open("a");
  assert.deepEqual(types(await readAll(again.log)), ["kept", "lost here"]);
});
