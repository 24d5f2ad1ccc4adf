/** `atrium repo`: what agents may work on, from the command line. */
import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeRepository } from "../../../apps/server/src/workspaces/testing/user-repository.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { runCli, type CliResult } from "../../kit/cli-process.ts";
import { openRepositoryHouse } from "../../kit/repositories.ts";

test(
  "[CLI-26] a repository is added from where one is, listed, and removed",
  { skip: skipWithout("git") },
  async () => {
    await using house = await openRepositoryHouse({ repositories: { fixed: { path: "none" } } });
    const path = makeRepository(join(house.folder, "shop"), { "a.txt": "a\n" });
    const { url, token } = house.atrium;
    const at = ["--url", url, "--token", token];
    const repo = (...words: readonly string[]): Promise<CliResult> =>
      runCli(["repo", ...words, ...at], { cwd: house.folder });
    const added = await repo("add", "shop", "--base", "main");
    assert.equal(added.code, 0, added.stderr);
    assert.match(
      added.stdout,
      /^shop is \S+\/shop\. Agents work on copies of it\.\n.*--repo shop\n$/,
    );
    const { repository } = JSON.parse(
      (await repo("add", "./shop", "--id", "two", "--json")).stdout,
    );
    assert.deepEqual([repository.id, repository.path], ["two", path]);
    const listed = await repo("list");
    assert.match(listed.stdout, /^ +fixed +\S+none +there is no folder /m);
    assert.match(listed.stdout, /^ +shop +\S+\/shop +from [0-9a-f]{9} on main$/m);
    assert.match((await repo("remove", "two")).stdout, /^two is removed\.\n$/);
    renameSync(path, `${path}-moved`);
    const { repositories } = JSON.parse((await repo("list", "--json")).stdout);
    const ids = repositories.map(({ id }: { readonly id: string }) => id);
    assert.deepEqual(ids, ["fixed", "shop"]);
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["add", "none"], 1, /there is no folder \S+\/none/],
      [["add", ".", "--id", "own-x"], 1, /own-/],
      [["add", "shop-moved", "--id", "shop"], 1, /already exists/],
      [["add"], 2, /atrium repo add PATH/],
      [["add", "a", "b"], 2, /atrium repo add PATH/],
      [["remove", "fixed"], 1, /in the settings/],
      [["remove", "none"], 1, /No repository has that id/],
      [["remove"], 2, /atrium repo remove ID/],
      [["rename"], 2, /list, add, remove/],
      [[], 2, /list, add, remove/],
    ];
    for (const [words, code, says] of cases) {
      const result = await repo(...words);
      assert.deepEqual([result.code, result.stdout], [code, ""], words.join(" "));
      assert.match(result.stderr, says);
    }
  },
);
