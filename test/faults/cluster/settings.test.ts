/** Real nodes over a real nats-server: killed while settings change, and woken with a file that cannot be used. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { untilMet } from "../../kit/atrium-cluster.ts";
import {
  startCluster,
  type ClusterProcesses,
  type NodeProcess,
} from "../../kit/cluster-processes.ts";
import { makeNextRelease, type Edit } from "../../kit/next-release.ts";
import { askSettings, fileOf, patchSettings } from "../../kit/settings.ts";

const skip = skipWithout("nats-server");
const ROUNDS = 4;

async function shownAt(node: NodeProcess): Promise<number> {
  return (await askSettings(node, "GET")).body.values.office.meetingMs as number;
}

async function inFileOf(node: NodeProcess): Promise<number> {
  const text = await readFile(fileOf(node), "utf8");
  return (JSON.parse(text) as { office: { meetingMs: number } }).office.meetingMs;
}

const CHANGE = "apps/server/src/settings/live/change-settings.ts";

/** Dies when a change has that number in it. */
const dieWith = (change: string, number: number): string =>
  `if (JSON.stringify(${change}).includes("${number}")) process.kill(process.pid, "SIGKILL");`;

/** Who dies of which number, and whether the log has the change by then. */
const STEPS = {
  kept: { number: 661, isDirector: false, isLogged: false },
  drafted: { number: 662, isDirector: true, isLogged: false },
  logged: { number: 663, isDirector: true, isLogged: true },
  written: { number: 664, isDirector: true, isLogged: true },
  takenOver: { number: 665, isDirector: false, isLogged: true },
} as const;

/** Sources that die right after each step of a change. */
const DEATHS: readonly Edit[] = [
  {
    file: CHANGE,
    from: "await shared.keep(changeId, change);",
    to: `await shared.keep(changeId, change); ${dieWith("change", STEPS.kept.number)}`,
  },
  {
    file: CHANGE,
    from: "const entry = await entryOf(",
    to: `${dieWith("wanted", STEPS.drafted.number)} const entry = await entryOf(`,
  },
  {
    file: CHANGE,
    from: "const changed = entry.changes.map(",
    to: `${dieWith("wanted", STEPS.logged.number)} const changed = entry.changes.map(`,
  },
  {
    file: CHANGE,
    from: "await shared?.pass(",
    to: `${dieWith("wanted", STEPS.written.number)} await shared?.pass(`,
  },
  {
    file: "apps/server/src/settings/live/take-over.ts",
    from: "await shared.pass(",
    to: `${dieWith("change", STEPS.takenOver.number)} await shared.pass(`,
  },
];

/** Makes a change that comes after all others, so whoever has it has those, and waits until all nodes have it. */
async function untilAllHave(cluster: ClusterProcesses, tokens: number): Promise<void> {
  const patch = { budgets: { run: { tokens } } };
  const isChanged = async (): Promise<boolean> =>
    (await patchSettings(await cluster.director(), patch).catch(() => undefined))?.status === 200;
  while (!(await isChanged())) await setTimeout(100);
  for (const node of cluster.nodes.values()) {
    while ((await askSettings(node, "GET")).body.values.budgets.run.tokens !== tokens) {
      await setTimeout(20);
    }
  }
}

/** Asks every node in turn for one number after the other, until it is stopped. */
function keepChanging({ nodes }: ClusterProcesses, from: number) {
  const state = { isOver: false, acknowledged: 0 };
  const changing = (async (): Promise<void> => {
    for (let value = from; !state.isOver; value += 1) {
      for (const node of nodes.values()) {
        const patch = { office: { meetingMs: value } };
        const done = state.isOver || (await patchSettings(node, patch).catch(() => undefined));
        if (typeof done === "object" && done.status === 200) state.acknowledged = value;
      }
    }
  })();
  return {
    async untilOne(): Promise<void> {
      while (state.acknowledged === 0) await setTimeout(5);
    },
    /** Resolves with the last one that was acknowledged. */
    async stop(): Promise<number> {
      state.isOver = true;
      await changing;
      return state.acknowledged;
    },
  };
}

