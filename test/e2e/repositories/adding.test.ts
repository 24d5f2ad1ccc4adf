/** Repositories that people add and remove while the server runs, with the real git. */
import assert from "node:assert/strict";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openSqliteLog } from "@atrium/log";
import {
  contentsOf,
  git,
  makeRepository,
  write,
} from "../../../apps/server/src/workspaces/testing/user-repository.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openRepositoryHouse } from "../../kit/repositories.ts";
import { codeOf, enterWorld } from "../../kit/world-peer.ts";

const FILES = { "README.md": "# Shop\n" };
const skip = skipWithout("git");

describe("repositories at run time", { skip }, () => {
  test("[REPO-3] [REPO-4] one is added over HTTP, is there at every door and after a restart", async () => {
    await using house = await openRepositoryHouse();
    const path = makeRepository(join(house.folder, "My Shop.git"), FILES);
    const before = contentsOf(path);
    const checks = [{ name: "test", command: ["npm", "test"], required: true }];
    const details = { setup: ["npm", "ci"], checks, deliver: "branch" };
    const { status, body } = await house.ask("POST", "", { path: `${path}/`, ...details });
    assert.equal(status, 201, JSON.stringify(body));
    const { addedAtMs, ...shown } = body.repository;
    const commit = git(path, "rev-parse", "HEAD");
    const row = { id: "My-Shop", path, ...details, origin: "added", kind: "git", commit };
    assert.deepEqual(shown, { ...row, addedBy: "someone" });
    assert.ok(Math.abs(addedAtMs - Date.now()) < 60_000);
    await house.restart();
    await using peer = await house.atrium.connect();
    const { repositories } = await peer.ask("repositories.list", {});
    assert.deepEqual(repositories, (await house.ask("GET")).body.repositories);
    assert.deepEqual(repositories, [body.repository]);
    await using world = await enterWorld(house.atrium);
    await world.ask("submit_request", { text: "Sell more", repository: "My-Shop" });
    assert.deepEqual(contentsOf(path), before);
    assert.deepEqual(house.atrium.faults, []);
  });

  test("[REPO-3] at the gateway the id may be chosen, and the same key adds once", async () => {
    await using house = await openRepositoryHouse();
    const path = makeRepository(join(house.folder, "shop"), FILES);
    await using peer = await house.atrium.connect();
    const add = { path, base: "main", idempotencyKey: "k1" };
    const { repository } = await peer.ask("repositories.add", add);
    assert.equal(repository.id, "shop");
    assert.deepEqual(await peer.ask("repositories.add", add), { repository });
    const second = await peer.ask("repositories.add", { path });
    assert.equal(second.repository.id, "shop-2");
    const named = { path, id: "constructor", idempotencyKey: "k2" };
    await peer.ask("repositories.add", named);
    assert.equal((await peer.ask("repositories.add", named)).repository.id, "constructor");
    const { repositories } = await peer.ask("repositories.list", {});
    const ids = repositories.map(({ id }: { id: string }) => id);
    assert.deepEqual(ids, ["shop", "shop-2", "constructor"]);
  });

  test("[REPO-4] the log has who added it, by which credential and from where", async () => {
    await using house = await openRepositoryHouse();
    const path = makeRepository(join(house.folder, "shop"), FILES);
    await using peer = await house.atrium.connect();
    await peer.ask("repositories.add", { path });
    await house.atrium.close();
    await using log = await openSqliteLog({ file: join(house.folder, ".home", "atrium.db") });
    const [entry] = await Array.fromAsync(log.read({ stream: "repository/shop" }));
    assert.ok(entry);
    const { by } = entry.data as { readonly by: { readonly id: string } };
    const { id: _id, ...who } = by;
    const credential = { kind: "token" };
    assert.deepEqual(who, { name: "test", via: "gateway", credential, from: "127.0.0.1" });
  });

  test("[REPO-5] [REPO-6] what cannot be worked on is refused with the reason, and nothing is added", async () => {
    await using house = await openRepositoryHouse();
    const { folder } = house;
    const shop = makeRepository(join(folder, "shop"), FILES);
    write(shop, { "src/a.ts": "\n" });
    write(join(folder, ".home"), { "kept/secret.txt": "secret\n" });
    symlinkSync(join(folder, ".home", "kept"), join(folder, "innocent"));
    const cases: readonly (readonly [object, number, RegExp])[] = [
      [{ path: "shop" }, 400, /not absolute/],
      [{ path: "~/shop" }, 400, /not absolute/],
      [{ path: join(folder, "none") }, 404, /there is no folder/],
      [{ path: join(shop, "README.md") }, 404, /there is no folder/],
      [{ path: join(shop, "src") }, 400, /inside the repository/],
      [{ path: `${shop}\n` }, 400, /control characters/],
      [{ path: `${shop}\u0000` }, 400, /control characters/],
      [{ path: `/${"x".repeat(1_000_000)}` }, 400, /path/],
      [{ path: "" }, 400, /path/],
      [{}, 400, /path/],
      [{ path: 7 }, 400, /path/],
      [{ path: join(folder, ".home") }, 400, /server's own folder/],
      [{ path: join(folder, ".home", "workshop") }, 400, /server's own folder/],
      [{ path: join(folder, "innocent") }, 400, /inside the server's own folder/],
      [{ path: folder }, 400, /server's own folder/],
      [{ path: shop, base: "none" }, 400, /no branch none/],
      [{ path: shop, base: "--upload-pack=x" }, 400, /no name of a branch/],
      [{ path: shop, setup: "npm ci" }, 400, /setup/],
      [{ path: shop, setup: [] }, 400, /setup/],
      [{ path: shop, setup: ["a\u0000b"] }, 400, /setup/],
      [{ path: shop, checks: [{ name: "a" }] }, 400, /command/],
      [{ path: shop, deliver: "push" }, 400, /deliver/],
      [{ path: shop, bare: true }, 400, /bare/],
      ...["__proto__", "own-x", "OWN-x", "a b", "../x", "-a", "é", "a\n"].map(
        (id): readonly [object, number, RegExp] => [{ path: shop, id }, 400, /id/],
      ),
    ];
    for (const [request, status, says] of cases) {
      const answer = await house.ask("POST", "", request);
      const about = JSON.stringify(request).slice(0, 200);
      assert.equal(answer.status, status, `${about} ${JSON.stringify(answer.body)}`);
      assert.match(answer.body.error.message, says, about);
    }
    const twice = { name: "a", command: ["true"] };
    const { status } = await house.ask("POST", "", { path: shop, checks: [twice, twice] });
    assert.equal(status, 400);
    assert.deepEqual((await house.ask("GET")).body.repositories, []);
    assert.deepEqual(house.atrium.faults, []);
  });

  test("[REPO-6] an id is free once, whatever its case, also when two ask at the same time", async () => {
    await using house = await openRepositoryHouse();
    const path = makeRepository(join(house.folder, "shop"), FILES);
    const other = makeRepository(join(house.folder, "other"), { "other.md": "other\n" });
    const ids = ["shop", "Shop", "shop", "SHOP"];
    const answers = await Promise.all(ids.map((id) => house.ask("POST", "", { path, id })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 409, 409, 409],
    );
    const taken = await house.ask("POST", "", { path: other, id: "shop" });
    assert.equal(taken.status, 409);
    // The one that has the id is as it was.
    const record = join(house.folder, ".home/workshop/stores/shop.git/atrium.json");
    assert.equal(JSON.parse(readFileSync(record, "utf8")).path, path);
    const [row] = (await house.ask("GET")).body.repositories;
    assert.equal(row.path, path);
    assert.equal(row.commit, git(path, "rev-parse", "HEAD"));
  });

  test("[REPO-7] it takes the scope that changes settings", async () => {
    await using house = await openRepositoryHouse();
    const path = makeRepository(join(house.folder, "shop"), FILES);
    const scopes = ["operator.read", "operator.write", "operator.approvals"];
    await using peer = await house.atrium.connect({ scopes });
    for (const [method, params] of [
      ["repositories.add", { path }],
      ["repositories.remove", { id: "shop" }],
    ] as const) {
      const { ok, error } = await peer.request(method, params);
      assert.equal(ok, false);
      assert.match(JSON.stringify(error), /operator\.admin/);
    }
    assert.deepEqual(await peer.ask("repositories.list", {}), { repositories: [] });
  });

  test("[REPO-9] what was removed is named by no new request, and nothing of it is touched", async () => {
    await using house = await openRepositoryHouse();
    const path = makeRepository(join(house.folder, "shop"), FILES);
    const before = contentsOf(path);
    await house.ask("POST", "", { path });
    assert.deepEqual(await house.ask("DELETE", "/shop"), { status: 200, body: { id: "shop" } });
    assert.deepEqual((await house.ask("GET")).body, { repositories: [] });
    assert.equal((await house.ask("DELETE", "/shop")).status, 404);
    for (const id of ["none", "__proto__", "constructor", "%00", "x".repeat(10_000)]) {
      const { status } = await house.ask("DELETE", `/${id}`);
      assert.ok(status === 404 || status === 400, `${id.slice(0, 20)}: ${status}`);
    }
    await using world = await enterWorld(house.atrium);
    const request = { text: "Sell more", repository: "shop" };
    assert.equal(codeOf(await world.command("submit_request", request)), "NOT_FOUND");
    assert.deepEqual(contentsOf(path), before);
    const moved = makeRepository(join(house.folder, "elsewhere"), { "other.md": "other\n" });
    const { body } = await house.ask("POST", "", { path: moved, id: "shop" });
    assert.equal(body.repository.commit, git(moved, "rev-parse", "HEAD"));
    assert.deepEqual(house.atrium.faults, []);
  });

  test("[REPO-8] the settings win, and only they change what they have", async () => {
    await using house = await openRepositoryHouse({ repositories: { shop: { path: "../shop" } } });
    const shop = makeRepository(join(house.folder, "shop"), FILES);
    const other = makeRepository(join(house.folder, "other"), FILES);
    const taken = await house.ask("POST", "", { path: other, id: "shop" });
    assert.deepEqual([taken.status, taken.body.error.code], [409, "repository.taken"]);
    assert.match(taken.body.error.message, /settings/);
    const removed = await house.ask("DELETE", "/shop");
    assert.deepEqual([removed.status, removed.body.error.code], [409, "repository.configured"]);
    const { repositories } = (await house.ask("GET")).body;
    const commit = git(shop, "rev-parse", "HEAD");
    assert.deepEqual(repositories, [
      { id: "shop", path: shop, origin: "settings", kind: "git", commit },
    ]);
  });
});

test("[REPO-5] without git nothing is added, and the answer says what to install", async () => {
  await using house = await openRepositoryHouse({}, { env: { PATH: "/nonexistent" } });
  const { status, body } = await house.ask("POST", "", { path: "/usr" });
  assert.equal(status, 503);
  assert.match(body.error.message, /git 2\.38 or newer/i);
  assert.deepEqual((await house.ask("GET")).body.repositories, []);
});
