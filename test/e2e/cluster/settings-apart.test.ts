/** Settings of nodes whose files differ, cannot be written, or are behind. */
import assert from "node:assert/strict";
import { mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openTestCluster, untilMet, type TestNode } from "../../kit/atrium-cluster.ts";
import { askSettings, fileOf, patchSettings, readFileOf } from "../../kit/settings.ts";

const RUN_TOKENS = { budgets: { run: { tokens: 5 } } };
const PROJECT_TOKENS = { budgets: { project: { tokens: 8 } } };

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await setTimeout(20);
}

async function budgetsAt(node: TestNode): Promise<{ run: number; project: number }> {
  const { run, project } = (await askSettings(node, "GET")).body.values.budgets;
  return { run: run.tokens, project: project.tokens };
}

async function settingsEntries({ log }: TestNode): Promise<readonly string[]> {
  const entries = await Array.fromAsync(log.read({ stream: "settings/server" }));
  return entries.map(({ type }) => type);
}

async function warningsAt(node: TestNode): Promise<readonly string[]> {
  await using peer = await node.connect();
  const { cluster } = (await peer.ask("status", {})) as unknown as {
    readonly cluster: { readonly warnings: readonly string[] };
  };
  return cluster.warnings.filter((text) => text.includes("changed settings"));
}

/** It can be read as absent, and not be written. */
const makeUnwritable = (node: TestNode): Promise<void> =>
  symlink(join(node.home, "gone", "settings.json"), fileOf(node));

test("[SET-23] where the director cannot write its file nothing is in the log, and no node has the change", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  await untilMet(cluster);
  const [director, other] = [await cluster.director(), await cluster.other()];
  await makeUnwritable(director);
  for (const node of [director, other]) {
    const { body } = await patchSettings(node, RUN_TOKENS);
    assert.equal(body.error?.code, "settings.unwritable", JSON.stringify(body));
  }
  assert.deepEqual(await settingsEntries(director), []);
  await rm(fileOf(director));
  assert.deepEqual((await patchSettings(other, RUN_TOKENS)).body.changed, ["budgets"]);
  assert.equal((await budgetsAt(director)).run, 5);
  assert.equal((await budgetsAt(other)).run, 5);
});

test("[NODE-64] a change is made where it was asked for, also when the director's file says so already", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  await untilMet(cluster);
  const [director, other] = [await cluster.director(), await cluster.other()];
  const bee = { id: "agent_bd", name: "Bee", role: "front desk" };
  const ex = { id: "agent_x", name: "Ex", role: "writer" };
  const write = (node: TestNode, tokens: number, agents: readonly object[]): Promise<void> =>
    writeFile(fileOf(node), JSON.stringify({ budgets: { run: { tokens } }, agents }));
  await write(director, 5, [bee]);
  await write(other, 3, [bee, ex]);
  const done = await patchSettings(other, RUN_TOKENS);
  assert.deepEqual(done.body.changed, ["budgets.run.tokens"], JSON.stringify(done.body));
  assert.equal((await budgetsAt(other)).run, 5);
  assert.equal(JSON.parse(await readFileOf(other)).budgets.run.tokens, 5);
  assert.deepEqual(await settingsEntries(director), ["settings.changed"]);
  const removed = await patchSettings(other, { ...PROJECT_TOKENS, agents: { agent_x: null } });
  assert.deepEqual(removed.body.changed, ["budgets.project", "agents.agent_x"]);
  assert.equal(JSON.parse(await readFileOf(other)).agents.length, 1);
  assert.equal((await budgetsAt(director)).project, 8);
  assert.deepEqual((await patchSettings(other, RUN_TOKENS)).body.changed, []);
  const gone = await patchSettings(other, { agents: { agent_x: null } });
  assert.equal(gone.body.error?.code, "agent.unknown");
  assert.equal((await settingsEntries(director)).length, 2);
});

test("[NODE-67] a node that cannot write its file says so in status at every node, and takes the change over by itself later", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  await untilMet(cluster);
  const [director, other] = [await cluster.director(), await cluster.other()];
  await makeUnwritable(other);
  assert.equal((await patchSettings(director, RUN_TOKENS)).status, 200);
  for (const node of [other, director]) {
    await until(async () => (await warningsAt(node)).length > 0);
    const [warning = ""] = await warningsAt(node);
    assert.ok(warning.startsWith(`node ${other.name}: it has not taken over changed`), warning);
    assert.ok(warning.includes(fileOf(other)), warning);
  }
  assert.notEqual((await budgetsAt(other)).run, 5);
  await rm(fileOf(other));
  await until(async () => (await budgetsAt(other)).run === 5);
  for (const node of [other, director]) {
    await until(async () => (await warningsAt(node)).length === 0);
  }
  const notes = other.notes.filter(({ what }) => String(what).includes("not taken over"));
  assert.equal(notes.length, 1, "however often it was tried");
});

test("[NODE-67] a shared folder that cannot be read holds a node up until it can be", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  await untilMet(cluster);
  const [director, other] = [await cluster.director(), await cluster.other()];
  const { name } = other;
  await other.close();
  await patchSettings(director, RUN_TOKENS);
  const folder = join(cluster.shared, "settings");
  const [change = ""] = await readdir(folder);
  // What is read as a file and is none: an error of reading that is no absence.
  const kept = join(folder, change);
  await rename(kept, `${kept}.kept`);
  await mkdir(kept);
  const back = await cluster.open(name);
  assert.equal((await warningsAt(back)).length, 1);
  assert.notEqual((await budgetsAt(back)).run, 5);
  await rm(kept, { recursive: true });
  await rename(`${kept}.kept`, kept);
  await until(async () => (await budgetsAt(back)).run === 5);
});
