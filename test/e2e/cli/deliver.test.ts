/** `atrium deliver`, `update` and `revert`: what was approved leaves the office, or is taken back. */
import assert from "node:assert/strict";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { runCli } from "../../kit/cli-process.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { get, post } from "../../kit/moments.ts";
import { git, modelOn, openShop, works } from "../../kit/workshop.ts";

const skip = skipWithout("git");

test(
  "[CLI-35] [CLI-36] [FILES-16] what was approved is brought up to date, delivered in several ways, and taken back",
  { skip },
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-deliver-"));
    await using model = await openModelServer(
      works(
        ["read", { path: "src/price.ts" }],
        ["edit", { path: "src/price.ts", old: "price = 1", new: "price = 3" }],
      ),
    );
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [{ id: "agent_eng_1", runtime: "local" }],
    });
    const { atrium, peer, repository } = shop;
    const at = ["--url", atrium.url, "--token", atrium.token];
    const cli = (...args: readonly string[]) => runCli([...args, ...at], { cwd: folder.path });
    const done = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await cli(...args);
      assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
      return stdout;
    };
    const [taskId = ""] = await shop.request("Make it", "shop");
    const { artifact_id: id } = (await peer.event("artifact_delivered")).payload;
    const projectId = `proj_${taskId.split("_")[1]}`;
    const mistakes: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["deliver"], 2, /Name a project/],
      [["deliver", projectId, "--how", "post"], 2, /--how takes one of: branch/],
      [["deliver", projectId], 1, /Nothing of the project has been approved and merged yet/],
      [["update", projectId], 1, /Nothing of the project has been approved and merged yet/],
      [["deliver", "proj_nobody"], 1, /No project has that id/],
      [["revert", id], 1, /The server refused/],
      [["revert", "__proto__"], 1, /No artifact has that id/],
    ];
    for (const [args, code, says] of mistakes) {
      const outcome = await cli(...args);
      assert.equal(outcome.code, code, `${args.join(" ")}: ${outcome.stderr}`);
      assert.match(outcome.stderr, says, args.join(" "));
    }
    const early = await get(shop, `/api/projects/${projectId}/archive.zip`);
    assert.deepEqual([early.status, early.json.error.code], [409, "project.unmerged"]);

    await done("review", id, "--approve");
    await peer.event("change_landed");
    assert.match(await done("update", projectId), /has everything that its repository has/);
    git(repository, "commit", "--quiet", "--message", "More");
    const base = git(repository, "rev-parse", "HEAD");
    assert.match(await done("update", projectId), new RegExp(`at ${base.slice(0, 12)}`));

    const branch = await done("deliver", projectId);
    const [, ref = "", commit = ""] = /^(\S+) is at (\w+) \(branch\)\.\n$/.exec(branch) ?? [];
    assert.equal(git(repository, "rev-parse", "--short=12", ref), commit);
    assert.equal(git(repository, "show", `${ref}:src/price.ts`), "export const price = 3;");
    assert.equal(git(repository, "show", `${ref}:staged.txt`), "staged");
    assert.equal(git(repository, "rev-parse", "HEAD"), base);

    await done("deliver", projectId, "--how", "zip", "--out", "shop.zip");
    assert.equal(readFileSync(join(folder.path, "shop.zip")).subarray(0, 2).toString(), "PK");
    await done("deliver", projectId, "--how", "patch");
    const patch = readFileSync(join(folder.path, `${projectId}.patch`), "utf8");
    assert.match(patch, /^\+export const price = 3;$/m);
    await done("deliver", projectId, "--how", "bundle", "--out", "shop.bundle");
    git(repository, "bundle", "verify", join(folder.path, "shop.bundle"));
    const first = await get(shop, `/api/projects/${projectId}/archive.zip`);
    const tag = first.headers.get("etag") ?? "";
    assert.equal(first.headers.get("content-type"), "application/zip");
    const again = await get(shop, `/api/projects/${projectId}/archive.zip`, {
      "if-none-match": tag,
    });
    assert.equal(again.status, 304);

    // The same at the gateway and over plain HTTP.
    await using gateway = await atrium.connect();
    const ask = { project: projectId, how: "patch", idempotencyKey: "once" };
    const receipt = await gateway.ask("projects.deliver", ask);
    assert.deepEqual(await gateway.ask("projects.deliver", ask), receipt);
    assert.equal(receipt.ref, `/api/projects/${projectId}/project.patch`);
    const posted = await post(shop, `/api/projects/${projectId}/deliver`, { how: "branch" });
    assert.deepEqual([posted.status, posted.json.ref], [200, ref]);
    const late = await post(shop, `/api/artifacts/${id}/approve`, { version: 1 });
    assert.equal(late.json.error.code, "artifact.status");
    const none = await post(shop, "/api/artifacts/__proto__/revert", {});
    assert.deepEqual([none.status, none.json.error.code], [404, "artifact.missing"]);
    const wrong = await post(shop, `/api/projects/${projectId}/deliver`, { how: "post" });
    assert.equal(wrong.status, 400);

    writeFileSync(join(repository, "src/price.ts"), "export const price = 9;\n");
    git(repository, "commit", "--quiet", "--all", "--message", "Nine");
    const conflict = await cli("update", projectId);
    assert.equal(conflict.code, 1);
    assert.match(
      conflict.stderr,
      /cannot be brought up to date[\s\S]*In conflict: src\/price\.ts \(content\)/,
    );

    assert.match(await done("revert", id), new RegExp(`^${id} is taken back, by \\w{12}\\.\n$`));
    const { stderr, code } = await cli("revert", id);
    assert.equal(code, 1);
    assert.match(stderr, /The server refused/);
    assert.deepEqual(atrium.faults, []);
  },
);
