/**
 * The whole story in a real browser, with the rehearsal crew, real git and a real sandbox: asked, planned, made, checked,
 * commented on, made again, approved, merged, delivered, a trophy. By mouse, and by keyboard alone; nothing is done beside
 * the page.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { FAST_CREW, openBuildHouse } from "../../kit/builds.ts";
import {
  enterOffice,
  launchBrowser,
  openWebPage,
  skipWithoutBrowser,
  tabTo,
  until,
} from "../../kit/web-page.ts";

const skip = skipWithoutBrowser || skipWithoutSandbox() || skipWithout("git");
const env = { PATH: process.env["PATH"] ?? "" };
const PROGRAM = "tide-table.mjs";
const REQUEST = "Create a tide table";
const MERGED = "This change is part of the project.";

const needs = (page: Page, kind: string): Locator => page.locator(`.need[data-kind=${kind}]`);
const building = (page: Page): Locator =>
  needs(page, "review").filter({ hasText: "Build a first version" });
const lineAt = (page: Page, line: number): Locator =>
  page.locator(`[data-path="${PROGRAM}"][data-side=new][data-line="${line}"]`);
const commentWith = (page: Page, text: string): Locator =>
  page.locator(".diff-list .comment", { hasText: text });

/** The one of the review, not that of the list. */
const approval = (page: Page): Locator =>
  page.locator("button.is-primary", { hasText: /^Approve/ });

/** A required check failed, and passed after the agent had mended it: the timeline tells of both. */
async function seeMendedCheck(page: Page): Promise<void> {
  const checks = page.locator("[data-kind=checks_finished]");
  await checks.getByText(/^Checks failed: “Build a first version/).waitFor();
  await checks.getByText(/^Checks passed: “Build a first version/).waitFor();
}

