/** The port of previews: the one in the settings, or the next free one, and what is said where there is none. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { calling, get, openModelShop, write } from "../../kit/moments.ts";
import { withHome } from "../../kit/server-process.ts";

async function portOf(atrium: TestAtrium): Promise<number | undefined> {
  await using peer = await atrium.connect();
  const { payload } = await peer.request("status", {});
  return payload.previewPort as number | undefined;
}

async function isThere(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  return answer.status === 404 && (await answer.text()).includes("no preview at this address");
}

async function takePort() {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: async () => void server.close() };
}

test("[PREVIEW-6] previews have the port of the settings, or none where it is off or taken", async () => {
  await withHome(async (home) => {
    const set = (preview: unknown) =>
      writeFile(join(home, "atrium.config.json"), JSON.stringify({ preview }));
    await set(0);
    {
      await using atrium = await openTestAtrium({ home });
      assert.ok(await isThere((await portOf(atrium)) ?? 0));
    }
    await using taken = await takePort();
    for (const preview of ["off", taken.port]) {
      await set(preview);
      await using atrium = await openTestAtrium({ home });
      assert.equal(await portOf(atrium), undefined);
      const notes = atrium.notes.filter(({ what }) => what === "no port for previews is free");
      assert.equal(notes.length, preview === "off" ? 0 : 1);
      assert.deepEqual(atrium.faults, []);
    }
  });
});

test("[PREVIEW-6] unless one is set, it is the next free port after the server's", async () => {
  await using taken = await takePort();
  // The port before it may be taken too; then there is nothing to see here.
  const port = taken.port - 1;
  const atrium = await openTestAtrium({ args: ["--port", String(port)] }).catch(() => undefined);
  if (atrium === undefined) return;
  await using _closing = atrium;
  const found = (await portOf(atrium)) ?? 0;
  assert.ok(found > taken.port && found <= taken.port + 20, `${found} after ${taken.port}`);
  assert.ok(await isThere(found));
});

test(
  "[PREVIEW-6] [PREVIEW-1] who asks for a preview that cannot be is told why",
  { skip: skipWithout("git") },
  async () => {
    await using model = await calling([write("main.c", "int main(){}")]);
    await using shop = await openModelShop(model);
    const [taskId = ""] = await shop.request("A program");
    await shop.peer.event("review_requested");
    const path = `/api/projects/proj_${taskId.split("_")[1]}/preview`;
    const none = await get(shop, path);
    assert.deepEqual([none.status, none.json.error.code], [404, "preview.missing"]);
    const nowhere = await get(shop, "/api/builds/b1/preview");
    assert.deepEqual([nowhere.status, nowhere.json.error.code], [404, "build.missing"]);
    const bare = await fetch(new URL(path, shop.atrium.url));
    assert.equal(bare.status, 401);
  },
);

test(
  "[PREVIEW-1] [CLONE-1] what a project has merged is seen as a site and cloned",
  { skip: skipWithout("git") },
  async () => {
    await using model = await calling([write("index.html", "<h1>Shop</h1>")]);
    await using shop = await openModelShop(model);
    const [taskId = ""] = await shop.request("A page", "shop");
    const projectId = `proj_${taskId.split("_")[1]}`;
    const { artifact_id } = (await shop.peer.event("artifact_delivered")).payload;
    const early = await get(shop, `/api/projects/${projectId}/handover`);
    assert.equal(early.json.error.code, "handover.missing");
    assert.equal((await get(shop, `/api/projects/${projectId}/preview`)).json.workspace, taskId);
    await shop.peer.ask("approve_artifact", { artifact_id });
    await shop.peer.event("change_landed");
    const handover = await get(shop, `/api/projects/${projectId}/handover`);
    assert.equal(handover.json.files, 1, handover.text);
    const preview = await get(shop, `/api/projects/${projectId}/preview`);
    assert.equal(preview.json.commit, handover.json.commit);
    const into = join(shop.home, "copy");
    const address = new URL(handover.json.clone, shop.atrium.url);
    address.username = "me";
    address.password = shop.atrium.token;
    await promisify(execFile)("git", ["clone", "--quiet", address.href, into], {
      env: { PATH: process.env["PATH"] ?? "", HOME: shop.home, GIT_CONFIG_NOSYSTEM: "1" },
    });
    assert.equal(await readFile(join(into, "index.html"), "utf8"), "<h1>Shop</h1>");
    assert.equal(await readFile(join(into, "README.md"), "utf8"), "# Shop\n");
    assert.deepEqual(shop.atrium.faults, []);
  },
);
