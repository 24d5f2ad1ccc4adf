/** A person cancels a task while git merges what was approved of it. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { lookAt } from "../../kit/attend.ts";
import { git, openShop, storeOf } from "../../kit/workshop.ts";

const skip = skipWithout("git");

/** A git whose merges wait while a file is there, and fail while another is. */
function writeHeldGit(folder: string): void {
  const real = execFileSync("/bin/sh", ["-c", "command -v git"]).toString().trim();
  const held = `#!/bin/sh
case "$*" in *merge-tree*)
  if [ -e '${folder}/hold' ]; then : > '${folder}/held'; fi
  while [ -e '${folder}/hold' ]; do sleep 0.02; done
  if [ -e '${folder}/fail' ]; then echo 'no space left' >&2; exit 128; fi ;;
esac
exec '${real}' "$@"
`;
  writeFileSync(join(folder, "git"), held, { mode: 0o755 });
}

test(
  "[SHOP-23] a task cancelled while its change is merged stays cancelled: merged, withdrawn because of a conflict, or withdrawn with the reason",
  { skip },
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-held-git-"));
    const { path } = folder;
    writeHeldGit(path);
    const script = 'cat > /dev/null; echo "$ATRIUM_TASK_ID" > made.txt; echo "Made."';
    const ids = ["agent_eng_1", "agent_eng_2", "agent_eng_3", "agent_eng_4"];
    await using shop = await openShop({
      runtimes: { worker: { type: "command", command: ["/bin/sh", "-c", script] } },
      agents: ids.map((id) => ({ id, runtime: "worker" })),
      options: { env: { PATH: `${path}:${process.env["PATH"] ?? ""}` } },
    });
    const { peer, atrium } = shop;
    const [merged = "", conflicting = "", failing = ""] = await shop.request("Make it", "shop");
    const cancelInMerge = async (taskId: string, ending: string): Promise<void> => {
      const { payload } = await peer.first(
        ({ payload: each }) => each.name === "artifact_delivered" && each.task_id === taskId,
      );
      const { artifact_id } = payload;
      writeFileSync(join(path, "hold"), "");
      await peer.ask("approve_artifact", { artifact_id });
      while (!existsSync(join(path, "held"))) await setTimeout(20);
      await peer.ask("cancel_task", { task_id: taskId, confirm: true });
      rmSync(join(path, "held"));
      rmSync(join(path, "hold"));
      await peer.first(
        ({ payload: each }) => each.name === ending && each.artifact_id === artifact_id,
      );
    };
    await cancelInMerge(merged, "change_landed");
    await cancelInMerge(conflicting, "change_conflicted");
    writeFileSync(join(path, "fail"), "");
    await cancelInMerge(failing, "landing_failed");

    const { tasks, artifacts, projects } = await lookAt(atrium);
    const statuses = tasks.map(({ status }) => status);
    assert.deepEqual(statuses.slice(0, 3), ["cancelled", "cancelled", "cancelled"]);
    const of = (taskId: string) => {
      const { status, landing } = artifacts.find(({ task_id }) => task_id === taskId) ?? {};
      return [status, landing];
    };
    assert.deepEqual(of(merged), ["approved", "landed"]);
    assert.deepEqual(of(conflicting), ["withdrawn", "conflicted"]);
    assert.deepEqual(of(failing), ["withdrawn", undefined]);
    const failed = peer.told("event").find(({ payload }) => payload.name === "landing_failed");
    assert.match(failed?.payload.reason, /no space left/);
    const names = peer.told("event").map(({ payload }) => payload.name);
    assert.ok(!names.includes("task_failed"));
    const line = `refs/heads/atrium/${projects[0]?.project_id}/line`;
    assert.equal(git(storeOf(shop, "shop"), "show", `${line}:made.txt`), merged);
    assert.deepEqual(atrium.faults, []);
  },
);
