/** The figures of a cluster in Prometheus' text format; they stand in `/metrics` behind those that every server has. */
import { LATENCY_BOUNDS, type AppendCounts } from "./append-tally.ts";
import type { ClusterFacts } from "./cluster-report.ts";

export function renderClusterMetrics(facts: ClusterFacts, appends: AppendCounts): string {
  const { chain, nodes, servers } = facts;
  const { counts } = chain;
  const alive = nodes.filter((node) => node.alive);
  const isDirector = facts.director === facts.node;
  return [
    gauge("nodes", "Nodes that are alive.", alive.length),
    gauge("director", "1 on the node that directs.", Number(isDirector)),
    gauge("pen", "1 on the node that writes for the others.", Number(chain.pen === facts.node)),
    gauge("writable", "0 while nothing can be written.", Number(facts.trouble === undefined)),
    gauge("warnings", "Warnings in atrium status.", facts.warnings.length),
    gauge("applied", "The last message of the log that this node has applied.", chain.applied),
    gauge("lag", "Messages that this node knows of and has not applied.", chain.lag),
    gauge(
      "disagreeing_nodes",
      "Nodes with another history than this one.",
      nodes.filter(({ agrees }) => agrees === false).length,
    ),
    family(
      "atrium_cluster_server_missing",
      "gauge",
      "Messages that a server of the log lacks.",
      servers.flatMap(({ url, missing }) =>
        missing === undefined ? [] : [line(`{server="${escape(url)}"}`, missing)],
      ),
    ),
    family(
      "atrium_cluster_server_behind",
      "gauge",
      "Messages that a server of the log stays behind the others.",
      servers.flatMap(({ url, lastSeq, behind = 0 }) =>
        lastSeq === undefined ? [] : [line(`{server="${escape(url)}"}`, behind)],
      ),
    ),
    counter("lease_changes", "How often another node began to direct.", facts.leaseChanges),
    counter("pen_changes", "How often another node took the pen.", counts.penChanges),
    counter("published", "Messages that this node has written.", counts.published),
    counter("taken", "Messages whose place was taken when they came.", counts.taken),
    counter("unknown", "Messages whose outcome had to be looked up.", counts.unknown),
    counter("forwarded", "Ticks that this node sent to the pen.", counts.forwarded),
    counter("fetched", "Messages that watching missed and that were fetched.", counts.fetched),
    counter("watch_restarts", "Watches that stalled or skipped.", counts.watchRestarts),
    counter("repaired", "Messages that came from another node's copy.", counts.repaired),
    family(
      "atrium_log_refusals_total",
      "counter",
      "Appends that the log refused, by reason.",
      [...appends.refusals].map(([reason, count]) => line(`{reason="${escape(reason)}"}`, count)),
    ),
    renderLatencies(appends),
  ].join("");
}

function gauge(name: string, help: string, value: number): string {
  return family(`atrium_cluster_${name}`, "gauge", help, [line("", value)]);
}

function counter(name: string, help: string, value: number): string {
  return family(`atrium_cluster_${name}_total`, "counter", help, [line("", value)]);
}

function renderLatencies({ latencies, seconds }: AppendCounts): string {
  let sum = 0;
  const buckets = [...LATENCY_BOUNDS, "+Inf"].map((bound, at) => {
    sum += latencies[at] ?? 0;
    return line(`_bucket{le="${bound}"}`, sum);
  });
  const help = "How long appends took until they were durable and seen here.";
  const lines = [...buckets, line("_sum", seconds), line("_count", sum)];
  return family("atrium_log_append_seconds", "histogram", help, lines);
}

type Line = readonly [rest: string, value: number];

const line = (rest: string, value: number): Line => [rest, value];

function family(name: string, type: string, help: string, lines: readonly Line[]): string {
  const values = lines.map(([rest, value]) => `${name}${rest} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${values.join("")}\n`;
}

function escape(text: string): string {
  return text
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll("\n", " ");
}
