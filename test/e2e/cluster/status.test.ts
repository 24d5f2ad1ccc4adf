/** What people and monitoring see of several nodes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openTestCluster, untilMet } from "../../kit/atrium-cluster.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { runCli } from "../../kit/cli-process.ts";

test("[CLI-39] status lists the nodes with their lag, who directs and who is gone; a single server has none", async () => {
  await using cluster = await openTestCluster();
  await untilMet(cluster);
  const [node] = cluster.nodes;
  const director = await cluster.director();
  assert.ok(node !== undefined && node.token !== null);
  const at = ["--url", node.url, "--token", node.token];
  const { stdout } = await runCli(["status", ...at]);
  for (const { name, url } of cluster.nodes) {
    const line = stdout.split("\n").find((each) => each.trim().startsWith(`${name} `)) ?? "";
    assert.match(line, /alive.*message \d+/, stdout);
    assert.ok(line.includes(url));
    assert.equal(/directs for \d+/.test(line), name === director.name, line);
    assert.equal(line.includes("this one"), name === node.name, line);
    assert.doesNotMatch(line, /another history/);
  }
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
