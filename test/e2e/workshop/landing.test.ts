/** Approved changes on their project's line: merged, taken back, brought up to date. */
import assert from "node:assert/strict";
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithout } from "../../../scripts/system-programs.ts";
import {
  contentsOf,
  git,
  openShop,
  storeOf,
  type Shop,
  type ShopSettings,
} from "../../kit/workshop.ts";
import { codeOf, type WorldMessage } from "../../kit/world-peer.ts";

const skip = skipWithout("git");

type Payload = WorldMessage["payload"];

/** Each is a shell script: what it does may depend on the task. */
function shopWith(script: string, agents = ["agent_eng_1", "agent_eng_2"]): ShopSettings {
  const command = ["/bin/sh", "-c", `cat > /dev/null; ${script}`];
  const worker = { type: "command", command };
  return { runtimes: { worker }, agents: agents.map((id) => ({ id, runtime: "worker" })) };
}

async function delivered({ peer }: Shop, taskId: string, version = 1): Promise<string> {
  const { payload } = await peer.first(
    ({ payload: each }) =>
      each.name === "artifact_delivered" && each.task_id === taskId && each.version === version,
  );
  return payload.artifact_id;
}

async function eventOf({ peer }: Shop, name: string, artifactId: string): Promise<Payload> {
  const { payload } = await peer.first(
    ({ payload: each }) => each.name === name && each.artifact_id === artifactId,
  );
  return payload;
}

const lineOf = (shop: Shop, projectId: string): string =>
  git(storeOf(shop, "shop"), "log", "--format=%s", `refs/heads/atrium/${projectId}/line`);

const projectOf = ({ peer }: Shop): string => {
  const [planned] = peer.told("event").filter(({ payload }) => payload.name === "kickoff_finished");
  return planned?.payload.project_id;
};

