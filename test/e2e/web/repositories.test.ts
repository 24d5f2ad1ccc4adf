/** Which repository the work is done in, chosen in a real browser. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Snapshot } from "@atrium/client";
import type { Browser } from "playwright-core";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { makeRepository } from "../../kit/git-repository.ts";
import { withHome } from "../../kit/server-process.ts";
import {
  enterOffice,
  enterPage,
  keepPicture,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
} from "../../kit/web-page.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const skip = skipWithoutBrowser || skipWithout("git");

describe("the repository that work is done in", { skip }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  /** One repository that can be used and one that cannot. */
  const withShop = (work: (atrium: TestAtrium) => Promise<void>): Promise<void> =>
    withHome(async (home) => {
      const path = await makeRepository(join(home, "shop"), { "till.txt": "12\n" });
      const settings = join(home, "settings.json");
      const repositories = { shop: { path }, gone: { path: join(home, "nothing") } };
      await writeFile(settings, JSON.stringify({ repositories }));
      const env = { PATH: process.env["PATH"] ?? "" };
      await using atrium = await openTestAtrium({ env, args: ["--config", settings] });
      await work(atrium);
    });

  test("[WEB-44] a request works in the repository that was chosen, else in one of its own", () =>
    withShop(async (atrium) => {
      await using web = await openWebPage(browser);
      const { page, troubles } = web;
      await enterOffice(page, atrium);
      const ask = async (text: string, repository?: string): Promise<void> => {
        await page.goto(new URL("/?show=ask", atrium.url).href);
        await page.getByLabel("What do you want done?").fill(text);
        const select = page.getByRole("combobox", { name: "Repository" });
        await select.waitFor();
        if (repository !== undefined) await select.selectOption(repository);
        await page.getByRole("button", { name: "Ask", exact: true }).click();
        await page.getByText("Request sent").first().waitFor();
      };
      await ask("Count what is in the till", "shop");
      await ask("Write a poem about the sea");
      await page.goto(new URL("/?show=ask", atrium.url).href);
      await page.getByText("The work starts in an empty repository.").waitFor();
      const gone = page.getByRole("option", { name: "gone (cannot be used)" });
      assert.equal(await gone.isDisabled(), true);
      await keepPicture(page, "ask-repository");
      assert.deepEqual([await seriousIssues(page), troubles], [[], []]);
      await using peer = await enterWorld(atrium);
      const [snapshot] = peer.told("snapshot");
      assert.ok(snapshot !== undefined);
      const { projects } = snapshot.payload as Pick<Snapshot, "projects">;
      assert.deepEqual(
        projects.map(({ repository }) => repository),
        ["shop", undefined],
      );
    }));

  test("[WEB-44] [WEB-43] a build works in the repository that was chosen, says so, and shows its files", () =>
    withShop(async (atrium) => {
      await using web = await openWebPage(browser, { language: "de-DE" });
      const { page, troubles } = web;
      await enterPage(page, atrium, "/builds");
      await page.locator(".start-form textarea").fill("A till");
      await page.getByRole("combobox", { name: "Repository" }).selectOption("shop");
      await page.getByText("Ihre Dateien bleiben unberührt.").waitFor();
      await page.locator(".start-form [type=submit]").click();
      await page.locator(".build-head .chip", { hasText: "shop" }).waitFor();
      await page.getByRole("radio").first().waitFor();
      const files = page.locator(".files");
      await files.locator("summary").click();
      await files.getByRole("button", { name: "Alle Dateien" }).click();
      await files.getByRole("button", { name: "till.txt" }).click();
      await files.getByRole("region", { name: "till.txt" }).getByText("12").waitFor();
      assert.deepEqual(troubles, []);
    }));
});
