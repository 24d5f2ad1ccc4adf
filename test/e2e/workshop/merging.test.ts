/** Two tasks that change the same line, and two that come after them: reviewed, merged, delivered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { attend, isFinished, lookAt } from "../../kit/attend.ts";
import { MERGE_STORY, withoutDelivery } from "../../kit/merge-story.ts";
import { git, openShop } from "../../kit/workshop.ts";

const skip = skipWithout("git") || skipWithoutSandbox();

test(
  "[SHOP-20] two tasks change the same line: both are reviewed, the second with the conflict solved by its agent, and the branch holds what was approved and nothing else",
  { skip },
  async () => {
    await using shop = await openShop(MERGE_STORY);
    const { atrium, repository, peer } = shop;
    const before = withoutDelivery(repository);
    await peer.ask("submit_request", { text: "Two prices", repository: "shop" });
    while (!isFinished(await attend(atrium))) await setTimeout(20);

    const conflicted = peer.told("event").filter(({ payload }) => {
      return payload.name === "change_conflicted";
    });
    assert.equal(conflicted.length, 1);
    const { artifact_id, paths } = conflicted[0]?.payload ?? {};
    assert.deepEqual(paths, [{ path: "src/price.ts", kind: "content" }]);
    const { artifacts, projects, tasks } = await lookAt(atrium);
    assert.deepEqual(
      tasks.map(({ status }) => status),
      ["done", "done", "done", "done"],
    );
    const second = artifacts.find((each) => each.artifact_id === artifact_id);
    assert.deepEqual([second?.version, second?.landing], [2, "landed"]);
    for (const each of artifacts) assert.equal(each.checks?.state, "passed");

    const [delivery] = projects[0]?.deliveries ?? [];
    assert.equal(delivery?.how, "branch");
    const branch = delivery?.ref.replace(/^refs\/heads\//, "") ?? "";
    assert.match(branch, /^atrium\//);
    assert.equal(git(repository, "rev-parse", branch).trim(), delivery?.commit);
    assert.deepEqual(
      git(repository, "diff", "--name-only", "HEAD", branch).trim().split("\n").toSorted(),
      ["after-all.txt", "after-one.txt", "docs/guide.md", "src/price.ts"],
    );
    assert.equal(git(repository, "show", `${branch}:src/price.ts`), "export const price = 30;");
    const authors = git(repository, "log", "--format=%an", `HEAD..${branch}`).trim().split("\n");
    assert.deepEqual([...new Set(authors)].toSorted(), ["agent_eng_1", "agent_eng_2"]);
    assert.match(git(repository, "log", "-1", "--format=%B", branch), /^Atrium-Task: task_/m);
    assert.deepEqual(withoutDelivery(repository), before);
    assert.deepEqual(atrium.faults, []);
  },
);
