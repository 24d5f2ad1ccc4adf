/** What is begun at one node goes on at any other: logins, tickets, approvals, what only the director can do. */
import assert from "node:assert/strict";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { makeRepository } from "../../../apps/server/src/workspaces/testing/user-repository.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestCluster, untilMet, type TestNode } from "../../kit/atrium-cluster.ts";
import { signIn } from "../../kit/browser.ts";
import { openPeer } from "../../kit/raw-peer.ts";

async function status({ url }: TestNode, path: string, headers: Record<string, string>) {
  const response = await fetch(new URL(path, url), { headers });
  await response.body?.cancel();
  return response.status;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(20);
}

test("[NODE-32] a browser that signs in at one node is in at all, its ticket is good once, and it is out at all", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  const [first, second] = await untilMet(cluster);
  const browser = await signIn(first);
  await until(async () => (await status(second, "/v1/models", browser.headers)) === 200);
  const path = "/api/office";
  const response = await fetch(new URL("/api/ticket", first.url), {
    method: "POST",
    headers: { ...browser.headers, "content-type": "application/json" },
    body: JSON.stringify({ path }),
  });
  const { ticket } = (await response.json()) as { readonly ticket: string };
  await setTimeout(50);
  const cookie = { cookie: browser.cookie };
  assert.equal(await status(second, `${path}?ticket=${ticket}`, cookie), 200);
  await setTimeout(50);
  assert.equal(await status(first, `${path}?ticket=${ticket}`, cookie), 401);
  const page = { headers: cookie, protocols: ["atrium", `atrium.page.${browser.page}`] };
  await using socket = await openPeer(`${second.wsUrl}ws/world`, page);
  socket.send({ v: 1, type: "hello", id: "h", ts: 1, payload: { protocol_version: 1 } });
  await socket.first(({ type }) => type === "hello_ack");
  await fetch(new URL("/api/logout", first.url), { method: "POST", headers: browser.headers });
  await socket.closed;
  assert.equal(await status(second, "/v1/models", browser.headers), 401);
});

test("[NODE-32] what a run asks is answered at any node, and a standing permission holds for all", async () => {
  await using cluster = await openTestCluster({ nodes: 3 });
  await untilMet(cluster);
  const others = cluster.nodes.filter(({ name }) => name !== "a");
  const [asking, answering] = others;
  assert.ok(asking !== undefined && answering !== undefined);
  await using ann = await asking.connect();
  await using bob = await answering.connect();
  const request = bob.event("exec.approval.requested");
  const publish = { sessionKey: "main", message: "[[approve: shell npm publish]]" };
  await ann.ask("chat.send", { ...publish, idempotencyKey: "r1" });
  await bob.ask("exec.approval.resolve", {
    id: (await request).payload.id,
    decision: "allow-always",
  });
  await ann.ask("agent.wait", { runId: "r1" });
  const asked = ann.frames.filter(({ event }) => event === "exec.approval.requested").length;
  await ann.ask("chat.send", { ...publish, idempotencyKey: "r2" });
  await ann.ask("agent.wait", { runId: "r2" });
  const { messages } = await ann.ask("chat.history", { sessionKey: "main" });
  assert.match(messages.at(-1).content[0].text, /Allowed: shell npm publish/);
  const again = ann.frames.filter(({ event }) => event === "exec.approval.requested").length;
  assert.equal(again, asked);
});

test("[NODE-27] a node with another shared folder does not start and names both", async () => {
  await using cluster = await openTestCluster({ nodes: 1 });
  const folder = join(cluster.shared, "../elsewhere");
  await assert.rejects(cluster.open("b", folder), ({ message }: Error) =>
    [cluster.shared, folder, "--shared"].every((word) => message.includes(word)),
  );
});

test("[DETECT-11] the director looks for agents, whoever is asked", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-found-"));
  const asked = join(folder.path, "asked");
  const script = `#!/bin/sh\necho "$*" >> "${asked}"\necho 0.24.4\n`;
  await writeFile(join(folder.path, "qwen"), script, { mode: 0o755 });
  await using cluster = await openTestCluster({ nodes: 2, env: { PATH: folder.path } });
  await untilMet(cluster);
  await using far = await (await cluster.other()).connect();
  await using near = await (await cluster.director()).connect();
  const { agentPrograms } = await far.ask("agents.discover", {});
  assert.deepEqual((await near.ask("agents.discover", {})).agentPrograms, agentPrograms);
  // What the one has heard, the other need not ask.
  assert.equal(await readFile(asked, "utf8"), "--version\n");
  for (const { faults } of cluster.nodes) assert.deepEqual(faults, []);
});

describe("with git", { skip: skipWithout("git") }, () => {
  test("[NODE-25] repositories are opened and added by the director, whoever is asked", async () => {
    await using cluster = await openTestCluster({
      nodes: 2,
      env: { PATH: process.env["PATH"] ?? "" },
    });
    await untilMet(cluster);
    const other = await cluster.other();
    const path = makeRepository(join(cluster.shared, "..", "shop"), { "README.md": "# Shop\n" });
    await using peer = await other.connect();
    const { repository } = await peer.ask("repositories.add", { path, idempotencyKey: "k1" });
    assert.equal(repository.kind, "git");
    const { repositories } = await peer.ask("repositories.list", {});
    assert.deepEqual(repositories, [repository]);
    const first = await cluster.director();
    await using near = await first.connect();
    assert.deepEqual((await near.ask("repositories.list", {})).repositories, [repository]);
    for (const { faults } of cluster.nodes) assert.deepEqual(faults, []);
  });
});
