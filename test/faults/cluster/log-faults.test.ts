import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { createRandom } from "../../kit/random.ts";
import { FaultTimes } from "./fault-times.ts";
import { openLogCluster } from "./log-cluster.ts";
import { NODE_FAULTS, SERVER_FAULTS } from "./log-faults.ts";
import { announceSeed, during, prove, ROUNDS } from "./log-proof.ts";

const skip = skipWithout("nats-server");

test(
  "[NODE-40] whatever happens to nodes and servers, every acknowledged entry stands once at its position everywhere",
  { skip },
  async (t) => {
    const seed = announceSeed(t);
    const random = createRandom(seed);
    await using cluster = await openLogCluster(seed);
    using times = new FaultTimes(t);
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, run } of [...NODE_FAULTS, ...SERVER_FAULTS]) {
        await during(name, async () => {
          await run(cluster, random);
          await prove(cluster, t, times);
        });
      }
    }
  },
);
