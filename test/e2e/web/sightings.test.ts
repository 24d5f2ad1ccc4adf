/** Sessions in terminals as the page shows them: the switch in the settings, labels, outline, and a crowd of them. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openCrowd } from "../../kit/joined-crowd.ts";
import { openSightedHome } from "../../kit/sighted-session.ts";
import {
  enterOffice,
  enterPage,
  keepPicture,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
} from "../../kit/web-page.ts";

const skip = skipWithoutBrowser || (process.platform === "linux" ? false : "reads /proc");

/** What reaches beyond the panel. As text, because these types know no document. */
const TOO_WIDE = `(() => {
  const panel = document.querySelector(".panel").getBoundingClientRect();
  return [...document.querySelectorAll(".panel *")]
    .filter((each) => each.getBoundingClientRect().right > panel.right + 1)
    .map((each) => each.localName + "." + each.className);
})()`;

describe("sessions in terminals in the page", { skip }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  test("[SIGHT-13] a switch in the settings shows them; label, outline and panel say whose they are", async () => {
    await using home = openSightedHome();
    const session = await home.open();
    session.prompted("Note the tide");
    session.uses("Bash", { command: "date" });
    await using atrium = await openTestAtrium({ env: home.env });
    await using opened = await openWebPage(browser);
    const { page, troubles } = opened;
    await enterPage(page, atrium, "/settings");
    const claude = page.getByRole("checkbox", { name: /^Claude Code/ });
    await claude.waitFor();
    assert.equal(await claude.isChecked(), false);
    await page.getByText("Reads ~/.claude/sessions").waitFor();
    await claude.click();
    await page.getByText("Sessions of Claude Code are shown.").waitFor();
    assert.equal(await claude.isChecked(), true);
    await keepPicture(page, "sightings-settings");
    assert.deepEqual(await seriousIssues(page), []);
    await page.goto(new URL("/?show=outline", atrium.url).href);
    await page.getByText("claude-code, fake-model, ann,").waitFor();
    await page.locator(".outline").getByText("read from its transcript").waitFor();
    await page.locator(".floor-plan-signature", { hasText: "fake-model · ann" }).waitFor();
    await keepPicture(page, "sightings-outline");
    await page.locator(".outline").getByRole("link", { name: "Claude Code · shop" }).click();
    await page.getByText("nothing can be asked or sent from here").waitFor();
    await page.getByText("atrium join claude-code").waitFor();
    assert.equal(await page.getByLabel("Leave a message").count(), 0);
    await keepPicture(page, "sightings-panel");
    await page.goto(new URL("/settings", atrium.url).href);
    await claude.click();
    await page.getByText("Sessions of Claude Code are no longer read.").waitFor();
    await page.goto(new URL("/?show=outline", atrium.url).href);
    await page.getByRole("heading", { name: "Agents" }).waitFor();
    await page.getByText("claude-code, fake-model, ann,").waitFor({ state: "detached" });
    assert.deepEqual(troubles, []);
  });

  test("[SIGHT-14] who was not heard of is greyed out in the plan, and the outline and the panel say so", async () => {
    await using home = openSightedHome();
    const quiet = await home.open("s-quiet");
    quiet.says("idle", Date.now() - 300_000);
    await home.open("s-heard");
    const settings = { sightings: { "claude-code": true } };
    await using atrium = await openTestAtrium({ env: home.env, settings });
    await using opened = await openWebPage(browser);
    const { page, troubles } = opened;
    await enterOffice(page, atrium);
    const joined = page.locator('.floor-plan [data-agent^="agent_joined_"]');
    await joined.nth(1).waitFor({ state: "attached" });
    await page.locator('.floor-plan [data-agent^="agent_joined_"][opacity="0.45"]').waitFor();
    assert.equal(await page.locator('.floor-plan [opacity="0.45"]').count(), 1);
    await keepPicture(page, "unheard-plan");
    await page.goto(new URL("/?show=outline", atrium.url).href);
    const unheard = page.locator(".outline li", { hasText: "no recent signal" });
    await unheard.waitFor();
    assert.equal(await unheard.count(), 1);
    await unheard.getByRole("link").click();
    await page.locator(".panel .facts", { hasText: "no recent signal" }).waitFor();
    assert.deepEqual(troubles, []);
  });

  test("[SIGHT-15] twenty sessions with names of any kind are text, and fit the page", async () => {
    await using atrium = await openTestAtrium();
    await openCrowd(atrium);
    await using opened = await openWebPage(browser, { width: 1500, height: 950 });
    const { page, troubles } = opened;
    let asked = 0;
    page.on("dialog", (dialog) => {
      asked += 1;
      void dialog.dismiss();
    });
    await enterOffice(page, atrium);
    const joined = page.locator('.floor-plan [data-agent^="agent_joined_"]');
    await joined.nth(19).waitFor({ state: "attached" });
    await keepPicture(page, "crowd-plan");
    await page.goto(new URL("/?show=outline", atrium.url).href);
    const people = page.locator(".outline section").first().getByRole("listitem");
    await people.filter({ hasText: "<img src=x" }).waitFor();
    assert.equal(await people.filter({ hasText: "claude-code" }).count(), 20);
    assert.equal(await page.locator(".outline img, .outline b").count(), 0);
    await keepPicture(page, "crowd-outline");
    assert.deepEqual(await page.evaluate<readonly string[]>(TOO_WIDE), []);
    await people.filter({ hasText: "xxxx" }).getByRole("link").click();
    await page.getByLabel("Leave a message").waitFor();
    await keepPicture(page, "crowd-panel");
    assert.deepEqual(await page.evaluate<readonly string[]>(TOO_WIDE), []);
    assert.equal(asked, 0);
    assert.deepEqual(troubles, []);
  });
});
