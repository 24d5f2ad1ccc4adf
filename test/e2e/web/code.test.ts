/** Scene and code on one timeline, in a real browser: dragged back, played on, by mouse and by keyboard. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
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
import { ALL_CHANNELS, enterWorld } from "../../kit/world-peer.ts";

const skip = skipWithoutBrowser || skipWithoutSandbox() || skipWithout("git");
const env = { PATH: process.env["PATH"] ?? "" };

describe("the code beside the office", { skip }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  const mended = (page: Page) =>
    page.locator(".code-patch [data-type=added]", { hasText: "${at + 1}." });
  const broken = (page: Page) =>
    page.locator(".code-patch [data-type=added]", { hasText: "${at}." });

  test("[WEB-60] [WEB-45] dragging and playing the timeline takes the code along, and a task starts again from there", async () => {
    await using atrium = await openTestAtrium({ env });
    await using peer = await enterWorld(atrium);
    await peer.subscribe({ ...ALL_CHANNELS, calls: true });
    await using web = await openWebPage(browser, { width: 1440, height: 1000 });
    const { page, troubles } = web;
    page.setDefaultTimeout(40_000);
    await enterOffice(page, atrium);
    await page.getByRole("link", { name: "Code", exact: true }).click();
    await page.getByText("No code yet.").waitFor();
    await peer.ask("submit_request", { text: "Build a tide table tool" });
    const { payload } = await peer.event("kickoff_finished");
    await peer.ask("auto_assign", { project_id: payload.project_id });
    const { task_id: taskId } = (
      await peer.first(
        ({ type, payload: event }) =>
          type === "event" && event.name === "tool_called" && event.tool === "run",
      )
    ).payload;
    await peer.first(
      ({ type, payload: event }) =>
        type === "event" && event.name === "artifact_delivered" && event.task_id === taskId,
    );

    // By keyboard: the task, then its program.
    const chooser = page.getByRole("combobox", { name: "Task" });
    await chooser.selectOption(String(taskId));
    assert.match(page.url(), /show=code(?:%3A|:)task_/);
    const program = page.locator(".code-files").getByRole("button", { name: /(?<!test)\.mjs/ });
    await tabTo(page, program);
    await page.keyboard.press("Enter");
    assert.equal(await program.getAttribute("aria-current"), "true");
    await mended(page).waitFor();
    await keepPicture(page, "code-live");
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);

    const slider = page.getByRole("slider", { name: "Point in time" });
    for (let at = Number(await slider.inputValue()) - 1; at > 0; at -= 1) {
      await slider.fill(String(at));
      await page.getByText(/^These are the files at/).waitFor();
      await page.waitForTimeout(400);
      if ((await broken(page).count()) > 0) break;
    }
    await broken(page).waitFor();
    await page.locator(".past-banner").waitFor();
    await keepPicture(page, "code-past");
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);

    await page.getByLabel("Speed").selectOption("5");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await mended(page).waitFor();
    assert.ok((await page.locator(".code-patch [data-fresh=true]").count()) > 0);
    await keepPicture(page, "code-played");
    const back = page.getByRole("button", { name: "Return to live" });
    // At its end the playback returns to live by itself, and takes the button away.
    await back.click({ timeout: 2_000 }).catch(() => back.waitFor({ state: "hidden" }));

    await slider.fill(String(Number(await slider.inputValue()) - 1));
    await page.getByRole("button", { name: "Start again from here" }).click();
    await page
      .locator(".moment-sure")
      .getByRole("button", { name: "Start again from here" })
      .click();
    await page.getByText(/^A new task starts from there/).waitFor();
    await chooser.locator("option", { hasText: "(fork)" }).waitFor({ state: "attached" });
    assert.deepEqual(troubles, []);
  });

  test("[WEB-60] without a chosen task the code is that of whoever works at the moment", async () => {
    await using atrium = await openTestAtrium({ env });
    await using peer = await enterWorld(atrium);
    await using web = await openWebPage(browser, { width: 1440, height: 1000 });
    const { page, troubles } = web;
    page.setDefaultTimeout(40_000);
    await enterOffice(page, atrium);
    await page.getByRole("link", { name: "Code", exact: true }).click();
    await peer.ask("submit_request", { text: "Build a tide table tool" });
    const { payload } = await peer.event("kickoff_finished");
    await peer.ask("auto_assign", { project_id: payload.project_id });
    await page.locator(".code-patch").waitFor();
    const work = page.locator(".code-task a");
    await work.waitFor();
    const slider = page.getByRole("slider", { name: "Point in time" });
    await slider.fill("0");
    await page.getByText("No code yet.").waitFor();
    await page.getByRole("button", { name: "Return to live" }).click();
    await work.waitFor();
    assert.deepEqual(troubles, []);
  });
});
