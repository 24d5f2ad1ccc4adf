/** Repositories and the sandbox in the settings, on the real server with a real git and a real sandbox. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { makeRepository } from "../../kit/git-repository.ts";
import { withHome } from "../../kit/server-process.ts";
import {
  enterPage,
  keepPicture,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  unreachable,
} from "../../kit/web-page.ts";

const env = { PATH: process.env["PATH"] ?? "" };

describe("the workshop in the settings", { skip: skipWithoutBrowser }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[PAGE-16] [PAGE-17] without a sandbox and git the settings say so, why, and what follows", () =>
    withHome(async (home) => {
      // As in a container without user namespaces, with the git of an old system.
      await writeProgram(join(home, "bwrap"), "echo 'bwrap: No permissions' >&2; exit 1");
      await writeProgram(join(home, "git"), "echo git version 2.20.1");
      await using atrium = await openTestAtrium({ env: { PATH: home } });
      await using web = await openWebPage(browser);
      const { page, troubles } = web;
      await enterPage(page, atrium, "/settings");
      const card = (title: string) =>
        page.locator("section").filter({ has: page.getByRole("heading", { name: title }) });
      const sandbox = card("Sandbox");
      await sandbox.getByText("Off: you are asked about every command").waitFor();
      await sandbox.getByText("runs none without your answer").waitFor();
      await sandbox.getByText("does not work here").waitFor();
      await card("Repositories").getByText("Install git 2.38 or newer").waitFor();
      await card("Repositories").getByText("2.20.1").waitFor();
      assert.deepEqual([await seriousIssues(page), troubles], [[], []]);
    }));

  test(
    "[PAGE-16] the sandbox tells what its self-test tried",
    { skip: skipWithout("bwrap") },
    async () => {
      await using atrium = await openTestAtrium({ env });
      await using web = await openWebPage(browser, { language: "de-DE", width: 360, height: 740 });
      const { page, troubles } = web;
      await enterPage(page, atrium, "/settings");
      await page.getByText("An: bubblewrap").waitFor();
      const selfTest = page.locator("details.self-test");
      await selfTest.locator("summary").click();
      await selfTest.getByText("the server's home").waitFor();
      assert.equal(await selfTest.locator("li[data-outcome=escaped]").count(), 0);
      assert.ok((await selfTest.locator("li[data-outcome=refused]").count()) > 5);
      await keepPicture(page, "settings-sandbox-phone");
      assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
      assert.deepEqual(troubles, []);
    },
  );

  test(
    "[PAGE-17] settings list every repository, whether it can be used and why not, add one and remove it",
    { skip: skipWithout("git") },
    () =>
      withHome(async (home) => {
        const shop = await makeRepository(join(home, "shop"), { "till.txt": "12\n" });
        const site = await makeRepository(join(home, "site"), { "index.html": "<p>" });
        const settings = join(home, "settings.json");
        const repositories = { shop: { path: shop }, gone: { path: join(home, "nothing") } };
        await writeFile(settings, JSON.stringify({ repositories }));
        await using atrium = await openTestAtrium({ env, args: ["--config", settings] });
        await using web = await openWebPage(browser, { preferences: { theme: "night" } });
        const { page, troubles } = web;
        await enterPage(page, atrium, "/settings");
        const row = (text: string) => page.locator(".repository").filter({ hasText: text });
        await row(shop).getByText("Ready").waitFor();
        await row("gone").getByText("Cannot be used").waitFor();
        assert.match(await row("gone").innerText(), /there is no folder .*nothing/);
        assert.equal(await row(shop).getByRole("button").count(), 0, "settings are changed there");

        const path = page.getByLabel("Folder on the server's computer");
        const add = page.getByRole("button", { name: "Add a repository" });
        for (const [given, problem] of [
          [join(home, "nowhere"), "There is no such folder on the server's computer."],
          [atrium.home, "This folder belongs to the server itself."],
          ["site", "is not absolute"],
        ] as const) {
          await path.fill(given);
          await add.click();
          await page.getByRole("alert").getByText(problem).waitFor();
        }
        await path.fill(site);
        await page.getByLabel("Short name (optional)").fill("shop");
        await add.click();
        await page.getByRole("alert").getByText("Another repository has this short name").waitFor();
        await page.getByLabel("Short name (optional)").fill("");
        await keepPicture(page, "settings-workshop");
        await path.press("Enter");
        await row(site).getByText("Ready").waitFor();
        await keepPicture(page, "settings-added");
        await page.reload();
        await row(site).getByRole("button", { name: "Remove site" }).click();
        await row(site).getByText("your folder stays as it is").waitFor();
        assert.deepEqual([await seriousIssues(page), troubles], [[], []]);
        await row(site).getByRole("button", { name: "Remove site" }).click();
        await row(site).waitFor({ state: "detached" });
        assert.equal(await readFile(join(site, "index.html"), "utf8"), "<p>");
      }),
  );
});

function writeProgram(path: string, script: string): Promise<void> {
  return writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
