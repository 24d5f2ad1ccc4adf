import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { NATS_USERS } from "../../../../test/kit/nats/nats-config.ts";
import { startNats, type NatsServers } from "../../../../test/kit/nats/nats-servers.ts";
import type { ClusterLog } from "../chain/cluster-log.ts";
import { drafts, isFault, types, write } from "../contract/log-steps.ts";
import { describeLog } from "../log.contract.ts";
import { openNatsLog } from "./index.ts";
import { openNode } from "./testing/open-node.ts";

const skip = skipWithout("nats-server");
const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-nats-log-"));
after(() => folder.remove());
let streams = 0;

describe("with one server", { skip, timeout: 200_000 }, () => {
  let nats: NatsServers;
  before(async () => void (nats = await startNats()));
  after(() => nats[Symbol.asyncDispose]());

  describeLog("NATS, one server", () =>
    openNode(nats, { folder: folder.path, stream: `one-${++streams}` }),
  );
});

describe("with another node that has the pen", { skip, timeout: 200_000 }, () => {
  let nats: NatsServers;
  const others: ClusterLog[] = [];
  const open = async (): Promise<ClusterLog> => {
    const place = { folder: folder.path, stream: `forwarded-${++streams}` };
    const other = await openNode(nats, { ...place, id: "holder" });
    others.push(other);
    const log = await openNode(nats, { ...place, id: "forwarder" });
    while (log.status().pen !== "holder") await setTimeout(10);
    return log;
  };
  before(async () => void (nats = await startNats()));
  after(async () => {
    await Promise.all(others.map((log) => log.close()));
    await nats[Symbol.asyncDispose]();
  });

  describeLog("NATS, every append forwarded", open);

  test("[LOG-59] what one node wrote is written by the node with the pen, and read on both", async () => {
    await using log = await open();
    const other = others.at(-1);
    assert.ok(other !== undefined);
    await write(log, "desk", drafts("a", "b"));
    const { published, forwarded } = log.status().counts;
    assert.deepEqual([published, forwarded], [0, 1]);
    while (other.head < log.head) await setTimeout(5);
    assert.deepEqual(types(await Array.fromAsync(other.read())), ["a", "b"]);
    assert.equal(other.status().hash, log.status().hash);
  });
});

test(
  "[LOG-54] what servers say of their copies is of the stream in the node's own account",
  { skip, timeout: 60_000 },
  async () => {
    await using nats = await startNats();
    const stream = "same";
    const credentialsFile = join(folder.path, "neighbor.json");
    writeFileSync(credentialsFile, JSON.stringify(NATS_USERS.neighbor));
    await using own = await openNode(nats, { folder: folder.path, stream });
    const beside = { folder: folder.path, stream, id: "n2", credentialsFile };
    await using neighbor = await openNode(nats, beside);
    await write(neighbor, "desk", drafts("a"));
    const messages = async (log: ClusterLog): Promise<number | undefined> =>
      (await log.readServers())[0]?.copy?.messages;
    assert.deepEqual([await messages(own), await messages(neighbor)], [1, 2]);
  },
);

describe("a node whose servers go away", { skip, timeout: 60_000 }, () => {
  test("[LOG-59] it is told so, reads go on, and writing does when they are back", async () => {
    await using nats = await startNats();
    await using log = await openNode(nats, { folder: folder.path, stream: "away" });
    await write(log, "desk", drafts("a"));
    await nats.kill(0);
    while (log.trouble === undefined) await setTimeout(20);
    assert.deepEqual(await log.append("desk", "any", drafts("b")), {
      ok: false,
      reason: "unavailable",
    });
    assert.deepEqual(types(await Array.fromAsync(log.read())), ["a"]);
    await nats.restart(0);
    while (log.trouble !== undefined) await setTimeout(20);
    await write(log, "desk", drafts("c"));
    assert.deepEqual(types(await Array.fromAsync(log.read())), ["a", "c"]);
  });

  test("[LOG-60] its warnings are of its servers as they were when they were last looked at", async () => {
    await using nats = await startNats();
    await using log = await openNode(nats, { folder: folder.path, stream: "looked-at" });
    const warnings = (): readonly string[] =>
      log.status().warnings.filter((text) => /sync_interval|no answer/.test(text));
    assert.deepEqual(warnings(), []);
    await nats.kill(0);
    await log.readServers();
    assert.match(warnings().join(), /^no answer at [^,]*$/);
    nats.configure(0, { isSynced: false });
    await nats.restart(0);
    await log.readServers();
    assert.match(warnings().join(), /^server s1 [^,]*: jetstream \{ sync_interval: always \}/);
  });

  test("[LOG-55] a node that starts without them says which did not answer", async () => {
    const stream = "gone";
    const options = { servers: ["127.0.0.1:1"], stream, monitors: [], isUnsafe: true };
    const node = { id: "n", life: "l" };
    const copyFile = join(folder.path, stream, "chain.db");
    await assert.rejects(
      openNatsLog({ ...options, node, copyFile, startLimitMs: 300 }),
      (error) => isFault("unreadable")(error) && String(error).includes("127.0.0.1:1"),
    );
  });
});
