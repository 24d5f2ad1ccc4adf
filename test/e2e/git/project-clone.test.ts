/** A project without a repository of the user's, taken along: cloned by real git, downloaded, its address in the page. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { get } from "../../kit/moments.ts";
import { enterOffice, launchBrowser, openWebPage, skipWithoutBrowser } from "../../kit/web-page.ts";
import { openShop, type Shop } from "../../kit/workshop.ts";

const skip = skipWithout("git");
const run = promisify(execFile);
const SCRIPT = 'cat > /dev/null; mkdir -p src; echo "made by $ATRIUM_TASK_ID" > src/made.txt';

function openOwnProject(): Promise<Shop> {
  return openShop({
    runtimes: { worker: { type: "command", command: ["/bin/sh", "-c", SCRIPT] } },
    agents: [{ id: "agent_eng_1", runtime: "worker" }],
  });
}

/** The request names no repository. */
async function merged(shop: Shop): Promise<{ projectId: string; taskId: string }> {
  const [taskId = ""] = await shop.request("Make it");
  const { payload } = await shop.peer.event("artifact_delivered");
  const early = await get(shop, `/api/projects/${payload.project_id}/handover`);
  assert.deepEqual([early.status, early.json.error.code], [404, "handover.missing"]);
  await shop.peer.ask("approve_artifact", { artifact_id: payload.artifact_id });
  await shop.peer.event("project_completed");
  return { projectId: payload.project_id, taskId };
}

test(
  "[CLONE-1] a project of its own is cloned by git over HTTP and downloaded, once something was merged",
  { skip },
  async () => {
    await using shop = await openOwnProject();
    const { projectId, taskId } = await merged(shop);
    const { json } = await get(shop, `/api/projects/${projectId}/handover`);
    assert.deepEqual([json.clone, json.files], [`/git/${projectId}`, 1]);
    const address = new URL(json.clone, shop.atrium.url);
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: shop.home,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
    };
    await assert.rejects(run("git", ["clone", "--quiet", address.href, "/nowhere"], { env }));
    address.username = "me";
    address.password = shop.atrium.token;
    const into = join(shop.home, "copy");
    await run("git", ["clone", "--quiet", address.href, into], { env });
    assert.equal(readFileSync(join(into, "src/made.txt"), "utf8"), `made by ${taskId}\n`);
    const { stdout } = await run("git", ["-C", into, "log", "-1", "--format=%H %D%n%B"], { env });
    assert.ok(stdout.startsWith(`${json.commit} HEAD -> main`), stdout);
    assert.match(stdout, new RegExp(`^Atrium-Task: ${taskId}$`, "m"));
    const headers = { authorization: `Bearer ${shop.atrium.token}` };
    const path = `/api/projects/${projectId}/archive.zip`;
    const zip = await fetch(new URL(path, shop.atrium.url), { headers });
    assert.equal(zip.status, 200);
    assert.ok(Buffer.from(await zip.arrayBuffer()).includes("src/made.txt"));
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[WEB-67] the page of a project of its own shows the command that clones it, and that command works",
  { skip: skip || skipWithoutBrowser },
  async () => {
    await using shop = await openOwnProject();
    await using browser = await launchBrowser();
    await using web = await openWebPage(browser);
    const { page, troubles } = web;
    await enterOffice(page, shop.atrium);
    const { projectId, taskId } = await merged(shop);
    const need = page.locator(".need[data-kind=delivery]");
    await need.getByRole("button", { name: /^Open/ }).click();
    const block = page.locator(".panel").getByRole("group", { name: "Clone it (read-only)" });
    const command = (await block.innerText()).trim();
    const origin = new URL(shop.atrium.url).origin;
    assert.equal(command, `git clone ${origin}/git/${projectId}`);
    const address = new URL(command.replace(/^git clone /, ""));
    address.username = "me";
    address.password = shop.atrium.token;
    const env = { PATH: process.env["PATH"] ?? "", HOME: shop.home, GIT_CONFIG_NOSYSTEM: "1" };
    const into = join(shop.home, "copy");
    await run("git", ["clone", "--quiet", address.href, into], { env });
    assert.equal(readFileSync(join(into, "src/made.txt"), "utf8"), `made by ${taskId}\n`);
    assert.deepEqual([troubles, shop.atrium.faults], [[], []]);
  },
);
