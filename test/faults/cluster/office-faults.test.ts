import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { assertWholeBuild, BuildApi, type ToldEvent } from "../../kit/builds.ts";
import { createRandom } from "../../kit/random.ts";
import { entriesIn } from "./chain-entries.ts";
import { findDifferences } from "./copy-differences.ts";
import { FaultTimes } from "./fault-times.ts";
import { announceSeed, during, ROUNDS } from "./log-proof.ts";
import { checkOffice } from "./office-checks.ts";
import { openOfficeCluster, type OfficeCluster } from "./office-cluster.ts";
import { OFFICE_FAULTS, type OfficeFault } from "./office-faults.ts";
import { OfficeLoad } from "./office-load.ts";
import { OfficeReaders } from "./office-readers.ts";

const skip = skipWithout("nats-server") || skipWithout("git");
const POLL_MS = 100;
const DISK_BYTES = 256 * 1024 * 1024;

test(
  "[NODE-43] [NODE-44] an office goes on when a node or a server is lost: what was taken happens once, under one director",
  { skip },
  async (t) => {
    const random = createRandom(announceSeed(t));
    const faults = chooseFaults(random);
    const { cluster: opened, hasDisk } = await openWithDisk(t);
    await using cluster = opened;
    using times = new FaultTimes(t);
    const load = new OfficeLoad(cluster, random);
    const builds: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const fault of faults) {
        if (fault.needsDisk === true && !hasDisk) continue;
        await during(fault.name, async () => {
          const more = await meet(fault, { cluster, load, times, t });
          await prove(cluster, load, t);
          await proveBuilds(cluster, more);
          builds.push(...more);
        });
      }
    }
    await during("all of it", () => proveBuilds(cluster, builds));
  },
);

/** Each run of the tests meets those that are always met, and one of the others; where faults are repeated, all. */
function chooseFaults(random: () => number): readonly OfficeFault[] {
  if (ROUNDS > 1) return OFFICE_FAULTS;
  const others = OFFICE_FAULTS.filter(({ isBrief, needsDisk }) => !isBrief && !needsDisk);
  const other = others[Math.floor(random() * others.length)]!;
  return OFFICE_FAULTS.filter((fault) => fault.isBrief === true || fault === other);
}

/** Where faults are repeated the first server has a disk of its own that can be filled, if one may be mounted. */
async function openWithDisk(
  t: TestContext,
): Promise<{ readonly cluster: OfficeCluster; readonly hasDisk: boolean }> {
  if (ROUNDS > 1) {
    try {
      const smallDisk = { server: 0, bytes: DISK_BYTES };
      return { cluster: await openOfficeCluster({ smallDisk }), hasDisk: true };
    } catch (error) {
      assert.match(String(error), /may not mount/);
      t.diagnostic("may not mount a small disk here: no disk is filled");
    }
  }
  return { cluster: await openOfficeCluster(), hasDisk: false };
}

interface Meeting {
  readonly cluster: OfficeCluster;
  readonly load: OfficeLoad;
  readonly times: FaultTimes;
  readonly t: TestContext;
}

/** Returns the builds that were made meanwhile. */
async function meet(
  { name, begin, end, limitMs: goalMs, isHarmless }: OfficeFault,
  { cluster, load, times, t }: Meeting,
): Promise<readonly string[]> {
  load.start();
  await load.serve(cluster.nodes);
  using readers = await OfficeReaders.open(cluster.nodes);
  const { head } = cluster.log;
  const left = await begin(cluster);
  const { takenMs, answeredMs } = await load.serve(left);
  times.add(
    { fault: `${name}: a message elsewhere is taken`, ms: takenMs, goalMs },
    { fault: `${name}: and answered`, ms: answeredMs, goalMs },
  );
  await end(cluster);
  await load.serve(cluster.nodes);
  await load.finish();
  const builds = await load.settle();
  const { count, failures } = await readers.close(left);
  const { lost, isReplaced } = await findLost(cluster, head);
  const director = isReplaced ? ", another node directs" : "";
  t.diagnostic(`${name}: ${count} reads meanwhile, ${lost.length} runs failed${director}`);
  assert.deepEqual(failures, []);
  assert.ok(count > 0, "no node that is left served reads all the time");
  // On a very busy machine the director may be cut off for longer than others wait for it, and stop.
  if (isHarmless === true && !isReplaced) assert.deepEqual(lost, []);
  return builds;
}

/** The runs that failed since then, and whether the lease moved. */
async function findLost({ log }: OfficeCluster, after: number) {
  const entries = await Array.fromAsync(log.read({ after }));
  const lost = entries.filter(({ type }) => type === "run.failed").map(({ data }) => data);
  return { lost, isReplaced: entries.some(({ type }) => type === "lease.granted") };
}

async function prove(cluster: OfficeCluster, load: OfficeLoad, t: TestContext): Promise<void> {
  const messages = await cluster.copies();
  const nodes = cluster.nodes.map(({ name, home }) => ({ name, file: join(home, "chain.db") }));
  assert.deepEqual(findDifferences(nodes, messages), []);
  const copies = messages.map(entriesIn);
  // Projects go on by themselves while it is read.
  const length = Math.min(...copies.map((copy) => copy.length));
  const [entries = [], ...others] = copies.map((copy) => copy.slice(0, length));
  for (const other of others) assert.deepEqual(other, entries);
  const { runs, signals } = load;
  const verdict = checkOffice({ entries, runs, signals, executions: cluster.executions });
  t.diagnostic(JSON.stringify(verdict.counts));
  assert.deepEqual(verdict.problems, []);
}

async function proveBuilds(cluster: OfficeCluster, builds: readonly string[]): Promise<void> {
  for (const node of cluster.nodes) {
    const api = new BuildApi(node);
    for (const id of builds) {
      await during(`reading build ${id} at ${node.name}`, async () =>
        assertWholeBuild(await readToEnd(api, id)),
      );
    }
  }
}

/**
 * A node that lost the lease opens anew: it ends the streams that it serves and is away for that moment. Its readers
 * come back and go on behind what they have.
 */
async function readToEnd(api: BuildApi, id: string): Promise<readonly ToldEvent[]> {
  const told: ToldEvent[] = [];
  for (;;) {
    try {
      const after = told.at(-1)?.seq;
      for await (const event of api.events(id, after === undefined ? {} : { after })) {
        told.push(event);
      }
    } catch (error) {
      // What fetch says when nobody is there.
      if (!(error instanceof TypeError)) throw error;
    }
    if (told.at(-1)?.type === "session.completed") return told;
    await sleep(POLL_MS);
  }
}
