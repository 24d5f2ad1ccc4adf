import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithout } from "../../../../scripts/system-programs.ts";
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
