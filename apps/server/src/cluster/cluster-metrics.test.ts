import assert from "node:assert/strict";
import { test } from "node:test";
import type { AppendResult } from "@atrium/log";
import { AppendTally } from "./append-tally.ts";
import { renderClusterMetrics } from "./cluster-metrics.ts";
import {
  markBehind,
  openClusterReport,
  type ClusterReportDeps,
  type LogServer,
} from "./cluster-report.ts";
import type { Member } from "./cluster.ts";

const counts = {
  published: 1,
  taken: 2,
  unknown: 3,
  forwarded: 4,
  penChanges: 5,
  fetched: 6,
  watchRestarts: 7,
  repaired: 8,
  unavailable: 9,
};

/** The parts of a log that appends do not touch. */
const unread = {
  epoch: "e",
  findKey: () => Promise.resolve(undefined),
  async *read(): AsyncGenerator<never> {
    // Nothing is read here.
  },
};

const member = (node: string, applied: number, hash: string): Member => {
  return { node, life: "x", url: `http://${node}:1/`, version: "1.0.0", applied, hash };
};

function reportOf(
  members: () => readonly Member[],
  servers: readonly LogServer[] = [],
  director: () => string | undefined = () => "n2",
) {
  const hashes = ["", "h1", "h2", "h3"];
  const deps: ClusterReportDeps = {
    cluster: {
      node: "n1",
      members,
      director,
      since: () => 5,
      onChange: () => ({ [Symbol.dispose]: () => undefined }),
    },
    chain: {
      trouble: undefined,
      hashAt: (n) => hashes[n],
      status: () => {
        const warnings = ["look here"];
        return { applied: 3, hash: "h3", lag: 1, pen: "n1", maxBytes: 1_000, warnings, counts };
      },
    },
    readServers: () => Promise.resolve(servers),
  };
  return openClusterReport(deps);
}

test("[NODE-60] nodes are compared where the one behind is; another history is a warning", () => {
  let alive = [member("n1", 3, "h3"), member("n2", 2, "h2"), member("n3", 1, "other")];
  using report = reportOf(() => alive);
  const { nodes, warnings, director, directsSince } = report.read();
  assert.deepEqual([director, directsSince], ["n2", 5]);
  assert.deepEqual(
    nodes.map(({ name, lag, agrees }) => [name, lag, agrees]),
    [
      ["n1", 0, true],
      ["n2", 1, true],
      ["n3", 2, false],
    ],
  );
  assert.equal(warnings[0], "look here");
  assert.match(warnings[1] ?? "", /node n3 has another history .* up to message 1/);
  assert.equal(warnings.length, 2);
  alive = [member("n1", 3, "h3"), member("n2", 9, "h9")];
  const later = report.read();
  assert.deepEqual(
    later.nodes.map(({ name, alive: isAlive, lag, agrees }) => [name, isAlive, lag, agrees]),
    [
      ["n1", true, 6, true],
      ["n2", true, 0, undefined],
      ["n3", false, 8, false],
    ],
  );
});

test("[NODE-60] two nodes of one name are a warning that names both", () => {
  const twin = { ...member("n2", 3, "h3"), life: "y", url: "http://twin:1/" };
  using report = reportOf(() => [member("n1", 3, "h3"), member("n2", 3, "h3"), twin]);
  assert.match(
    report.read().warnings[1] ?? "",
    /^2 nodes are called n2 \(http:\/\/n2:1\/ and http:\/\/twin:1\/\); give each its own name/,
  );
});

test("[NODE-63] a node with other settings is a warning that names them; one that tells none is not", () => {
  const settings = { agents: "1", limits: "2" };
  using report = reportOf(() => [
    { ...member("n1", 3, "h3"), settings },
    { ...member("n2", 3, "h3"), settings: { ...settings, limits: "3", newer: "4" } },
    { ...member("n3", 3, "h3"), settings },
    member("n4", 3, "h3"),
    { ...member("n5", 3, "h3"), settings: {} },
  ]);
  const [, first, second, ...others] = report.read().warnings;
  assert.match(first ?? "", /^node n2 has other settings than this node \(limits\); put the same/);
  assert.match(second ?? "", /^node n5 has other settings than this node \(agents, limits\)/);
  assert.deepEqual(others, []);
});