describe("the rehearsed story", { skip }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[WEB-37] [WEB-48] [WEB-63] [WEB-65] [WEB-67] by mouse: from a request over a failing check, a comment and its answer to a delivered project and its trophy", async () => {
    await using house = await openBuildHouse(FAST_CREW, { env });
    await using web = await openWebPage(browser, { width: 1440, height: 900 });
    const { page, troubles } = web;
    await enterOffice(page, house.atrium);
    await page.getByLabel("What do you want done?").fill(REQUEST);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".plan-start").getByRole("button", { name: "Start work" }).click();
    await needs(page, "question").getByRole("button", { name: /^Open/ }).click();
    await page.locator(".choices button").first().click();

    await page.getByRole("link", { name: "Timeline" }).click();
    await seeMendedCheck(page);

    await building(page)
      .getByRole("button", { name: /^Read and review/ })
      .click();
    await lineAt(page, 2).click();
    await page.getByLabel("Comment on line 2").fill("For which harbor?");
    await page.getByRole("button", { name: "Keep comment" }).click();
    await page.getByRole("button", { name: /^Request changes/ }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("button", { name: "Go to version 3" }).click();
    await commentWith(page, "For which harbor?")
      .getByText(/^Line 2 now/)
      .waitFor();
    await page.locator(".row-line").getByText("wished: For which harbor?").first().waitFor();
    await approval(page).click();
    await page.getByText(MERGED).waitFor();
    await page.keyboard.press("Escape");

    const delivery = needs(page, "delivery");
    while (!(await delivery.isVisible())) {
      const review = needs(page, "review").first();
      await review.or(delivery).first().waitFor();
      if (!(await review.isVisible())) continue;
      const title = await review.locator(".need-title").innerText();
      await review.getByRole("button", { name: /^Read and review/ }).click();
      await approval(page).click();
      await needs(page, "review").filter({ hasText: title }).waitFor({ state: "detached" });
      await page.keyboard.press("Escape");
    }
    await delivery.getByRole("button", { name: /^Open/ }).click();
    await page.locator(".panel").getByRole("button", { name: "Deliver", exact: true }).click();
    await delivery.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Trophies" }).click();
    await page.getByText(/checks passed · delivered: /).waitFor();
    assert.deepEqual([troubles, house.atrium.faults], [[], []]);
  });

  test("[WEB-37] [WEB-47] [WEB-51] [WEB-67] by keyboard alone: the same, with versions compared, a comment resolved and a suggestion applied", async () => {
    await using house = await openBuildHouse(FAST_CREW, { env });
    await using web = await openWebPage(browser, { width: 1440, height: 900 });
    const { page, troubles } = web;
    const { keyboard } = page;
    const press = async (target: Locator): Promise<void> => {
      await tabTo(page, target);
      await keyboard.press("Enter");
    };
    const chosen = page.locator(".need[data-chosen=true]");
    /** Space, until it is the one. */
    const choose = async (wanted: Locator): Promise<void> => {
      await wanted.first().waitFor();
      await until(page, `["", "content"].includes(document.activeElement.id)`);
      while ((await wanted.and(chosen).count()) === 0) await keyboard.press(" ");
    };
    const goToLine = async (line: number): Promise<void> => {
      const current = page.locator(".diff-space > [data-current]", { has: lineAt(page, line) });
      for (let steps = 0; (await current.count()) === 0; steps++) {
        assert.ok(steps < 200, `j leads to line ${line}`);
        await keyboard.press("j");
      }
    };
    const comment = async (line: number, text: string): Promise<void> => {
      await goToLine(line);
      await keyboard.press("c");
      await page.getByLabel(`Comment on line ${line}`).waitFor();
      await keyboard.type(text);
      await keyboard.press("Control+Enter");
      await page.locator(".comment.is-draft").getByText("not sent yet").waitFor();
    };

    await enterOffice(page, house.atrium);
    await press(page.getByRole("link", { name: "Ask", exact: true }));
    await tabTo(page, page.getByLabel("What do you want done?"));
    await keyboard.type(REQUEST);
    await press(page.getByRole("button", { name: "Ask", exact: true }));
    await press(page.locator(".plan-start").getByRole("button", { name: "Start work" }));
    await page.locator(".panel").waitFor({ state: "detached" });
    await choose(needs(page, "question"));
    await keyboard.press("1");
    await needs(page, "question").waitFor({ state: "detached" });
    await press(page.getByRole("link", { name: "Timeline" }));
    await seeMendedCheck(page);
    await keyboard.press("Escape");
    await page.locator(".panel").waitFor({ state: "detached" });

    await choose(building(page));
    await keyboard.press("Enter");
    await lineAt(page, 2).waitFor();
    await comment(2, "For which harbor?");
    await keyboard.press("r");
    await page.getByLabel(/^What should change\?/).waitFor();
    await keyboard.press("Control+Enter");
    await press(page.getByRole("button", { name: "Go to version 3" }));
    const answered = commentWith(page, "For which harbor?");
    await answered.getByText(/^Line 2 now/).waitFor();
    await press(answered.getByRole("button", { name: "Resolve" }));
    await answered.getByText("resolved", { exact: true }).waitFor();
    const against = page.getByLabel("Compare with");
    await tabTo(page, against);
    await keyboard.press("2");
    await page.locator(".row-line").getByText("wished: For which harbor?").first().waitFor();
    assert.equal(await against.inputValue(), "2");
    await keyboard.press("Home");
    await lineAt(page, 5).waitFor();
    assert.equal(await against.inputValue(), "");
    await tabTo(page, page.locator(".diff-list"));
    await comment(4, '```suggestion\n  "one step",\n```');
    await press(page.getByRole("button", { name: "Apply it now" }));
    await page.locator(".row-line").getByText('"one step",').first().waitFor();
    await until(page, `document.activeElement.closest("textarea, select") === null`);
    await keyboard.press("Control+Enter");
    await page.getByText(MERGED).waitFor();
    await keyboard.press("Escape");
    await page.locator(".review").waitFor({ state: "detached" });

    const delivery = needs(page, "delivery");
    while (!(await delivery.isVisible())) {
      const review = needs(page, "review");
      await review.or(delivery).first().waitFor();
      if (await delivery.isVisible()) break;
      await choose(review);
      const title = await chosen.locator(".need-title").innerText();
      await keyboard.press("Enter");
      await page.locator("button.is-primary:enabled", { hasText: /^Approve/ }).waitFor();
      await keyboard.press("Control+Enter");
      await review.filter({ hasText: title }).waitFor({ state: "detached" });
      await keyboard.press("Escape");
      await page.locator(".review").waitFor({ state: "detached" });
    }
    await choose(delivery);
    await keyboard.press("Enter");
    await press(page.locator(".panel").getByRole("button", { name: "Deliver", exact: true }));
    await delivery.waitFor({ state: "detached" });
    await press(page.getByRole("link", { name: "Trophies" }));
    await page.getByText(/checks passed · delivered: /).waitFor();
    assert.deepEqual([troubles, house.atrium.faults], [[], []]);
  });
});