test(
  "[SHOP-14] an approved change lands on the project's line, its task is done with it, and its folder goes",
  { skip },
  async () => {
    await using shop = await openShop(
      shopWith('echo "$ATRIUM_TASK_ID" > "made-$ATRIUM_TASK_ID.txt"'),
    );
    const before = contentsOf(shop.repository);
    const [first = "", second = ""] = await shop.request("Make it", "shop");
    const artifactId = await delivered(shop, first);
    await delivered(shop, second);
    const early = await shop.peer.command("approve_artifact", {
      artifact_id: artifactId,
      expected_version: 2,
    });
    assert.equal(codeOf(early), "CONFLICT");
    await shop.peer.ask("approve_artifact", { artifact_id: artifactId });
    const landed = await eventOf(shop, "change_landed", artifactId);
    await shop.peer.first(
      ({ payload }) => payload.name === "task_done" && payload.task_id === first,
    );
    const folders = (): readonly string[] => readdirSync(join(shop.home, "workshop/worktrees"));
    while (folders().some((name) => name.startsWith(first))) await setTimeout(20);
    assert.equal(folders().length, 1, "the other one is still there");
    const store = storeOf(shop, "shop");
    assert.equal(
      git(store, "rev-parse", `refs/heads/atrium/${projectOf(shop)}/line`),
      landed.commit,
    );
    assert.equal(git(store, "show", `${landed.commit}:made-${first}.txt`), first);
    const said = git(store, "log", "-1", "--format=%an%n%B", landed.commit);
    assert.match(said, /^agent_eng_1\nWork of agent_eng_1\n\n/);
    assert.match(
      said,
      new RegExp(`^Atrium-Change: ${artifactId} version 1\nApproved-by: tester$`, "m"),
    );
    const again = await shop.peer.command("approve_artifact", { artifact_id: artifactId });
    assert.equal(codeOf(again), "CONFLICT");
    assert.deepEqual(contentsOf(shop.repository), before);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[SHOP-15] a landed change is taken back by a commit of its own; one that others build on stays, and says with what it conflicts",
  { skip },
  async () => {
    const script =
      'case "$ATRIUM_TASK_ID" in *_1) echo one > made.txt;; *) echo two > made.txt;; esac';
    await using shop = await openShop({
      ...shopWith(script),
      tasks: [{ title: "First" }, { title: "Second", after: [1] }],
    });
    const [first = "", second = ""] = await shop.request("Make it", "shop");
    const one = await delivered(shop, first);
    await shop.peer.ask("approve_artifact", { artifact_id: one });
    const two = await delivered(shop, second);
    await shop.peer.ask("approve_artifact", { artifact_id: two });
    await shop.peer.event("project_completed");
    await shop.peer.ask("revert_artifact", { artifact_id: one });
    const failed = await eventOf(shop, "revert_failed", one);
    assert.match(failed.reason, /made\.txt/);
    await shop.peer.ask("revert_artifact", { artifact_id: two });
    const reverted = await eventOf(shop, "change_reverted", two);
    await shop.peer.ask("revert_artifact", { artifact_id: one });
    await eventOf(shop, "change_reverted", one);
    const store = storeOf(shop, "shop");
    assert.equal(git(store, "show", `${reverted.commit}:made.txt`), "one");
    assert.deepEqual(lineOf(shop, projectOf(shop)).split("\n").slice(0, 4), [
      "Revert “First”",
      "Revert “Second”",
      "Second",
      "First",
    ]);
    const late = await shop.peer.command("revert_artifact", { artifact_id: one });
    assert.equal(codeOf(late), "CONFLICT");
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[SHOP-16] a line is brought up to date with a repository that moved on; what conflicts is named and changes nothing",
  { skip },
  async () => {
    await using shop = await openShop(shopWith("echo ours > made.txt", ["agent_eng_1"]));
    const [taskId = ""] = await shop.request("Make it", "shop");
    const artifactId = await delivered(shop, taskId);
    const project_id = projectOf(shop);
    const early = await shop.peer.command("update_project", { project_id });
    assert.equal(codeOf(early), "CONFLICT");
    await shop.peer.ask("approve_artifact", { artifact_id: artifactId });
    await shop.peer.event("project_completed");
    git(shop.repository, "stash", "push", "--quiet", "--include-untracked");
    const moved = async (path: string, content: string): Promise<Payload> => {
      writeFileSync(join(shop.repository, path), content);
      git(shop.repository, "add", path);
      git(shop.repository, "commit", "--quiet", "-m", `Change ${path}`);
      const next = shop.peer.next(({ payload }) =>
        ["line_updated", "update_failed"].includes(payload.name),
      );
      await shop.peer.ask("update_project", { project_id });
      return (await next).payload;
    };
    const updated = await moved("theirs.txt", "theirs\n");
    assert.equal(updated.name, "line_updated");
    const store = storeOf(shop, "shop");
    assert.equal(git(store, "show", `${updated.commit}:theirs.txt`), "theirs");
    assert.equal(git(store, "show", `${updated.commit}:made.txt`), "ours");
    const failed = await moved("made.txt", "theirs\n");
    assert.equal(failed.name, "update_failed");
    assert.deepEqual(failed.paths, [{ path: "made.txt", kind: "content" }]);
    assert.equal(git(store, "rev-parse", `refs/heads/atrium/${project_id}/line`), updated.commit);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[SHOP-17] a conflict goes back with both sides, twice; then it waits for a person, whose retry lands",
  { skip },
  async () => {
    // The second does not look at what the others did: it keeps its own, without the marks.
    const script = 'echo "$ATRIUM_TASK_ID $$" > made.txt; echo "Made."';
    await using shop = await openShop({
      ...shopWith(script, ["agent_eng_1", "agent_eng_2", "agent_eng_3", "agent_eng_4"]),
      tasks: [
        { title: "First" },
        { title: "Second" },
        { title: "Third", after: [1] },
        { title: "Fourth", after: [3] },
      ],
    });
    const [first = "", second = "", ...later] = await shop.request("Make it", "shop");
    const two = await delivered(shop, second);
    for (const [index, taskId] of [first, ...later].entries()) {
      const artifact_id = await delivered(shop, taskId);
      await shop.peer.ask("approve_artifact", { artifact_id });
      await eventOf(shop, "change_landed", artifact_id);
      await delivered(shop, second, index + 1);
      const conflict = shop.peer.next(({ payload }) => payload.name === "change_conflicted");
      await shop.peer.ask("approve_artifact", { artifact_id: two });
      assert.deepEqual((await conflict).payload.paths, [{ path: "made.txt", kind: "content" }]);
    }
    const { payload: failed } = await shop.peer.event("task_failed");
    assert.match(failed.reason, /conflicts with other approved work in made\.txt/);
    await shop.peer.ask("rerun_task", { task_id: second });
    await delivered(shop, second, 4);
    await shop.peer.ask("approve_artifact", { artifact_id: two });
    await shop.peer.event("project_completed");
    const subjects = lineOf(shop, projectOf(shop)).split("\n").slice(0, 4);
    assert.deepEqual(subjects, ["Second", "Fourth", "Third", "First"]);
    const entries = await shop.entries();
    const kinds = entries.flatMap(({ stream, type }) =>
      stream === `workspace/${second}` && type.startsWith("workspace.re") ? [type] : [],
    );
    assert.deepEqual(
      kinds.slice(1),
      Array.from({ length: 3 }, () => "workspace.rebased"),
    );
    const runs = entries.filter(({ type }) => type === "run.requested");
    const prompts = runs.map(({ data }) => JSON.stringify(data));
    assert.equal(
      prompts.filter((text) => /conflict/i.test(text) && /made\.txt/.test(text)).length,
      3,
    );
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[SHOP-17] a change that cannot be merged at all fails its task with the reason, and its retry lands",
  { skip },
  async () => {
    await using shop = await openShop(shopWith("echo made > made.txt", ["agent_eng_1"]));
    const [taskId = ""] = await shop.request("Make it", "shop");
    const artifact_id = await delivered(shop, taskId);
    const refs = join(storeOf(shop, "shop"), "refs/heads/atrium");
    // Somebody has made a file of the folder that the line is in.
    renameSync(refs, `${refs}-away`);
    writeFileSync(refs, "");
    await shop.peer.ask("approve_artifact", { artifact_id });
    const { payload } = await shop.peer.event("task_failed");
    assert.match(payload.reason, /^It could not be merged: /);
    rmSync(refs);
    renameSync(`${refs}-away`, refs);
    await shop.peer.ask("rerun_task", { task_id: taskId });
    await delivered(shop, taskId, 2);
    await shop.peer.ask("approve_artifact", { artifact_id });
    await shop.peer.event("project_completed");
    assert.deepEqual(shop.atrium.faults, []);
  },
);
