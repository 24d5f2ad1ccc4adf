/** What people and monitoring see of several nodes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { ChainServer } from "@atrium/log";
import { createMemoryBus, createMemoryChain } from "@atrium/log/chain";
import { openTestCluster, untilMet } from "../../kit/atrium-cluster.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { ended, send } from "../../kit/chat-runs.ts";
import { runCli } from "../../kit/cli-process.ts";

const SERVERS: readonly ChainServer[] = [
  {
    url: "http://a:8222",
    name: "s1",
    version: "2.12.3",
    copy: { isLeader: true, messages: 9, missing: 0, lastSeq: 9 },
  },
  {
    url: "http://b:8222",
    name: "s2",
    version: "2.12.3",
    copy: { isLeader: false, messages: 7, missing: 2, lastSeq: 9 },
  },
  { url: "http://c:8222" },
];

/** The line of a table that begins with that name. */
function lineOf(text: string, name: string): string {
  const line = text.split("\n").find((each) => each.trim().startsWith(`${name} `));
  assert.ok(line !== undefined, `${name} is not in\n${text}`);
  return line;
}

test("[CLI-39] status lists the nodes with their lag, who directs, who has the pen and who is gone; a single server has none", async () => {
  await using cluster = await openTestCluster();
  await untilMet(cluster);
  const [node] = cluster.nodes;
  const director = await cluster.director();
  assert.ok(node !== undefined && node.token !== null);
  const at = ["--url", node.url, "--token", node.token];
  const { stdout } = await runCli(["status", ...at]);
  for (const { name, url } of cluster.nodes) {
    const line = lineOf(stdout, name);
    assert.match(line, /alive.*message \d+/, stdout);
    assert.ok(line.includes(url));
    assert.equal(/directs for \d+/.test(line), name === director.name, line);
    assert.equal(line.includes("this one"), name === node.name, line);
    assert.doesNotMatch(line, /another history/);
  }
  const penOf = lineOf(stdout, node.log.status().pen ?? "");
  assert.match(penOf, /has the pen/);
  assert.equal(stdout.split("has the pen").length, 2, stdout);
  assert.doesNotMatch(stdout, /Servers of the log/);
  const doctor = await runCli(["doctor", ...at]);
  assert.match(
    doctor.stdout,
    new RegExp(`this is ${node.name} of 3 nodes, ${director.name} directs`),
  );
  const gone = cluster.nodes.find((each) => each !== node && each !== director);
  assert.ok(gone !== undefined);
  gone.cut();
  for (;;) {
    const { stdout: later } = await runCli(["status", "--json", ...at]);
    const { cluster: seen } = JSON.parse(later) as {
      cluster: { nodes: { name: string; alive: boolean }[]; warnings: string[] };
    };
    if (seen.nodes.some(({ name, alive }) => name === gone.name && !alive)) {
      assert.ok(seen.warnings.some((text) => text.includes(`node ${gone.name} was here`)));
      break;
    }
    await setTimeout(100);
  }
  await using peer = await node.connect();
  await send(peer, "run-1", "[[say: written while one is away]]");
  await ended(peer, "run-1");
  const { stdout: behind } = await runCli(["status", ...at]);
  assert.match(lineOf(behind, gone.name), /gone .*message \d+, \d+ behind/);
  assert.doesNotMatch(lineOf(behind, node.name), /behind/);
  await using alone = await openTestAtrium();
  const single = await runCli([
    "status",
    "--json",
    "--url",
    alone.url,
    "--token",
    alone.token ?? "",
  ]);
  assert.equal((JSON.parse(single.stdout) as { cluster?: unknown }).cluster, undefined);
});

test("[CLI-39] status lists the servers of the log: who leads, what one lacks, and who does not answer", async () => {
  const readServers = (): Promise<readonly ChainServer[]> => Promise.resolve(SERVERS);
  await using cluster = await openTestCluster({ nodes: 1, readServers });
  const [node] = cluster.nodes;
  assert.ok(node !== undefined && node.token !== null);
  const { stdout } = await runCli(["status", "--url", node.url, "--token", node.token]);
  const table = stdout.slice(stdout.indexOf("Servers of the log"));
  assert.match(lineOf(table, "s1"), /answers +2\.12\.3 +9 messages +leads/);
  assert.match(lineOf(table, "s2"), /answers +2\.12\.3 +7 messages +2 missing/);
  assert.doesNotMatch(lineOf(table, "s2"), /leads/);
  assert.match(lineOf(table, "http://c:8222"), /does not answer/);
  assert.match(table, /server s2 \(http:\/\/b:8222\) lacks 2 of 9 messages/);
  const { stdout: json } = await runCli([
    "status",
    "--json",
    "--url",
    node.url,
    "--token",
    node.token,
  ]);
  const { cluster: seen } = JSON.parse(json) as { cluster: { maxAppendBytes: number } };
  assert.equal(seen.maxAppendBytes, node.log.status().maxBytes);
});

test("[NODE-63] status and doctor name the node whose settings differ", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  await cluster.open("c", cluster.shared, { limits: { maxTurns: 3 } });
  await untilMet(cluster);
  const [node] = cluster.nodes;
  assert.ok(node !== undefined && node.token !== null);
  const at = ["--url", node.url, "--token", node.token];
  const warning = /node c has other settings than this node \(limits\)/;
  assert.match((await runCli(["status", ...at])).stdout, warning);
  assert.match((await runCli(["doctor", ...at])).stdout, warning);
  assert.doesNotMatch((await runCli(["status", ...at])).stdout, /node b has other settings/);
});

test("[NODE-17] a second node of one name does not start, and says where the first is; once that is gone it does", async () => {
  const shared = { chain: createMemoryChain(), bus: createMemoryBus() };
  await using cluster = await openTestCluster({ nodes: 1, ...shared });
  await using elsewhere = await openTestCluster({ nodes: 0, ...shared });
  const [first] = cluster.nodes;
  assert.ok(first !== undefined);
  await assert.rejects(elsewhere.open("a", cluster.shared), ({ message }: Error) =>
    ["called a", first.url, "--node"].every((word) => message.includes(word)),
  );
  await first.close();
  const { name } = await elsewhere.open("a", cluster.shared);
  assert.equal(name, "a");
});

test("[NODE-61] every node has its figures in /metrics, and a single server has none of them", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  const director = await cluster.director();
  const figures = async (url: string): Promise<ReadonlyMap<string, number>> => {
    const text = await (await fetch(new URL("/metrics", url))).text();
    const lines = text.matchAll(/^(atrium_(?:cluster|log_append)\w+)(?:\{[^}]*\})? ([\d.e+-]+)$/gm);
    return new Map(Array.from(lines, ([, name = "", value]) => [name, Number(value)]));
  };
  for (const node of cluster.nodes) {
    const found = await figures(node.url);
    assert.equal(found.get("atrium_cluster_director"), Number(node === director));
    assert.equal(found.get("atrium_cluster_writable"), 1);
    assert.ok((found.get("atrium_cluster_applied") ?? 0) > 0);
    assert.equal(found.get("atrium_cluster_disagreeing_nodes"), 0);
  }
  const written = await figures(director.url);
  assert.ok((written.get("atrium_log_append_seconds_count") ?? 0) > 0);
  await using alone = await openTestAtrium();
  assert.deepEqual([...(await figures(alone.url)).keys()], []);
});
