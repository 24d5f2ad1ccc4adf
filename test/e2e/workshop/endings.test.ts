/** A workspace ends with its work: the folder goes, its moments stay. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { BuildApi } from "../../kit/builds.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { git, modelOn, openShop, storeOf, works, type Shop } from "../../kit/workshop.ts";
import type { WorldMessage } from "../../kit/world-peer.ts";

const skip = skipWithout("git");
const ENG = { id: "agent_eng_1", runtime: "local" };
const WRITE = ["write", { path: "made.txt", content: "made\n" }] as const;

const worktreesOf = ({ home }: Shop): readonly string[] =>
  readdirSync(join(home, "workshop/worktrees"));

async function emptied(shop: Shop): Promise<void> {
  while (worktreesOf(shop).length > 0) await setTimeout(20);
}

test(
  "[SHOP-6] a cancelled task loses its folder and keeps its moments; taken up again it goes on from them",
  { skip },
  async () => {
    await using model = await openModelServer(works(WRITE));
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      // The other task keeps the project going.
      agents: [ENG, { id: "agent_eng_2", runtime: "local" }],
    });
    const [task_id = "", other = ""] = await shop.request("Make it", "shop");
    const isReviewed = ({ payload }: WorldMessage): boolean =>
      payload.name === "review_requested" && payload.task_id === task_id;
    const isMine = (name: string): boolean => name.startsWith(task_id);
    await shop.peer.first(isReviewed);
    await shop.peer.first(({ payload }) => payload.task_id === other);
    const [folder = ""] = worktreesOf(shop).filter(isMine);
    // A person adds something, which is recorded before the next run begins.
    writeFileSync(join(shop.home, "workshop/worktrees", folder, "by-hand.txt"), "by hand\n");
    const reviewed = shop.peer.next(isReviewed);
    await shop.peer.ask("rerun_task", { task_id });
    await reviewed;
    await shop.peer.ask("cancel_task", { task_id, confirm: true });
    while (worktreesOf(shop).some(isMine)) await setTimeout(20);
    const again = shop.peer.next(isReviewed);
    await shop.peer.ask("rerun_task", { task_id });
    await again;
    const [reopened = ""] = worktreesOf(shop).filter(isMine);
    assert.notEqual(reopened, folder);
    const at = (name: string): string =>
      readFileSync(join(shop.home, "workshop/worktrees", reopened, name), "utf8");
    assert.deepEqual([at("made.txt"), at("by-hand.txt")], ["made\n", "by hand\n"]);
    const entries = await shop.entries();
    const own = entries.filter(({ stream }) => stream === `workspace/${task_id}`);
    assert.deepEqual(
      own.map(({ type }) => type),
      [
        "workspace.opened",
        "workspace.ready",
        "workspace.sealed",
        "workspace.moment",
        "workspace.sealed",
        "workspace.discarded",
        "workspace.opened",
        "workspace.ready",
        "workspace.sealed",
      ],
    );
    const [, , , byHand, , , , reopening] = own.map(
      ({ data }) => data as Readonly<Record<"tree" | "cause", string>>,
    );
    const { tree, cause } = byHand ?? { tree: "", cause: "" };
    assert.equal(cause, "person");
    assert.equal(git(storeOf(shop, "shop"), "show", `${tree}:by-hand.txt`), "by hand");
    // It goes on from its newest files, and the log says so.
    assert.equal(reopening?.tree, tree);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test("[SHOP-6] when a project or a build is over, its worktrees are gone", { skip }, async () => {
  await using model = await openModelServer(works(WRITE));
  await using shop = await openShop({
    runtimes: { local: modelOn(model.baseUrl) },
    agents: [ENG],
  });
  await shop.request("Make it", "shop");
  const { payload } = await shop.peer.event("artifact_delivered");
  assert.equal(worktreesOf(shop).length, 1);
  await shop.peer.ask("approve_artifact", { artifact_id: payload.artifact_id });
  await shop.peer.event("project_completed");
  await emptied(shop);
  const api = new BuildApi(shop.atrium);
  const id = await api.start("Build it", { repository: "shop", agent: "eng_1" });
  while (worktreesOf(shop).length === 0) await setTimeout(20);
  await api.post(`/${id}/cancel`);
  await emptied(shop);
  const entries = await shop.entries();
  const ended = entries.filter(({ type }) => type === "workspace.discarded");
  assert.equal(ended.length, 2);
  assert.deepEqual(shop.atrium.faults, []);
});

test(
  "[SHOP-7] a conversation that is deleted takes its files of all times along",
  { skip },
  async () => {
    await using model = await openModelServer(works(WRITE));
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [ENG, { id: "agent_eng_2", runtime: "local" }],
    });
    const [gone = "", kept = ""] = await shop.request("Make it", "shop");
    for (const taskId of [gone, kept]) {
      await shop.peer.first(
        ({ payload }) => payload.name === "review_requested" && payload.task_id === taskId,
      );
    }
    const store = storeOf(shop, "shop");
    const refs = (): string => git(store, "for-each-ref", "--format=%(refname)", "refs/atrium");
    assert.match(refs(), new RegExp(gone));
    await using ann = await shop.atrium.connect();
    const key = `agent:eng_1:task:${gone}`;
    assert.equal((await ann.ask("sessions.delete", { key })).deleted, true);
    assert.doesNotMatch(refs(), new RegExp(gone));
    assert.match(refs(), new RegExp(kept));
    assert.deepEqual(
      worktreesOf(shop).map((name) => name.startsWith(kept)),
      [true],
    );
    const entries = await shop.entries();
    const returned = entries.filter(({ type }) => type === "run.tool.returned");
    assert.deepEqual(
      returned.map(({ stream, data }) => [stream.endsWith(gone), "tree" in (data as object)]),
      returned.map(({ stream }) => [stream.endsWith(gone), !stream.endsWith(gone)]),
    );
    assert.deepEqual(shop.atrium.faults, []);
  },
);
