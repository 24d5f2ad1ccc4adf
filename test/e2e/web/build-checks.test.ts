/** The checks of a build in a real browser: what they print is read where they are told of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openCheckedBuild } from "../../kit/checked-build.ts";
import {
  enterPage,
  keepPicture,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
} from "../../kit/web-page.ts";

const skip = skipWithoutBrowser || skipWithout("git") || skipWithoutSandbox();

test(
  "[PAGE-19] a check of a build opens what it prints, live while it runs and whole afterwards",
  { skip },
  async () => {
    await using checked = await openCheckedBuild();
    await using browser = await launchBrowser();
    await using web = await openWebPage(browser);
    const { page } = web;
    const id = await checked.start("Make it good");
    await enterPage(page, checked.shop.atrium, `/builds/${id}`);
    const lines = page.locator('.talk-line[data-who="checks"]');
    const first = lines.nth(0).locator("details");
    await first.locator("summary").click();
    await first.getByText("made: bad").waitFor();
    assert.match(await first.locator("summary").innerText(), /running/i);
    await checked.letGo();
    await lines.nth(0).getByText("The checks have failed.").waitFor();
    await first.getByText(/made: bad\s+over/).waitFor();
    await checked.letGo();
    await lines.nth(1).getByText("The checks have passed.").waitFor();
    const second = lines.nth(1).locator("details");
    await second.locator("summary").focus();
    await page.keyboard.press("Enter");
    await second.getByText(/made: good\s+over/).waitFor();
    assert.deepEqual(await seriousIssues(page), []);
    await keepPicture(page, "build-checks");
    // What was read live is there for whoever comes later.
    await page.reload();
    await first.locator("summary").click();
    await first.getByText(/made: bad\s+over/).waitFor();
    assert.deepEqual(web.troubles, []);
    assert.deepEqual(checked.shop.atrium.faults, []);
  },
);