test(
  "[NODE-69] whichever node is killed at any moment of a change, all nodes agree afterwards",
  { skip, timeout: 240_000 },
  async (t) => {
    await using cluster = await startCluster();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const isDirector = round % 2 === 1;
      const victim = isDirector ? await cluster.director() : await cluster.other();
      const changing = keepChanging(cluster, round * 1_000);
      await changing.untilOne();
      // Any moment will do: what must hold does not depend on it.
      await setTimeout(23 * round);
      await victim.end("SIGKILL");
      const acknowledged = await changing.stop();
      await cluster.start(victim.name);
      await untilAllHave(cluster, round);
      const nodes = [...cluster.nodes.values()];
      const [first = 0, ...others] = await Promise.all(nodes.map(shownAt));
      assert.deepEqual(others, [first, first], `round ${round}`);
      assert.deepEqual(await Promise.all(nodes.map(inFileOf)), [first, first, first]);
      t.diagnostic(`round ${round}: ${acknowledged} acknowledged, ${first} in effect`);
      assert.ok(first >= acknowledged, `${first} is older than ${acknowledged}`);
    }
  },
);

test(
  "[NODE-69] a node that dies between the steps of a change and starts again has what the others have",
  { skip, timeout: 240_000 },
  async () => {
    using release = makeNextRelease(DEATHS);
    const main = release.pathOf("apps/server/src/main.ts");
    await using cluster = await startCluster({ names: [] });
    for (const name of ["a", "b"]) await cluster.start(name, main);
    let [expected, tokens] = [1, 1];
    await patchSettings(await cluster.other(), { office: { meetingMs: expected } });
    for (const [step, { number, isDirector, isLogged }] of Object.entries(STEPS)) {
      await untilMet({ nodes: [...cluster.nodes.values()] });
      const [director, asked] = [await cluster.director(), await cluster.other()];
      const victim = isDirector ? director : asked;
      const asking = patchSettings(asked, { office: { meetingMs: number } }).catch(() => undefined);
      await victim.exited;
      await asking;
      if (isLogged) expected = number;
      // The sources that do not die of it.
      await cluster.start(victim.name);
      await untilAllHave(cluster, (tokens += 1));
      for (const node of cluster.nodes.values()) {
        assert.equal(await shownAt(node), expected, `${step}: ${node.name}`);
        assert.equal(await inFileOf(node), expected, `${step}: ${node.name}`);
      }
      await cluster.nodes.get(victim.name)?.end();
      await cluster.start(victim.name, main);
    }
  },
);

test(
  "[SET-24] a director that was stopped serves again on its port, though its file cannot be used",
  { skip, timeout: 120_000 },
  async () => {
    await using cluster = await startCluster({ names: ["a", "b"] });
    const first = await cluster.director();
    assert.equal((await patchSettings(first, { office: { meetingMs: 7 } })).status, 200);
    first.stop();
    await cluster.director(first.name);
    const lost = { type: "model", provider: "anthropic", model: "m", apiKeyEnv: "NO_KEY" };
    const office = { meetingMs: 8 };
    await writeFile(
      fileOf(first),
      JSON.stringify({ office, crewRuntime: "lost", runtimes: { lost } }),
    );
    first.wake();
    while (!(await first.journal()).includes("open again")) await setTimeout(50);
    assert.equal(await shownAt(first), 7);
    assert.match(await first.journal(), /opens with those that it had/);
    const { body } = await patchSettings(first, { crewRuntime: null, runtimes: { lost: null } });
    assert.ok(body.changed?.includes("runtimes.lost"), JSON.stringify(body));
    assert.equal(await shownAt(first), 8, "the rest of the file comes into effect with a change");
  },
);
