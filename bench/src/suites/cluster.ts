/**
 * What does a log at three NATS servers cost beside publishing to the same servers without one, and what do more
 * nodes add? Every node is a process; 64 writers are spread over them, each with one append of about 300 bytes under
 * way. All servers write before they acknowledge, and every stream has three copies.
 *
 * The raw publishers number nothing, check no versions and keep no copy: they show what the servers can take.
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { installProgram } from "../../../scripts/system-programs.ts";
import { startNats, type NatsServers } from "../../../test/kit/nats/nats-servers.ts";
import { interleave, type Lane } from "../measure/interleave.ts";
import { quantile } from "../measure/spread.ts";
import { startNode, type BenchNode } from "../nodes/bench-node.ts";
import type { NodeOptions } from "../nodes/node-commands.ts";
import { compare, type Finding, type Suite } from "../report/finding.ts";

const REPETITIONS = 3;
const FOR_MS = 1_500;
const WRITERS = 64;
const PINGS = 100;
const SIZES = [1, 2, 3] as const;
const EACH_ALONE = { writers: WRITERS, rowsPerMessage: 1 };
/** What a tick of the log is, without the log: the next message goes when this one is acknowledged. */
const ALL_TOGETHER = { writers: 1, rowsPerMessage: WRITERS };
const TOGETHER = "raw JetStream, 64 rows per message";
/** For the last entries to arrive everywhere. */
const SETTLE_MS = 300;

interface ClusterSample {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** One append at a time: until it was acknowledged, and until another node had it. */
  readonly acknowledged: number;
  readonly seen: number;
  readonly seenP99: number;
}

const nameOf = (kind: NodeOptions["kind"], size: number): string =>
  `${kind === "log" ? "log" : "raw JetStream"}, ${size} ${size === 1 ? "node" : "nodes"}`;

export const cluster: Suite = {
  name: "cluster",
  question: "What does a log of several nodes cost beside raw publishing to the same servers?",
  async run() {
    const problem = installProgram("nats-server");
    if (problem !== undefined) return { findings: [], notes: [`cluster: ${problem}`] };
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(await mkdtempDisposable(join(tmpdir(), "atrium-bench-")));
    const nats = stack.use(await startNats({ servers: 3 }));
    const lanes: Lane<ClusterSample>[] = [];
    for (const size of SIZES) {
      for (const kind of ["raw", "log"] as const) {
        const nodes = await startNodes(nats, { kind, size, folder: folder.path });
        for (const node of nodes) stack.use(node);
        lanes.push({ name: nameOf(kind, size), measure: () => measure(nodes, EACH_ALONE) });
        if (kind === "raw" && size === 1) {
          lanes.push({ name: TOGETHER, measure: () => measure(nodes, ALL_TOGETHER) });
        }
      }
    }
    const samples = await interleave(lanes, { repetitions: REPETITIONS, warmUp: true });
    const finding = (
      [measured, value]: (typeof MEASURES)[number],
      [ours, against]: readonly [string, string],
    ): Finding => compare(samples, { what: ours, measure: measured, ours, against, value });
    return {
      findings: [
        ...SIZES.flatMap((size) =>
          MEASURES.filter(([measured]) => size > 1 || !measured.startsWith("node to node")).map(
            (measured) => finding(measured, [nameOf("log", size), nameOf("raw", size)]),
          ),
        ),
        finding(MEASURES[0], [nameOf("log", 1), TOGETHER]),
        finding(MEASURES[0], [nameOf("log", 2), nameOf("log", 1)]),
        finding(MEASURES[0], [nameOf("log", 3), nameOf("log", 1)]),
      ],
      notes: [`${WRITERS} writers over all nodes; three servers on the same processors`],
    };
  },
};

const MEASURES = [
  ["entries/s", ({ perSecond }: ClusterSample) => perSecond],
  ["p50 ms", ({ p50 }: ClusterSample) => p50],
  ["p99 ms", ({ p99 }: ClusterSample) => p99],
  ["one by one, ms", ({ acknowledged }: ClusterSample) => acknowledged],
  ["node to node, ms", ({ seen }: ClusterSample) => seen],
  ["node to node, p99 ms", ({ seenP99 }: ClusterSample) => seenP99],
] as const;

async function startNodes(
  nats: NatsServers,
  { kind, size, folder }: { kind: NodeOptions["kind"]; size: number; folder: string },
): Promise<readonly BenchNode[]> {
  const nodes: BenchNode[] = [];
  for (let n = 1; n <= size; n++) {
    const stream = `${kind}-${size}`;
    const name = `${stream}-${n}`;
    const servers = nats.urls.map((url) => new URL(url).host);
    const copyFile = join(folder, name, "chain.db");
    nodes.push(await startNode({ kind, name, servers, monitors: nats.monitors, stream, copyFile }));
  }
  return nodes;
}

async function measure(
  nodes: readonly BenchNode[],
  { writers, rowsPerMessage }: typeof EACH_ALONE,
): Promise<ClusterSample> {
  const began = performance.now();
  const load = { writers: Math.floor(writers / nodes.length), forMs: FOR_MS, rowsPerMessage };
  const written = await Promise.all(nodes.map((node) => node.write(load)));
  const seconds = (performance.now() - began) / 1000;
  const rows = written.reduce((sum, { rows: count }) => sum + count, 0);
  const millis = written.flatMap((sample) => sample.millis).toSorted((a, b) => a - b);
  await setTimeout(SETTLE_MS);
  await Promise.all(nodes.map((node) => node.delays()));
  const pings = await nodes[0]?.ping(PINGS);
  await setTimeout(SETTLE_MS);
  const delays = await Promise.all(nodes.slice(1).map((node) => node.delays()));
  const seen = delays.flat().toSorted((a, b) => a - b);
  return {
    perSecond: rows / seconds,
    p50: quantile(millis, 0.5),
    p99: quantile(millis, 0.99),
    acknowledged: quantile(pings?.millis ?? [], 0.5),
    seen: quantile(seen, 0.5),
    seenP99: quantile(seen, 0.99),
  };
}
