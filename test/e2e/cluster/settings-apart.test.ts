/** Settings of nodes whose files differ, cannot be written, or are behind. */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createMemoryChain } from "@atrium/log/chain";
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

interface ClusterStatus {
  readonly warnings: readonly string[];
  readonly nodes: readonly { readonly name: string }[];
}

async function statusAt(node: TestNode): Promise<ClusterStatus> {
  await using peer = await node.connect();
  const { cluster } = (await peer.ask("status", {})) as unknown as { cluster: ClusterStatus };
  return cluster;
}

async function warningsAt(node: TestNode): Promise<readonly string[]> {
  const { warnings } = await statusAt(node);
  return warnings.filter((text) => text.includes("changed settings"));
}

async function nodesSeenBy(node: TestNode): Promise<readonly string[]> {
  return (await statusAt(node)).nodes.map(({ name }) => name);
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

test("[NODE-65] a home that an earlier release used takes over what was changed while it could not", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  await untilMet(cluster);
  const [director, other] = [await cluster.director(), await cluster.other()];
  const { name, home } = other;
  await other.close();
  await rm(join(home, "settings-progress.json"));
  await writeFile(fileOf(other), '{"budgets": {"run": {"tokens": 3}, "project": {"tokens": 9}}}');
  await patchSettings(director, RUN_TOKENS);
  const back = await cluster.open(name);
  assert.deepEqual(await budgetsAt(back), { run: 5, project: 9 });
});

test("[NODE-65] a damaged place is reported, and the node has what the others have", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  await untilMet(cluster);
  const [director, other] = [await cluster.director(), await cluster.other()];
  const { name, home } = other;
  await patchSettings(other, PROJECT_TOKENS);
  await other.close();
  await writeFile(join(home, "settings-progress.json"), "{");
  await patchSettings(director, RUN_TOKENS);
  const back = await cluster.open(name);
  assert.deepEqual(await budgetsAt(back), { run: 5, project: 8 });
  assert.ok(back.faults.some(({ message }) => message.includes("takes over all of them again")));
});

test("[NODE-68] a director that was cut off while it kept a key overwrites none of the next one", async () => {
  const [NAME, NEXT] = ["FIRST_KEY", "NEXT_KEY"];
  const chain = createMemoryChain();
  const write = chain.publish.bind(chain);
  const cutOff = Promise.withResolvers<void>();
  let first: TestNode | undefined;
  chain.publish = async (after, bytes) => {
    const done = await write(after, bytes);
    if (first !== undefined && Buffer.from(bytes).toString("latin1").includes("key_kept")) {
      first.cut();
      first = undefined;
      cutOff.resolve();
    }
    return done;
  };
  await using cluster = await openTestCluster({ nodes: 2, chain });
  await untilMet(cluster);
  const director = await cluster.director();
  first = director;
  const keeping = askSettings(director, "PUT", `/keys/${NAME}`, { value: "first-secret" });
  await cutOff.promise;
  const next = await cluster.director(director);
  const kept = await askSettings(next, "PUT", `/keys/${NEXT}`, { value: "next-secret" });
  assert.equal(kept.status, 200, JSON.stringify(kept.body));
  director.heal();
  assert.equal((await keeping).body.error?.code, "log.fenced", JSON.stringify(await keeping));
  const keys = JSON.parse(await readFile(join(cluster.shared, "keys.json"), "utf8"));
  assert.deepEqual(keys, { [NEXT]: "next-secret" });
});

test("[NODE-68] a key that nobody took does not stay in the shared folder", async () => {
  await using cluster = await openTestCluster({ nodes: 2 });
  await untilMet(cluster);
  const [director, other] = [await cluster.director(), await cluster.other()];
  // Whoever was never heard is not missed either.
  await until(async () => (await nodesSeenBy(other)).includes(director.name));
  director.cut();
  const asked = await askSettings(other, "PUT", "/keys/SOME_KEY", { value: "some-secret" });
  assert.match(asked.body.error?.code ?? "", /^cluster\.(?:silent|leaderless)$/);
  const left = await readdir(join(cluster.shared, "settings"));
  assert.deepEqual(left, []);
  director.heal();
});
