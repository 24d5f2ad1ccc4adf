import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Entry } from "@atrium/log";
import { skipWithoutSandbox } from "../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../scripts/system-programs.ts";
import { attend, isFinished } from "../kit/attend.ts";
import { MERGE_STORY, withoutDelivery } from "../kit/merge-story.ts";
import { startedWith } from "../kit/processes.ts";
import { chooseSeed, createRandom } from "../kit/random.ts";
import { startServer, type ServerProcess } from "../kit/server-process.ts";
import { git, makeBusyRepository, readEntries, storeOf, writeSettings } from "../kit/workshop.ts";
import { enterWorld } from "../kit/world-peer.ts";

const KILLS = 40;
const MAX_LIFE_MS = 900;
const skip = skipWithout("git") || skipWithoutSandbox();

test(
  "[SHOP-19] over forty kills from plan to delivery nothing approved is lost, nothing lands twice, and every milestone is told once",
  { skip },
  async (t) => {
    const seed = chooseSeed();
    t.diagnostic(`seed ${seed}`);
    const random = createRandom(seed);
    const root = await mkdtemp(join(tmpdir(), "atrium-merge-"));
    try {
      const home = join(root, "home");
      const repository = makeBusyRepository(join(root, "repository"));
      await writeSettings(home, { ...MERGE_STORY, repository });
      const before = withoutDelivery(repository);
      for (let kill = 0; kill < KILLS; kill++) {
        await using server = await startServer(home);
        const end = performance.now() + random() * MAX_LIFE_MS;
        do {
          // No life without work.
          if (isFinished(await attend(server))) await request(server);
          await setTimeout(10);
        } while (performance.now() < end);
        await server.end("SIGKILL");
        // Every second time its git dies with it, wherever that was.
        if (kill % 2 === 0) killGit(home);
      }
      {
        await using server = await startServer(home);
        while (!isFinished(await attend(server))) await setTimeout(50);
        assert.equal(await server.end(), 0);
      }
      const entries = await readEntries(home);
      const stories = Map.groupBy(
        entries.filter(({ stream }) => stream.startsWith("project/")),
        ({ stream }) => stream,
      );
      for (const story of stories.values()) {
        proveMilestones(story);
        proveDelivery(repository, story);
      }
      // Not in each story: a price whose run was killed begins again, maybe upon the one that landed meanwhile.
      const isConflicted = told(entries, "project.change_conflicted").length > 0;
      assert.ok(isConflicted, "two prices conflict");
      proveChecksAndTrophies(entries, stories.size);
      const store = storeOf({ home }, "shop");
      assert.doesNotMatch(git(store, "fsck", "--full", "--strict"), /missing|broken|error|corrupt/);
      assert.deepEqual(withoutDelivery(repository), before);
      t.diagnostic(`${stories.size} projects, ${entries.length} entries`);
    } finally {
      await rm(root, { recursive: true, force: true, maxRetries: 20 });
    }
  },
);

async function request(server: ServerProcess): Promise<void> {
  await using peer = await enterWorld(server);
  await peer.ask("submit_request", { text: "Two prices", repository: "shop" });
}

function killGit(home: string): void {
  for (const pid of startedWith(`HOME=${join(home, "workshop/empty")}`)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

type Data = Readonly<Record<string, unknown>>;

const told = (entries: readonly Entry[], type: string): readonly Data[] =>
  entries.filter((entry) => entry.type === type).map(({ data }) => data as Data);

function proveMilestones(entries: readonly Entry[]): void {
  const once = (type: string, ...by: readonly string[]): void => {
    const all = told(entries, type).map((data) => by.map((name) => data[name]).join(" "));
    assert.deepEqual(all.toSorted(), [...new Set(all)].toSorted(), type);
  };
  once("project.request_submitted");
  once("project.request_accepted");
  once("project.kickoff_started");
  once("project.tasks_created");
  once("project.kickoff_finished");
  once("project.completed");
  once("project.delivered", "commit");
  once("project.task_done", "taskId");
  once("project.change_landed", "artifactId");
  once("project.artifact_created", "artifactId", "version");
  once("project.artifact_delivered", "artifactId", "version");
  once("project.checks_started", "artifactId", "version");
  once("project.checks_finished", "artifactId", "version");
  proveApprovals(entries);
  assert.equal(told(entries, "project.task_done").length, 4);
  assert.equal(told(entries, "project.change_landed").length, 4);
}

/** Each has one end: merged, in conflict, or not to be merged. What a person approves again has another. */
function proveApprovals(entries: readonly Entry[]): void {
  const pending = new Map<unknown, unknown>();
  for (const { type, data } of entries) {
    const { artifactId, taskId } = data as Data;
    switch (type) {
      case "project.review_approved":
        assert.ok(!pending.has(artifactId), `${String(artifactId)} is approved once`);
        pending.set(artifactId, taskId);
        break;
      case "project.change_landed":
      case "project.change_conflicted":
        assert.ok(pending.delete(artifactId), `${String(artifactId)} was approved`);
        break;
      case "project.task_failed":
        for (const [id, of] of pending) if (of === taskId) pending.delete(id);
    }
  }
  assert.equal(pending.size, 0);
}

/** What a check said of a tree is not asked again, and a project has one trophy. */
function proveChecksAndTrophies(entries: readonly Entry[], projects: number): void {
  const verdicts = told(entries, "workspace.check_finished").filter(({ verdict }) => {
    return verdict === "passed" || verdict === "failed";
  });
  const checked = verdicts.map(({ checkId }) => checkId);
  assert.ok(checked.length > 0);
  assert.equal(new Set(checked).size, checked.length, "each check of a tree ends once");
  const trophies = told(entries, "decor.unlocked").map(({ decorId }) => decorId);
  assert.equal(new Set(trophies).size, trophies.length, "each trophy is given once");
  assert.equal(trophies.length, projects);
}

function proveDelivery(repository: string, entries: readonly Entry[]): void {
  const [delivered] = told(entries, "project.delivered");
  const { ref, commit } = delivered as { readonly ref: string; readonly commit: string };
  const branch = ref.replace(/^refs\/heads\//, "");
  assert.equal(git(repository, "rev-parse", branch).trim(), commit);
  const show = (path: string): string => git(repository, "show", `${branch}:${path}`);
  assert.equal(show("src/price.ts").trim(), "export const price = 30;");
  assert.match(show("after-one.txt"), /price = (?:10|20|30)/);
  assert.equal(show("docs/guide.md").trim(), "guide");
  const landed = told(entries, "project.change_landed").map((data) => String(data["commit"]));
  const line = git(repository, "rev-list", "--first-parent", branch).trim().split("\n");
  assert.deepEqual(
    line.filter((each) => landed.includes(each)).toSorted(),
    landed.toSorted(),
    "each is on the branch once",
  );
  assert.equal(line.length, landed.length + 1, "and nothing else but what was there before");
}
