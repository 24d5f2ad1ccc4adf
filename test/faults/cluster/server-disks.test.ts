import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { runCli } from "../../kit/cli-process.ts";
import { checkHistory, describeVerdict } from "../../kit/history/check-history.ts";
import { leadStream } from "../../kit/nats/lead-stream.ts";
import { mendServer, type ServerFiles } from "../../kit/nats/mend-server.ts";
import { createRandom } from "../../kit/random.ts";
import { FaultTimes } from "./fault-times.ts";
import { LogCluster, openLogCluster, STREAM, type LogNode } from "./log-cluster.ts";
import { SERVER_LIMIT_MS } from "./log-faults.ts";
import { announceSeed, during, prove, ROUNDS } from "./log-proof.ts";
import { DAMAGES, damageEntry, damageServer, fillDisk } from "./server-disks.ts";

const skip = skipWithout("nats-server");
const DISK_BYTES = 64 * 1024 * 1024;
const MAX_DAMAGES = 5;
/** A watch is served by any of three servers. */
const MAX_BEGINNINGS = 40;

test(
  "[NODE-41] a server with a damaged file harms no node, also none that reads everything, and has everything again once it is mended",
  { skip },
  async (t) => {
    const seed = announceSeed(t);
    const random = createRandom(seed);
    await using cluster = await openLogCluster(seed);
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, damage } of DAMAGES) {
        await during(name, async () => {
          const server = await cluster.findServer(round % 2 === 0 ? "following" : "leading");
          const files = { nats: cluster.nats, stream: STREAM, server };
          await damageUnnoticed(cluster, files, damage);
          const tries = await beginUntilFetched(pick(cluster.nodes, random));
          t.diagnostic(`${name}: met by a node that began anew for the ${tries}. time`);
          await cluster.acknowledge();
          await mendServer(files);
          await prove(cluster, t);
        });
      }
    }
  },
);

test(
  "[NODE-41] [CHAIN-6] what all servers damaged comes from another node's copy, and repair names it",
  { skip },
  async (t) => {
    const seed = announceSeed(t);
    await using cluster = await openLogCluster(seed);
    const node = pick(cluster.nodes, createRandom(seed));
    const written = node.operations.find(
      ({ answer }) => answer?.type === "ok" && !answer.isRepeated,
    );
    await damageEntry(cluster.nats, STREAM, `{"id":"${written?.id}",`);
    await cluster.acknowledge();
    const { repaired } = await node.beginAnew();
    assert.equal(repaired, 1);
    await cluster.acknowledge();
    const lacking = await serversLacking(cluster);
    assert.deepEqual([...lacking], [1, 2, 3]);

    await Promise.all(cluster.nodes.map(({ process }) => process.kill()));
    const home = ["--home", node.home, "--log", cluster.nats.urls.join(",")];
    const place = [...home, "--log-stream", STREAM, "--log-monitor", cluster.nats.monitors.join()];
    const repair = await runCli(["log", "repair", "--yes", ...place]);
    assert.deepEqual([repair.code, repair.stderr], [1, ""]);
    assert.match(
      repair.stdout,
      /Nothing is missing at the end[^]*^message \d+ is (missing|damaged)$/m,
    );
    assert.match(repair.stdout, /copy its whole log to a new stream/);
    const from = ["--from", join(node.home, "chain.db"), "--to", cluster.nats.urls.join(",")];
    const copy = await runCli(["log", "copy", ...from, ...place.with(5, `${STREAM}-2`)]);
    assert.equal(copy.code, 0, copy.stdout + copy.stderr);
    assert.match(copy.stdout, /^Copied and checked: \d+ entries/m);
  },
);

/** Mostly it lacks messages then and does not know it; when it notices and fetches them, it is damaged again. */
async function damageUnnoticed(
  cluster: LogCluster,
  files: ServerFiles,
  damage: (file: string) => void,
): Promise<void> {
  for (let tries = 1; tries <= MAX_DAMAGES; tries++) {
    await damageServer(files, damage);
    await cluster.acknowledge();
    const lacking = await serversLacking(cluster);
    const isUnnoticed = lacking.delete(files.server + 1);
    assert.deepEqual([...lacking], []);
    if (isUnnoticed) return;
  }
  assert.fail(`the server mended itself ${MAX_DAMAGES} times`);
}

/** The servers that do not have what the nodes have, counted from 1; nothing else may be wrong. */
async function serversLacking(cluster: LogCluster): Promise<Set<number>> {
  const verdict = checkHistory(await cluster.history());
  const lacking = verdict.problems.map(({ kind, text }) => {
    const server = /^server (\d) /.exec(text)?.[1];
    assert.ok(kind === "copies-differ" && server !== undefined, describeVerdict(verdict));
    return Number(server);
  });
  return new Set(lacking);
}

/**
 * Starts a node without its copy until it was given the log by the damaged server, so that it had to fetch what that one
 * skips; returns how often. What is fetched because a watch stalled does not count.
 */
async function beginUntilFetched(node: LogNode): Promise<number> {
  for (let tries = 1; tries <= MAX_BEGINNINGS; tries++) {
    const { fetched, watchRestarts } = await node.beginAnew();
    if (fetched > 0 && watchRestarts === 0) return tries;
  }
  assert.fail(`no message was fetched in ${MAX_BEGINNINGS} beginnings`);
}

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
    using times = new FaultTimes(t);
    for (let round = 0; round < ROUNDS; round++) await proveFullDisk(cluster, t, times);
  },
);

async function proveFullDisk(
  cluster: LogCluster,
  t: TestContext,
  times: FaultTimes,
): Promise<void> {
  const ballast = join(cluster.nats.storeFolder(0), "ballast");
  await leadStream(cluster.nats, STREAM, 0);
  await cluster.disturb("full disk", cluster.nodes, SERVER_LIMIT_MS, async () => {
    fillDisk(ballast);
    while ((await cluster.nats.copies(STREAM))[0] !== undefined) await cluster.acknowledge();
    await cluster.acknowledge();
  });
  rmSync(ballast);
  // It stays off until it is started again. Afterwards it may not be well for a while, or need another start: whether it
  // has everything is looked at below.
  await cluster.nats.end(0);
  cluster.nats.start(0);
  await prove(cluster, t, times);
}

function pick(nodes: readonly LogNode[], random: () => number): LogNode {
  return nodes[Math.floor(random() * nodes.length)]!;
}
