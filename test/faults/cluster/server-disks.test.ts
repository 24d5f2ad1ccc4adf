import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { checkHistory, describeVerdict } from "../../kit/history/check-history.ts";
import { leadStream } from "../../kit/nats/lead-stream.ts";
import { mendServer } from "../../kit/nats/mend-server.ts";
import { LogCluster, openLogCluster, STREAM } from "./log-cluster.ts";
import { SERVER_LIMIT_MS } from "./log-faults.ts";
import { announceSeed, during, prove, ROUNDS } from "./log-proof.ts";
import { DAMAGES, damageServer, fillDisk } from "./server-disks.ts";

const skip = skipWithout("nats-server");
const DISK_BYTES = 64 * 1024 * 1024;

test(
  "[NODE-41] a server with a damaged file harms no node, and has everything again once it is mended",
  { skip },
  async (t) => {
    await using cluster = await openLogCluster(announceSeed(t));
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, damage } of DAMAGES) {
        await during(name, async () => {
          const server = await cluster.findServer(round % 2 === 0 ? "following" : "leading");
          const files = { nats: cluster.nats, stream: STREAM, server };
          await damageServer(files, damage);
          await cluster.acknowledge();
          // Mostly it lacks messages now and does not know it; sometimes it notices, and fetches them.
          const damaged = checkHistory(await cluster.history());
          t.diagnostic(`${name}: ${describeVerdict(damaged)}`);
          for (const { kind, text } of damaged.problems) {
            assert.equal(kind, "copies-differ", text);
            assert.ok(text.startsWith(`server ${server + 1} `), text);
          }
          await mendServer(files);
          await prove(cluster, t);
        });
      }
    }
  },
);

test(
  "[NODE-42] a full disk under the leading server stops that server and not the log",
  { skip },
  async (t) => {
    const seed = announceSeed(t);
    const smallDisk = { server: 0, bytes: DISK_BYTES };
    const opened = await openLogCluster(seed, { smallDisk }).catch((error: unknown) => error);
    if (!(opened instanceof LogCluster)) {
      assert.match(String(opened), /may not mount/);
      assert.notEqual(process.env["CI"], "true", "CI must be able to mount a small disk");
      return t.skip("may not mount a small disk here");
    }
    await using cluster = opened;
    for (let round = 0; round < ROUNDS; round++) await proveFullDisk(cluster, t);
  },
);

async function proveFullDisk(cluster: LogCluster, t: TestContext): Promise<void> {
  const ballast = join(cluster.nats.storeFolder(0), "ballast");
  await leadStream(cluster.nats, STREAM, 0);
  await cluster.disturb("full disk", cluster.nodes, SERVER_LIMIT_MS, async () => {
    fillDisk(ballast);
    while ((await cluster.nats.copies(STREAM))[0] !== undefined) await cluster.acknowledge();
    await cluster.acknowledge();
  });
  rmSync(ballast);
  // It stays off until it is started again.
  await cluster.nats.end(0);
  await cluster.nats.restart(0);
  await prove(cluster, t);
}
