/** One node that writes, as a process of its own: it opens its log, writes until it is ordered to stop, and is killed. */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterLog } from "@atrium/log/chain";
import { openNatsLog } from "@atrium/log/nats";
import { monotonicMs } from "../../kit/history/history.ts";
import { createRandom } from "../../kit/random.ts";
import { Workload } from "./workload.ts";
import { historyEntry, type WriterLine, type WriterOrder } from "./writer-lines.ts";
import type { WriterPlan } from "./writer-process.ts";

const READ_CHUNK = 500;
const POLL_MS = 20;

const plan = JSON.parse(process.argv[2] ?? "") as WriterPlan;
const log = await openNatsLog(plan.log);
print({ type: "opened", head: log.head, counts: log.status().counts });
const workload = new Workload(log, plan.workload, {
  random: createRandom(plan.seed),
  report: print,
});
void printFault(log);
void printTail(log, log.head);
void printTrouble(log);
workload.start();
const orders = createInterface({ input: process.stdin });
// Whoever gave the orders is gone, maybe while one is carried out.
orders.once("close", () => process.exit());
for await (const line of orders) {
  const order = JSON.parse(line) as WriterOrder;
  switch (order.type) {
    case "finish":
      await workload.finish();
      print({ type: "quiet", head: log.head });
      break;
    case "resume":
      workload.start();
      break;
    case "read":
      await printAll(log, order.head);
      break;
  }
}

async function printFault({ stopped }: ClusterLog): Promise<void> {
  const fault = await stopped;
  if (fault !== undefined) print({ type: "fault", code: fault.code, message: fault.message });
}

async function printTail(from: ClusterLog, after: number): Promise<void> {
  for await (const batch of from.tail(after)) {
    print({ type: "tail", from: after, entries: batch.map(historyEntry) });
  }
}

async function printTrouble(of: ClusterLog): Promise<void> {
  let last: string | undefined;
  for (;;) {
    if (of.trouble !== last) {
      last = of.trouble;
      print({ type: "trouble", trouble: last, at: monotonicMs() });
    }
    await sleep(POLL_MS);
  }
}

async function printAll(of: ClusterLog, head: number): Promise<void> {
  while (of.head < head) await sleep(POLL_MS);
  const entries = (await Array.fromAsync(of.read())).map(historyEntry);
  for (let start = 0; start < entries.length; start += READ_CHUNK) {
    print({ type: "read", entries: entries.slice(start, start + READ_CHUNK) });
  }
  print({ type: "complete" });
}

/** Has left the process when it returns: what was printed before a kill is known. */
function print(line: WriterLine): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let start = 0; start < bytes.length;) {
    try {
      start += writeSync(1, bytes, start);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      // The pipe is full for the moment.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
