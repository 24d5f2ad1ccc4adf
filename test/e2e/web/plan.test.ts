/** The plan of a project in a real browser: shown, edited, handed out, and edited while it runs. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openTestAtrium } from "../../kit/atrium.ts";
import {
  enterOffice,
  keepPicture,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  tabTo,
  unreachable,
} from "../../kit/web-page.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const REQUEST = "Build a command-line tide table, with tests";

describe("the plan of a project", { skip: skipWithoutBrowser }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  const rows = (page: Page) => page.locator(".plan-tasks > li");
  const titles = (page: Page) => page.locator(".plan-tasks .board-card-title").allInnerTexts();
  const ask = async (page: Page): Promise<void> => {
    await page.getByLabel("What do you want done?").fill(REQUEST);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
  };

  test("[WEB-63] by mouse: it opens by itself, is edited, reordered and reassigned, and starts as shown", async () => {
    await using atrium = await openTestAtrium();
    await using peer = await enterWorld(atrium);
    await using web = await openWebPage(browser, { width: 1440, height: 1000 });
    const { page, troubles } = web;
    page.setDefaultTimeout(30_000);
    await enterOffice(page, atrium);
    await ask(page);
    await rows(page).first().waitFor();
    const planned = await titles(page);
    assert.ok(planned.length >= 2);
    // In the room or, where that is not drawn yet, on the floor plan.
    const lines = page.locator(".office-plan-card > li, .floor-plan-card-line");
    await lines.first().waitFor();
    const hanging = (await lines.allTextContents()).map((line) => /^\d+ +(.*?)…?$/.exec(line)?.[1]);
    assert.equal(hanging.length, planned.length);
    for (const [at, line] of hanging.entries()) assert.ok(planned[at]?.startsWith(line ?? "?"));
    await keepPicture(page, "plan");
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);

    await rows(page)
      .nth(1)
      .getByRole("button", { name: /^Edit: / })
      .click();
    const form = rows(page).nth(1);
    await form.getByLabel("Title", { exact: true }).fill("Write the table");
    await form.getByLabel(/^Done when/).fill("It prints high and low water\nIt has a test");
    await form.getByLabel(/^Commands that check it/).fill("npm test");
    await form.getByRole("group", { name: "Starts after" }).getByRole("checkbox").first().check();
    await keepPicture(page, "plan-edit");
    assert.deepEqual(await seriousIssues(page), []);
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^Saved: /).waitFor();
    const edited = (await peer.event("task_edited")).payload;
    assert.deepEqual(edited.accept, ["It prints high and low water", "It has a test"]);
    assert.deepEqual(edited.verify, ["npm test"]);
    await form.getByText("after 1", { exact: true }).waitFor();
    await form.getByText("It has a test").waitFor();

    // The first cannot wait for what waits for it.
    await rows(page)
      .first()
      .getByRole("button", { name: /^Edit: / })
      .click();
    await rows(page)
      .first()
      .getByRole("checkbox", { name: /Write the table/ })
      .check();
    await rows(page).first().getByRole("button", { name: "Save" }).click();
    await page.getByText(/^The plan does not fit together/).waitFor();
    await rows(page).first().getByRole("button", { name: "Cancel" }).click();

    await page.getByRole("button", { name: "Add a task" }).click();
    await page.locator(".plan-new").getByLabel("Title", { exact: true }).fill("Write the manual");
    await page.locator(".plan-new").getByLabel("Result").selectOption("document");
    await page.locator(".plan-new").getByRole("button", { name: "Add a task" }).click();
    await page.locator(".plan-new").waitFor({ state: "detached" });
    await rows(page).filter({ hasText: "Write the manual" }).waitFor();

    await rows(page).last().locator(".plan-number").hover();
    await page.mouse.down();
    // A browser drags from the second move on.
    const target = rows(page)
      .nth(planned.length - 1)
      .locator(".plan-number");
    await target.hover();
    await target.hover({ position: { x: 4, y: 4 } });
    await page.mouse.up();
    await rows(page)
      .nth(planned.length - 1)
      .getByText("Write the manual")
      .waitFor();

    const person = rows(page)
      .filter({ hasText: "Write the table" })
      .getByRole("combobox", { name: /^Proposed for: / });
    await person.selectOption({ label: "Writer 1" });
    await page.locator(".plan-start").getByRole("button", { name: "Start work" }).click();
    await page.locator(".panel").waitFor({ state: "detached" });
    const table = edited.task_id;
    const given = await peer.first(
      ({ type, payload }) =>
        type === "event" && payload.name === "task_assigned" && payload.task_id === table,
    );
    assert.equal(given.payload.agent_id, "agent_writer_1");
    assert.deepEqual([troubles, atrium.faults], [[], []]);
  });

  test("[WEB-63] [WEB-49] by keyboard: moved, removed and started; while it runs the plan is still edited", async () => {
    await using atrium = await openTestAtrium();
    await using peer = await enterWorld(atrium);
    await using web = await openWebPage(browser, { width: 1280, height: 900 });
    const { page, troubles } = web;
    const { keyboard } = page;
    page.setDefaultTimeout(30_000);
    await enterOffice(page, atrium);
    await ask(page);
    await rows(page).first().waitFor();
    const [first = "", second = ""] = await titles(page);
    await tabTo(page, page.getByRole("button", { name: `Move down: ${first}` }));
    await keyboard.press("Enter");
    await rows(page).first().getByText(second, { exact: true }).waitFor();

    await tabTo(page, page.getByRole("button", { name: "Add a task" }));
    await keyboard.press("Enter");
    await keyboard.type("Publish it");
    await keyboard.press("Enter");
    const added = rows(page).filter({ hasText: "Publish it" });
    await added.waitFor();
    await tabTo(page, added.getByRole("button", { name: "Remove" }));
    await keyboard.press("Enter");
    await keyboard.press("Enter");
    await added.waitFor({ state: "detached" });

    await tabTo(page, page.locator(".plan-start").getByRole("button", { name: "Start work" }));
    await keyboard.press("Enter");
    await page.locator(".panel").waitFor({ state: "detached" });
    const { project_id } = (await peer.event("task_started")).payload;
    await page.goto(new URL(`/?show=plan:${project_id}`, atrium.url).href);
    await rows(page).first().waitFor();
    await page.getByRole("button", { name: "Add a task" }).click();
    await page.locator(".plan-new").getByLabel("Title", { exact: true }).fill("Say thank you");
    await keyboard.press("Enter");
    await rows(page).filter({ hasText: "Say thank you" }).waitFor();
    await page.locator(".plan-start").getByText("1 task is assigned as shown.").waitFor();
    await keepPicture(page, "plan-running");
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
    // As a phone shows it, and with a form open.
    await page.setViewportSize({ width: 360, height: 740 });
    await page
      .getByRole("button", { name: /^Edit: / })
      .last()
      .click();
    await keepPicture(page, "plan-phone");
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
    await keyboard.press("Escape");
    // The first press left the form; the second closes the sheet, whatever has the focus.
    await rows(page).first().waitFor();
    await page.evaluate("document.activeElement.blur()");
    await keyboard.press("Escape");
    await page.locator(".panel").waitFor({ state: "detached" });
    await page.goto(new URL(`/?show=project:${project_id}`, atrium.url).href);
    await page.getByText("Nothing is merged yet.").waitFor();
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
    assert.deepEqual([troubles, atrium.faults], [[], []]);
  });
});
