/** A home of the time when tasks had worktrees and projects no line yet: its work is taken up again and finished. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { git, openShop, storeOf, writeSettings, type ShopSettings } from "../../kit/workshop.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const skip = skipWithout("git");

function worker(script: string): ShopSettings {
  const command = ["/bin/sh", "-c", `cat > /dev/null; ${script}`];
  return {
    runtimes: { worker: { type: "command", command } },
    agents: [{ id: "agent_eng_1", runtime: "worker" }],
  };
}

test(
  "[SHOP-14] work that was begun before its project had a line goes on from its files, lands and is done",
  { skip },
  async () => {
    await using shop = await openShop(worker("echo begun > begun.txt; sleep 600"));
    const [taskId = ""] = await shop.request("Make it", "shop");
    const worktrees = join(shop.home, "workshop/worktrees");
    const isBegun = (): boolean =>
      readdirSync(worktrees).some(
        (name) =>
          name.startsWith(taskId) && readdirSync(join(worktrees, name)).includes("begun.txt"),
      );
    while (!isBegun()) await setTimeout(20);
    await shop.entries();
    const store = storeOf(shop, "shop");
    const refs = (): readonly string[] =>
      git(store, "for-each-ref", "--format=%(refname)").split("\n");
    const projectId = taskId.replace(/^task_(.*)_\d+$/, "proj_$1");
    const lines = refs().filter((ref) => ref.includes(projectId));
    assert.ok(lines.length > 0);
    for (const ref of lines) git(store, "update-ref", "-d", ref);

    const settings = worker("cat begun.txt > ended.txt; echo Made.");
    await writeSettings(shop.home, { ...settings, repository: shop.repository });
    await using later = await openTestAtrium({
      home: shop.home,
      args: ["--log", "sqlite"],
      env: { PATH: process.env["PATH"] ?? "" },
    });
    await using peer = await enterWorld(later);
    const [snapshot] = peer.told("snapshot");
    const task = snapshot?.payload.tasks.find(({ task_id }: { task_id: string }) => {
      return task_id === taskId;
    });
    if (task?.status === "failed") await peer.ask("rerun_task", { task_id: taskId });
    const { payload } = await peer.event("artifact_delivered");
    await peer.ask("approve_artifact", { artifact_id: payload.artifact_id });
    await peer.event("project_completed");
    const line = `refs/heads/atrium/${projectId}/line`;
    assert.equal(git(store, "show", `${line}:ended.txt`), "begun");
    assert.deepEqual(later.faults, []);
  },
);
