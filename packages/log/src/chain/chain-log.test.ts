import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { drafts, readAll, write } from "../contract/log-steps.ts";
import { describeLog } from "../log.contract.ts";
import { openChainLog } from "./chain-log.ts";
import type { ClusterLog } from "./cluster-log.ts";
import { createMemoryBus } from "./memory-bus.ts";
import { createMemoryChain } from "./memory-chain.ts";
import { until } from "./testing/chain-nodes.ts";

const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-chain-"));
const writers: Promise<void>[] = [];
let forwarded = 0;
after(async () => {
  await Promise.all(writers);
  assert.ok(forwarded > 100, `${forwarded} ticks`);
  folder.remove();
});
let files = 0;
const nextFile = (): string => join(folder.path, `${++files}`, "chain.db");

describeLog("chain in memory", () =>
  openChainLog({
    chain: createMemoryChain(),
    bus: createMemoryBus(),
    node: { id: "n1", life: "l1" },
    copyFile: nextFile(),
  }),
);

describeLog("chain in memory, every append forwarded", async () => {
  const [chain, bus] = [createMemoryChain(), createMemoryBus()];
  const open = (id: string): Promise<ClusterLog> =>
    openChainLog({ chain, bus, node: { id, life: id }, copyFile: nextFile() });
  const [writer, log] = [await open("writer"), await open("other")];
  await until(() => log.status().pen === "writer");
  writers.push(
    log.stopped.then(() => {
      forwarded += log.status().counts.forwarded;
      return writer.close();
    }),
  );
  return log;
});

test("[CHAIN-1] two nodes have one log, and a copy goes on where it was", async () => {
  const [chain, bus, copyFile] = [createMemoryChain(), createMemoryBus(), nextFile()];
  const open = (id: string, life: string, file = nextFile()): Promise<ClusterLog> =>
    openChainLog({ chain, bus, node: { id, life }, copyFile: file });
  await using first = await open("n1", "l1");
  const second = await open("n2", "l2", copyFile);
  assert.equal(second.epoch, first.epoch);
  const key = { id: "k", digest: "d" };
  await Promise.all([
    ...Array.from({ length: 20 }, (_, n) => write(first, "first", drafts(`a${n}`))),
    ...Array.from({ length: 20 }, (_, n) => write(second, "second", drafts(`b${n}`))),
    second.append("keyed", 0, drafts("c"), { key }),
  ]);
  await second.close();
  await write(first, "first", drafts("meanwhile"));
  await using again = await open("n2", "l3", copyFile);
  await using fresh = await open("n3", "l4");
  const all = await readAll(first);
  assert.equal(all.length, 42);
  assert.deepEqual(await readAll(again), all);
  assert.deepEqual(await readAll(fresh), all);
  for (const log of [first, again, fresh]) {
    assert.deepEqual(await log.append("keyed", "any", drafts("c"), { key }), {
      ok: true,
      repeated: true,
      position: { epoch: first.epoch, seq: (await log.findKey("k"))?.seq },
      entries: await readAll(log, { stream: "keyed" }),
    });
  }
});
