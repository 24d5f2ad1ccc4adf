/** What was approved comes back to people, because one of them asked for it: once, and in the way they chose. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { withoutDelivery } from "../../kit/merge-story.ts";
import { git, openShop, type Shop, type ShopSettings } from "../../kit/workshop.ts";
import { codeOf, type WorldMessage } from "../../kit/world-peer.ts";

const skip = skipWithout("git");

type Payload = WorldMessage["payload"];

const SHOP: ShopSettings = {
  runtimes: {
    worker: {
      type: "command",
      command: ["/bin/sh", "-c", "cat > /dev/null; echo made > made.txt"],
    },
  },
  agents: [{ id: "agent_eng_1", runtime: "worker" }],
};

/** Up to where something can be delivered. */
async function merged(shop: Shop, repository?: string): Promise<string> {
  await shop.request("Make it", repository);
  const { payload } = await shop.peer.event("artifact_delivered");
  const { artifact_id, project_id } = payload;
  const early = await shop.peer.command("deliver_project", { project_id, how: "branch" });
  assert.equal(early.payload.reason, "project.unmerged");
  await shop.peer.ask("approve_artifact", { artifact_id });
  await shop.peer.event("project_completed");
  return project_id;
}

const deliveries = ({ peer }: Shop): readonly Payload[] =>
  peer
    .told("event")
    .flatMap(({ payload }) => (payload.name === "project_delivered" ? [payload] : []));

test(
  "[SHOP-22] a project is delivered as its repository says or the person chooses, once for each request, and nothing else of the repository changes",
  { skip },
  async () => {
    await using shop = await openShop({ ...SHOP, deliver: "patch" });
    const project_id = await merged(shop, "shop");
    const before = withoutDelivery(shop.repository);
    await shop.peer.ask("deliver_project", { project_id });
    const [patch] = deliveries(shop);
    assert.deepEqual([patch.how, patch.by], ["patch", "tester"]);
    const { url, token } = shop.atrium;
    const headers = { authorization: `Bearer ${token}` };
    const file = await fetch(new URL(patch.ref, url), { headers });
    assert.match(await file.text(), /^\+made$/m);

    const data = { project_id, how: "branch" };
    const first = await shop.peer.command("deliver_project", data, "command_once");
    const again = await shop.peer.command("deliver_project", data, "command_once");
    assert.deepEqual([codeOf(first), codeOf(again)], ["ok", "ok"]);
    const [, branch, ...more] = deliveries(shop);
    assert.deepEqual(more, []);
    assert.equal(branch.ref, "atrium/shop");
    assert.equal(git(shop.repository, "rev-parse", branch.ref), branch.commit);
    // Whoever asks under the same id only missed the answer: what people did since then stays.
    rmSync(join(shop.repository, ".git/refs/heads", branch.ref));
    const late = await shop.peer.command("deliver_project", data, "command_once");
    assert.equal(codeOf(late), "ok");
    assert.equal(git(shop.repository, "for-each-ref", "refs/heads/atrium"), "");
    // The same again, as another request, is the same branch.
    await shop.peer.ask("deliver_project", data);
    assert.equal(deliveries(shop).at(-1)?.ref, branch.ref);
    const heads = git(shop.repository, "for-each-ref", "--format=%(refname)", "refs/heads/atrium");
    assert.equal(heads, "refs/heads/atrium/shop");
    assert.deepEqual(withoutDelivery(shop.repository), before);
    const unsafe = await shop.peer.command("deliver_project", { project_id, how: "fast-forward" });
    assert.notEqual(codeOf(unsafe), "ok");
    assert.match(unsafe.payload.message, /uncommitted|not committed|changes/i);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[SHOP-22] a project of its own is delivered as a folder that can be opened",
  { skip },
  async () => {
    await using shop = await openShop(SHOP);
    const project_id = await merged(shop);
    await shop.peer.ask("deliver_project", { project_id });
    const [folder] = deliveries(shop);
    assert.equal(folder.how, "folder");
    assert.ok(existsSync(join(folder.ref, ".git")));
    assert.equal(readFileSync(join(folder.ref, "made.txt"), "utf8"), "made\n");
    assert.equal(git(folder.ref, "rev-parse", "HEAD"), folder.commit);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[SHOP-18] suggestions are a version that a person has made, and it lands like any other",
  { skip },
  async () => {
    await using shop = await openShop(SHOP);
    await shop.request("Make it", "shop");
    const { artifact_id } = (await shop.peer.event("artifact_delivered")).payload;
    const text = "Louder:\n```suggestion\nMADE\n```";
    const comments = [{ path: "made.txt", side: "new", line: 1, text }];
    const wish = { artifact_id, expected_version: 1, comments };
    const wrong = await shop.peer.command("apply_suggestions", {
      ...wish,
      comments: [{ ...comments[0], line: 7 }],
    });
    assert.equal(codeOf(wrong), "VALIDATION_FAILED");
    await shop.peer.ask("apply_suggestions", wish);
    const { payload } = await shop.peer.first(
      ({ payload: each }) => each.name === "artifact_delivered" && each.version === 2,
    );
    assert.equal(payload.artifact_id, artifact_id);
    const late = await shop.peer.command("apply_suggestions", wish);
    assert.equal(codeOf(late), "CONFLICT");
    const old = await shop.peer.command("approve_artifact", { artifact_id, expected_version: 1 });
    assert.equal(old.payload.reason, "artifact.superseded");
    await shop.peer.ask("approve_artifact", { artifact_id, expected_version: 2 });
    const { payload: landed } = await shop.peer.event("change_landed");
    const store = join(shop.home, "workshop/stores/shop.git");
    assert.equal(git(store, "show", `${landed.commit}:made.txt`), "MADE");
    assert.equal(git(store, "log", "-1", "--format=%an", landed.commit), "tester");
    assert.deepEqual(shop.atrium.faults, []);
  },
);
