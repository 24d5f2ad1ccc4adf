import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { assertWholeBuild, BuildApi } from "../../kit/builds.ts";
import { createRandom } from "../../kit/random.ts";
import { announceSeed, during, ROUNDS } from "./log-proof.ts";
import { checkOffice } from "./office-checks.ts";
import { openOfficeCluster, type OfficeCluster } from "./office-cluster.ts";
import { OFFICE_FAULTS, type OfficeFault } from "./office-faults.ts";
import { OfficeLoad } from "./office-load.ts";

const skip = skipWithout("nats-server") || skipWithout("git");
const FAULTS = OFFICE_FAULTS.filter(({ isBrief }) => isBrief === true || ROUNDS > 1);

test(
  "[NODE-43] [NODE-44] an office goes on when a node or a server is lost: what was taken happens once, under one director",
  { skip },
  async (t) => {
    const random = createRandom(announceSeed(t));
    await using cluster = await openOfficeCluster();
    const load = new OfficeLoad(cluster, random);
    for (let round = 0; round < ROUNDS; round++) {
      for (const fault of FAULTS) {
        await during(fault.name, async () => {
          await meet(fault, cluster, load, t);
          await prove(cluster, load, t);
        });
      }
    }
  },
);

/** How long it took is printed, and not asserted: on a busy machine everything takes longer. */
async function meet(
  { name, begin, end, limitMs }: OfficeFault,
  cluster: OfficeCluster,
  load: OfficeLoad,
  t: TestContext,
): Promise<void> {
  load.start();
  await load.serve(cluster.nodes);
  const left = await begin(cluster);
  const { takenMs, answeredMs } = await load.serve(left);
  const times = `taken after ${Math.round(takenMs)}, answered after ${Math.round(answeredMs)} ms`;
  t.diagnostic(`${name}: a message elsewhere is ${times} of ${limitMs}`);
  await end(cluster);
  await load.serve(cluster.nodes);
  await load.finish();
  await load.settle();
}

async function prove(cluster: OfficeCluster, load: OfficeLoad, t: TestContext): Promise<void> {
  const copies = await cluster.copies();
  // Projects go on by themselves while it is read.
  const length = Math.min(...copies.map((copy) => copy.length));
  const [entries = [], ...others] = copies.map((copy) => copy.slice(0, length));
  for (const other of others) assert.deepEqual(other, entries);
  const { runs, signals, builds } = load;
  const verdict = checkOffice({ entries, runs, signals, executions: cluster.executions });
  t.diagnostic(JSON.stringify(verdict.counts));
  assert.deepEqual(verdict.problems, []);
  for (const node of cluster.nodes) {
    const api = new BuildApi(node);
    for (const id of builds) assertWholeBuild(await Array.fromAsync(api.events(id)));
  }
}
