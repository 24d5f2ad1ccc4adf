/** The page of a node that cannot write. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { openTestCluster } from "../../kit/atrium-cluster.ts";
import { enterOffice, launchBrowser, openWebPage, skipWithoutBrowser } from "../../kit/web-page.ts";

describe("the page of a node that cannot write", { skip: skipWithoutBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  for (const [language, title] of [
    ["en-US", "Reading only."],
    ["de-DE", "Nur Lesen."],
  ] as const) {
    test(`[NODE-33] it says that it is reading only, and no more once it can write (${language})`, async () => {
      await using cluster = await openTestCluster({ nodes: 2 });
      const node = await cluster.other();
      await using opened = await openWebPage(browser, { language });
      const { page } = opened;
      await enterOffice(page, node);
      const banner = page.getByRole("status").filter({ hasText: title });
      node.cut();
      await banner.waitFor();
      assert.match(await banner.innerText(), /the way to the chain is cut/);
      assert.equal(await page.getByText(/connection lost|verbindung unterbrochen/i).count(), 0);
      node.heal();
      await banner.waitFor({ state: "detached" });
    });
  }
});
