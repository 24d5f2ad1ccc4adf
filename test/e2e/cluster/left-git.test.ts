/** What git does in the shared folder while the director changes. */
import assert from "node:assert/strict";
import { mkdir, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startGit } from "../../../apps/server/src/workspaces/testing/reading-git.ts";
import { makeRepository } from "../../../apps/server/src/workspaces/testing/user-repository.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { leaseEvents, openTestCluster, untilMet } from "../../kit/atrium-cluster.ts";

const skip = skipWithout("git");

test(
  "[NODE-72] the next director ends what the one before it left, and nothing that a live node reads",
  { skip },
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-git-"));
    const repository = makeRepository(join(folder.path, "repository"), { "a.txt": "a\n" });
    await using cluster = await openTestCluster({ env: { PATH: process.env["PATH"] ?? "" } });
    await untilMet(cluster);
    const root = join(cluster.shared, "workshop");
    await mkdir(join(root, "stores"), { recursive: true });
    const before = await cluster.director();
    const start = (life?: string) => startGit(root, repository, life);
    const lives = new Map(cluster.nodes.map(({ name, log }) => [name, log.node.life]));
    await using left = await start(lives.get(before.name));
    await using gone = await start("z.1");
    await using unnamed = await start();
    const reading = new Map<string, Awaited<ReturnType<typeof start>>>();
    await using held = new AsyncDisposableStack();
    for (const { name, log } of cluster.nodes) {
      if (name !== before.name) reading.set(name, held.use(await start(log.node.life)));
    }
    before.cut();
    const next = await cluster.director(before);
    await Promise.all([left.ended, gone.ended, unnamed.ended]);
    for (const [name, git] of reading) assert.ok(await git.answers(), name);
    before.heal();
    // The life that was cut off has directed too, and what it may have begun since is ended by the one after.
    await using late = await start(lives.get(before.name));
    const [third] = cluster.nodes.filter(({ name }) => name !== before.name && name !== next.name);
    assert.ok(third !== undefined);
    await next.close();
    const last = await cluster.director(next);
    await late.ended;
    assert.equal(last, third);
    assert.ok(await reading.get(third.name)?.answers(), "what it began before it directed goes on");
    assert.ok((await leaseEvents(third.log)).length >= 3);
  },
);
