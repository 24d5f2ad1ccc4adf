import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Entry } from "@atrium/log";
import { skipWithoutSandbox } from "../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../scripts/system-programs.ts";
import type { Behavior } from "../kit/model-server/behavior.ts";
import { openModelServer } from "../kit/model-server/model-server.ts";
import { gone, startedWith } from "../kit/processes.ts";
import { chooseSeed, createRandom } from "../kit/random.ts";
import { startServer } from "../kit/server-process.ts";
import {
  contentsOf,
  git,
  makeBusyRepository,
  modelOn,
  readEntries,
  requestWork,
  storeOf,
  writeSettings,
} from "../kit/workshop.ts";
import { enterWorld, type WorldPeer } from "../kit/world-peer.ts";

const KILLS = 40;
const MAX_LIFE_MS = 1_500;
/** Fewer would prove little; how many there are depends on how busy the machine is. */
const MIN_TREES = 10;
const skip = skipWithout("git") || skipWithoutSandbox();
const AGENTS = [
  { id: "agent_eng_1", runtime: "local" },
  { id: "agent_eng_2", runtime: "program" },
];
/** Writes for as long as it lives, and tells of every file. */
const PROGRAM = `cat > /dev/null; n=0
while :; do
  n=$((n + 1)); mkdir -p "d$((n % 5))"; echo "$n" > "d$((n % 5))/$$-$n.txt"
  echo '{"type":"tool.called","id":"'$n'","name":"save","input":{"n":'$n'}}'
  echo '{"type":"tool.returned","id":"'$n'","text":"saved"}'
done`;

test(
  "[SHOP-5] over forty kills of busy runs the log is never ahead of git, and nothing is left behind",
  { skip },
  async (t) => {
    const seed = chooseSeed();
    t.diagnostic(`seed ${seed}`);
    const random = createRandom(seed);
    let calls = 0;
    await using model = await openModelServer((): Behavior => {
      calls += 1;
      const write = {
        name: "write",
        input: { path: `d${calls % 7}/${calls}.txt`, content: "x\n" },
      };
      const run = { name: "run", input: { command: `echo ${calls} > ran.txt` } };
      return { type: "answer", toolCalls: [calls % 4 === 0 ? run : write] };
    });
    const local = modelOn(model.baseUrl);
    const program = { type: "command", command: ["/bin/sh", "-c", PROGRAM] };
    const root = await mkdtemp(join(tmpdir(), "atrium-shop-"));
    try {
      const home = join(root, "home");
      const repository = makeBusyRepository(join(root, "repository"));
      await writeSettings(home, { repository, runtimes: { local, program }, agents: AGENTS });
      const before = contentsOf(repository);
      {
        await using server = await startServer(home);
        await using peer = await enterWorld(server);
        await requestWork(peer, AGENTS, "Keep on writing", "shop");
        await server.end("SIGKILL");
      }
      for (let kill = 1; kill < KILLS; kill++) {
        await using server = await startServer(home);
        // Some die while they take up what was left, most in the middle of work.
        await using peer = await enterWorld(server);
        await goOn(peer);
        if (kill % 4 !== 0) await Promise.race([hasWorked(peer), setTimeout(MAX_LIFE_MS)]);
        await setTimeout(random() * 250);
        await server.end("SIGKILL");
      }
      const entries = await readEntries(home);
      proveTrees(home, entries);
      t.diagnostic(`${entries.length} entries, ${calls} steps of the model`);
      await proveEmpty(home);
      assert.deepEqual(contentsOf(repository), before);
    } finally {
      await rm(root, { recursive: true, force: true, maxRetries: 20 });
    }
  },
);

/** What was interrupted too often has failed, and is asked for again. */
async function goOn(peer: WorldPeer): Promise<void> {
  for (const { task_id, status } of tasksOf(peer)) {
    if (status === "failed") await peer.command("rerun_task", { task_id });
  }
}

const hasWorked = (peer: WorldPeer): Promise<unknown> =>
  peer.event("tool_returned").catch(() => undefined);

function tasksOf(peer: WorldPeer): readonly Readonly<Record<string, string>>[] {
  return peer.told("snapshot").at(-1)?.payload.tasks ?? [];
}

function proveTrees(home: string, entries: readonly Entry[]): void {
  const store = storeOf({ home }, "shop");
  const kept = new Set(git(store, "log", "--format=%T", "--glob=refs/atrium/*").split("\n"));
  const trees = entries.flatMap(({ data }) => (data as { readonly tree?: string }).tree ?? []);
  assert.ok(trees.length > MIN_TREES, `${trees.length} trees`);
  assert.deepEqual(
    trees.filter((tree) => !kept.has(tree)),
    [],
  );
  assert.doesNotMatch(git(store, "fsck", "--full", "--strict"), /missing|broken|error|corrupt/);
}

/** Killed once more as its work is cancelled: the next life takes away what is over. */
async function proveEmpty(home: string): Promise<void> {
  {
    await using server = await startServer(home);
    await using peer = await enterWorld(server);
    const [project] = peer.told("snapshot").at(-1)?.payload.projects ?? [];
    await peer.ask("cancel_project", { project_id: project.project_id, confirm: true });
    await server.end("SIGKILL");
  }
  const worktrees = join(home, "workshop/worktrees");
  {
    await using server = await startServer(home);
    while (readdirSync(worktrees).length > 0) await setTimeout(20);
    assert.equal(await server.end(), 0);
  }
  const store = storeOf({ home }, "shop");
  assert.deepEqual(readdirSync(join(home, "workshop/trash")), []);
  assert.equal(git(store, "for-each-ref", "refs/heads/workspace"), "");
  assert.equal(git(store, "worktree", "list").split("\n").length, 1);
  const all = readdirSync(join(home, "workshop"), { recursive: true, encoding: "utf8" });
  assert.deepEqual(
    all.filter((name) => /\.lock$|tmp_obj_/.test(name)),
    [],
  );
  const entries = await readEntries(home);
  const taskIds = new Set(
    entries.filter(({ type }) => type === "workspace.opened").map(({ stream }) => stream),
  );
  for (const stream of taskIds) {
    const last = entries.findLast((entry) => entry.stream === stream);
    assert.equal(last?.type, "workspace.discarded");
    await gone(startedWith(`ATRIUM_TASK_ID=${stream.replace("workspace/", "")}`));
  }
}
