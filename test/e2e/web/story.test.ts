/** From a request to a trophy in the web client: by mouse, and by keyboard alone. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openPricedOffice } from "../../kit/priced-office.ts";
import {
  enterOffice,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  tabTo,
  until,
} from "../../kit/web-page.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const needs = (page: Page, kind: string) => page.locator(`.need[data-kind=${kind}]`);

describe("the web client", { skip: skipWithoutBrowser, concurrency: true }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[WEB-37] [WEB-61] by mouse: ask, hand out, answer, reload, review, and there is a trophy; axe has nothing serious to say", async () => {
    await using atrium = await openTestAtrium({ office: { walkingSpeedMps: 1.2 } });
    await using opened = await openWebPage(browser);
    const { page, troubles } = opened;
    await enterOffice(page, atrium);
    assert.equal(new URL(page.url()).hash, "");
    await page.getByText("Rehearsal: no model is connected").waitFor();
    assert.deepEqual(await seriousIssues(page), []);

    await page.getByText("Demo mode: no model.").waitFor();
    await page.getByLabel("What do you want done?").fill("Plan the launch of a tide table app");
    await page.getByText("Constraints, repository and files").click();
    await page.getByLabel("Attach files").setInputFiles({
      name: "tides.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("high at noon"),
    });
    await page.getByText("tides.txt").waitFor();
    assert.deepEqual(await seriousIssues(page), []);
    await page.getByRole("button", { name: "Ask", exact: true }).click();

    await page.getByRole("link", { name: "Front desk" }).click();
    await page.getByRole("button", { name: "Auto-assign tasks" }).click();
    await needs(page, "question").waitFor();
    assert.match(await needs(page, "question").innerText(), /waiting \d+ s · Blocking 1 task/);
    assert.deepEqual(await seriousIssues(page), []);

    await page.reload();
    await needs(page, "question").getByRole("button", { name: /^Open/ }).click();
    const choice = page.locator(".choices button").first();
    const chosen = await choice.innerText();
    await page.reload();
    await choice.click();
    await page.getByText(`Answered by Anonymous user: ${chosen}`).waitFor();

    await needs(page, "review")
      .first()
      .getByRole("button", { name: /^Read and review/ })
      .click();
    await page.getByText("A rehearsal draft by").waitFor();
    assert.deepEqual(await seriousIssues(page), []);
    await page.locator(".panel").getByRole("button", { name: "Approve" }).click();
    await page.getByText("Reviewed by Anonymous user").waitFor();
    await page.getByRole("link", { name: "Trophies" }).click();
    const trophy = page.getByText(/\d+ tokens · \$0\.00 · took \d+ (?:s|min) · reviewed by/);
    while (!(await trophy.isVisible())) {
      const review = needs(page, "review")
        .getByRole("button", { name: /^Read and review/ })
        .first();
      await review.or(trophy).first().waitFor();
      if (await review.isVisible()) {
        const title = await needs(page, "review").first().locator(".need-title").innerText();
        const one = needs(page, "review").filter({ hasText: title });
        await review.click();
        // What was read can be approved in the list as well.
        await one.getByRole("button", { name: "Approve" }).click();
        await one.waitFor({ state: "detached" });
        await page.getByRole("link", { name: "Trophies" }).click();
      }
    }
    assert.deepEqual(await seriousIssues(page), []);
    await page.getByText("That was a rehearsal.").waitFor();
    await page.getByRole("link", { name: "Connect your agent" }).click();
    await page.getByText(/^npx atrium repo add/).waitFor();
    assert.deepEqual(troubles, []);
    assert.deepEqual(atrium.faults, []);
  });

  test("[WEB-37] by keyboard alone: Tab and Enter ask; Space, Y and digits answer; the trophy is reached", async () => {
    await using atrium = await openTestAtrium();
    await using opened = await openWebPage(browser);
    const { page, troubles } = opened;
    await enterOffice(page, atrium);
    await using world = await enterWorld(atrium);
    await world.first(({ type, payload }) => type === "snapshot" && payload.viewers?.length === 1);
    const { keyboard } = page;
    await tabTo(page, page.getByRole("link", { name: "Ask", exact: true }));
    await keyboard.press("Enter");
    await tabTo(page, page.getByLabel("What do you want done?"));
    await keyboard.type("Compare three ways to store small files");
    await tabTo(page, page.getByRole("button", { name: "Ask", exact: true }));
    await keyboard.press("Enter");

    const chosen = page.locator(".need[data-chosen=true]");
    /** Space until one of that kind is chosen; then the key. */
    const answer = async (kind: string, key: string): Promise<void> => {
      await needs(page, kind).first().waitFor();
      await until(page, `["", "content"].includes(document.activeElement.id)`);
      while ((await chosen.count()) === 0 || (await chosen.getAttribute("data-kind")) !== kind) {
        await keyboard.press(" ");
      }
      const title = await chosen.locator(".need-title").innerText();
      // What was read before is approved at once.
      const isRead = (await chosen.getByRole("button", { name: "Approve" }).count()) > 0;
      await keyboard.press(key);
      if (kind === "review" && !isRead) {
        await page.getByText("A rehearsal draft by").waitFor();
        await keyboard.press(key);
      }
      await page
        .locator(`.need[data-kind=${kind}]`, { hasText: title })
        .waitFor({ state: "detached" });
      if (kind !== "review" || isRead) return;
      await keyboard.press("Escape");
      await page.locator(".panel").waitFor({ state: "detached" });
    };
    // The plan opens by itself; whoever agrees with it starts the work.
    await tabTo(page, page.locator(".plan-start").getByRole("button", { name: "Start work" }));
    await keyboard.press("Enter");
    await page.locator(".panel").waitFor({ state: "detached" });
    await answer("question", "1");
    await needs(page, "review").first().waitFor();
    // Enter opens what is chosen; Escape goes back to the office.
    await keyboard.press(" ");
    await keyboard.press("Enter");
    await page.getByText("A rehearsal draft by").waitFor();
    await keyboard.press("Escape");
    await page.locator(".panel").waitFor({ state: "detached" });
    const done = page.getByText("is complete", { exact: false });
    while ((await done.count()) === 0) {
      await needs(page, "review").first().or(done.first()).first().waitFor({ state: "attached" });
      if ((await needs(page, "review").count()) > 0) await answer("review", "y");
    }
    await tabTo(page, page.getByRole("link", { name: "Trophies" }));
    await keyboard.press("Enter");
    await page.getByText(/took \d+ (?:s|min)/).waitFor();
    assert.deepEqual(troubles, []);
  });

  test("[WEB-31] [WEB-32] a priced model: tools as they are used, what they cost, and a budget that stops it", async () => {
    await using office = await openPricedOffice({ budgets: { run: { cost: 0.5 } } });
    const { atrium } = office;
    await using peer = await enterWorld(atrium);
    await using opened = await openWebPage(browser);
    const { page, troubles } = opened;
    await enterOffice(page, atrium);
    await peer.ask("submit_request", { text: "Write some copy" });
    const { project_id } = (await peer.event("kickoff_finished")).payload;
    await peer.ask("auto_assign", { project_id });
    const openTask = async (): Promise<void> => {
      await page.getByRole("link", { name: "Tasks" }).click();
      await page.getByRole("link", { name: "Write the copy" }).click();
    };
    await openTask();
    const call = (tool: string) => page.locator(".call", { hasText: tool });
    const asking = call("ask");
    await asking.getByText(/^running · \d+ (?:ms|s)$/).waitFor();
    assert.match(await asking.innerText(), /Which tone\?/);
    await needs(page, "question").getByRole("button", { name: "Warm" }).click();
    await asking.getByText(/^done · \d+ (?:ms|s)$/).waitFor();

    const stopped = needs(page, "budget");
    await stopped.getByText("This turn has cost $0.60; its budget is $0.50. Go on?").waitFor();
    await page.getByText("360 tokens · $0.60").waitFor();
    await stopped.getByRole("button", { name: "Continue" }).click();
    await asking.locator("summary").click();
    await asking.getByText("Result", { exact: true }).waitFor();
    assert.match(await asking.innerText(), /Warm/);
    assert.deepEqual(await seriousIssues(page), []);

    await page.reload();
    await call("deliver_artifact").getByText(/^done/).waitFor();
    assert.equal(await page.locator(".call").count(), 2);

    // At the moment the task was begun, no tool had been used yet.
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.locator("[data-kind=task_started]").click();
    await page.locator(".past-banner").waitFor();
    await openTask();
    await page.getByText("The agent is not writing anything right now.").waitFor();
    assert.equal(await page.locator(".call").count(), 0);
    await page.getByRole("button", { name: "Return to live" }).click();
    await call("deliver_artifact").waitFor();
    assert.deepEqual(troubles, []);
    assert.deepEqual(atrium.faults, []);
  });
});
