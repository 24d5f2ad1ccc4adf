/** A director that another node has replaced, and that has not heard of it yet, is asked to change files. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createMemoryBus, createMemoryChain, openChainLog, type Chain } from "@atrium/log/chain";
import {
  contentsOf,
  makeRepository,
} from "../../../apps/server/src/workspaces/testing/user-repository.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import {
  openTestCluster,
  untilMet,
  type TestCluster,
  type TestNode,
} from "../../kit/atrium-cluster.ts";
import { calling, post, returnsOf, worktreeOf, write } from "../../kit/moments.ts";
import { makeBusyRepository, modelOn, requestWork, writeSettings } from "../../kit/workshop.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const AGENTS = [{ id: "agent_eng_1", runtime: "local" }];
const ENV = { PATH: process.env["PATH"] ?? "" };

/** Resolves with the one that was replaced: it does not know. */
async function replaceDirector(cluster: TestCluster, chain: Chain): Promise<TestNode> {
  const [first, next] = [await cluster.director(), await cluster.other()];
  const copyFile = join(cluster.shared, "..", "clerk", "chain.db");
  // It hears of nobody who has the pen, so it writes at once.
  const bus = createMemoryBus();
  await using clerk = await openChainLog({
    chain,
    bus,
    node: { id: "clerk", life: "1" },
    copyFile,
  });
  await first.deafen();
  const { id: node, life } = next.log.node;
  const grant = { type: "lease.granted", at: Date.now(), data: { node, life } };
  const granted = await clerk.append("lease/director", "any", [grant]);
  assert.ok(granted.ok);
  return first;
}

/** What of the workshop is in the log. */
async function written({ log }: TestNode): Promise<readonly string[]> {
  const entries = await Array.fromAsync(log.read());
  return entries.map(({ type }) => type).filter((type) => /^(workspace|repository)\./.test(type));
}

describe("with git", { skip: skipWithout("git") }, () => {
  test("[NODE-3] it puts no files back, in the folder, in git and in the log", async () => {
    await using model = await calling([write("a.txt", "one\n"), write("zz.txt", "two\n")]);
    await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-shop-"));
    const repository = makeBusyRepository(join(folder.path, "repository"));
    const runtimes = { local: modelOn(model.baseUrl) };
    await writeSettings(folder.path, { repository, runtimes, agents: AGENTS });
    const file = await readFile(join(folder.path, "atrium.config.json"), "utf8");
    const settings = JSON.parse(file) as unknown;
    const chain = createMemoryChain();
    await using cluster = await openTestCluster({ nodes: 2, chain, settings, env: ENV });
    await untilMet(cluster);
    const other = await cluster.other();
    await using peer = await enterWorld(other);
    const [taskId = ""] = await requestWork(peer, AGENTS, "Make it", "shop");
    await peer.event("review_requested");
    const [seq] = await returnsOf({ atrium: other });
    const workshop = join(cluster.shared, "workshop");
    const worktree = worktreeOf({ home: cluster.shared }, taskId);
    const [files, before] = [contentsOf(workshop), await written(other)];
    const first = await replaceDirector(cluster, chain);
    const path = `/api/workspaces/${taskId}/restore`;
    const { json } = await post({ atrium: first }, path, { seq });
    assert.equal(json.error.code, "log.fenced", JSON.stringify(json));
    await first.lost;
    assert.ok(existsSync(join(worktree, "zz.txt")));
    assert.deepEqual(contentsOf(workshop), files);
    assert.deepEqual(await written(other), before);
    const again = await post({ atrium: other }, path, { seq });
    assert.equal(again.status, 200, again.text);
    assert.ok(!existsSync(join(worktree, "zz.txt")));
  });

  test("[NODE-3] it opens and adds no repository", async () => {
    const chain = createMemoryChain();
    await using cluster = await openTestCluster({ nodes: 2, chain, env: ENV });
    await untilMet(cluster);
    const path = makeRepository(join(cluster.shared, "..", "shop"), { "README.md": "# Shop\n" });
    const other = await cluster.other();
    const first = await replaceDirector(cluster, chain);
    const added = await post({ atrium: first }, "/api/repositories", { path });
    assert.equal(added.json.error.code, "log.fenced", added.text);
    assert.ok(!existsSync(join(cluster.shared, "workshop")));
    assert.deepEqual(await written(other), []);
  });
});
