/** Two tasks at once and two that come after them, in a repository with uncommitted work: approved, then delivered. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { acpPrompt } from "./acp-agent.ts";
import { attend, isFinished, lookAt } from "./attend.ts";
import { withoutDelivery } from "./merge-story.ts";
import { git, type Shop } from "./workshop.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export const ACP = {
  type: "acp",
  command: [process.execPath, join(ROOT, "test/kit/acp-agent.ts")],
  sandbox: { readable: [ROOT] },
};

/** What it finds there of the others is what has landed. */
export const PROGRAM = {
  type: "command",
  command: ["/bin/sh", "-c", "cat > /dev/null; ls > seen-by-program.txt; echo Done."],
};

export const TASKS = [
  { title: "One beside the other" },
  { title: "The other" },
  { title: "After the first", after: [1] },
  { title: "After them all", after: [2, 3] },
];

const REQUEST = `Make it ${acpPrompt({ make: "src/acp.txt", content: "acp\n" }, { say: "Done." })}`;

/** Plays it, and proves that the branch holds these files besides what was there, and nothing else. */
export async function playStory(
  shop: Shop,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const { atrium, peer, repository } = shop;
  const before = withoutDelivery(repository);
  await shop.request(REQUEST, "shop");
  while (!isFinished(await attend(atrium))) await setTimeout(50);
  const { projects, artifacts } = await lookAt(atrium);
  assert.deepEqual(
    artifacts.map(({ type, landing }) => [type, landing]),
    TASKS.map(() => ["change", "landed"]),
  );
  const [delivery] = projects[0]?.deliveries ?? [];
  const branch = delivery?.ref ?? "";
  assert.match(branch, /^atrium\//);
  assert.equal(git(repository, "rev-parse", branch), delivery?.commit);
  const changed = git(repository, "diff", "--name-only", "HEAD", branch).split("\n");
  assert.deepEqual(changed.toSorted(), Object.keys(files).toSorted());
  for (const [path, content] of Object.entries(files)) {
    assert.equal(git(repository, "show", `${branch}:${path}`), content, path);
  }
  assert.equal(git(repository, "rev-list", "--count", `HEAD..${branch}`), `${TASKS.length}`);
  assert.deepEqual(withoutDelivery(repository), before);
  const names = peer.told("event").map(({ payload }) => payload.name);
  assert.equal(names.filter((name) => name === "change_landed").length, TASKS.length);
  assert.equal(names.filter((name) => name === "project_delivered").length, 1);
  assert.deepEqual(atrium.faults, []);
}