test("[NODE-60] a server that lacks messages or does not answer is a warning", async () => {
  using report = reportOf(
    () => [],
    [
      { url: "http://a:8222", name: "s1", version: "2.10.27", messages: 9, missing: 0 },
      { url: "http://b:8222", name: "s2", version: "2.10.27", messages: 7, missing: 2 },
      { url: "http://c:8222" },
    ],
  );
  await Promise.resolve();
  const { warnings } = report.read();
  assert.match(warnings[1] ?? "", /server s2 \(http:\/\/b:8222\) lacks 2 of 9 messages/);
  assert.match(warnings[2] ?? "", /http:\/\/c:8222 does not answer/);
  assert.equal(warnings.length, 3);
});

test("[NODE-60] a server that comes no further is a warning, and one that is catching up is none", async () => {
  const server = (name: string, lastSeq: number): LogServer => {
    return { url: `http://${name}:8222`, name, messages: lastSeq, missing: 0, lastSeq };
  };
  const before = [server("s1", 90), server("s2", 40), server("s3", 40), server("s4", 90)];
  const now = [server("s1", 99), server("s2", 40), server("s3", 41), server("s4", 90)];
  const marked = markBehind(before, [...now, { url: "http://s5:8222" }]);
  assert.deepEqual(
    marked.map(({ name, behind }) => [name, behind]),
    [
      ["s1", undefined],
      ["s2", 50],
      ["s3", undefined],
      ["s4", undefined],
      [undefined, undefined],
    ],
  );
  using report = reportOf(() => [], marked.slice(0, 2));
  await Promise.resolve();
  assert.deepEqual(report.read().warnings.slice(1), [
    "server s2 (http://s2:8222) stays at message 40, 50 behind the others; start it again",
  ]);
});

test("[NODE-61] the figures are in Prometheus' format: every family once, buckets that add up", async () => {
  const directors = ["n1", undefined, "n1", undefined, "n2", "n2", "n3"];
  using report = reportOf(
    () => [member("n1", 3, "h3")],
    [{ url: 'http://"a\n:8222', name: "s1", missing: 2 }],
    () => directors[0],
  );
  for (; directors.length > 1; directors.shift()) report.read();
  await Promise.resolve();
  let now = 0;
  const tally = new AppendTally(() => now);
  const answers: readonly (readonly [tookMs: number, result: AppendResult])[] = [
    [0.5, { ok: true, position: { epoch: "e", seq: 1 }, entries: [], repeated: false }],
    [3, { ok: true, position: { epoch: "e", seq: 1 }, entries: [], repeated: false }],
    [60_000, { ok: true, position: { epoch: "e", seq: 1 }, entries: [], repeated: false }],
    [1, { ok: false, reason: "fenced", head: 1 }],
  ];
  for (const [tookMs, result] of answers) {
    const { append } = tally.over({
      ...unread,
      append: () => {
        now += tookMs;
        return Promise.resolve(result);
      },
    });
    assert.equal(await append("a", "any", []), result);
  }
  const text = renderClusterMetrics(report.read(), tally.read());
  const families = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name]) => name);
  assert.equal(new Set(families).size, families.length);
  for (const each of text.split("\n")) {
    assert.match(
      each,
      /^$|^# (HELP|TYPE) atrium_|^atrium_[a-z_]+(\{[a-z]+="[^\n]*"\})? [\d.e+-]+$/,
    );
  }
  assert.match(text, /^atrium_cluster_lag 1$/m);
  assert.match(text, /^atrium_cluster_pen_changes_total 5$/m);
  assert.match(text, /^atrium_cluster_lease_changes_total 2$/m);
  assert.match(text, /^atrium_log_refusals_total\{reason="fenced"\} 1$/m);
  assert.match(
    text,
    /_bucket\{le="0.001"\} 1\n.*_bucket\{le="0.0025"\} 1\n.*_bucket\{le="0.005"\} 2\n/,
  );
  assert.match(text, /_bucket\{le="10"\} 2\n.*_bucket\{le="\+Inf"\} 3\n/);
  assert.match(text, /_sum 60.0035\n.*_count 3\n/);
});
