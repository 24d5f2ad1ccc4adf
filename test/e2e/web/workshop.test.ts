/** Work in a folder, watched in a real browser: commands as they run, the files of every moment, and going back. */
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
  unreachable,
  until,
} from "../../kit/web-page.ts";
import { ALL_CHANNELS, enterWorld, type WorldPeer } from "../../kit/world-peer.ts";

const skip = skipWithoutBrowser || skipWithoutSandbox() || skipWithout("git");
const env = { PATH: process.env["PATH"] ?? "" };

describe("work in a folder", { skip }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  /** Resolves with the first task that runs a command. */
  async function startProgram(peer: WorldPeer, text: string): Promise<string> {
    await peer.ask("submit_request", { text });
    const { payload } = await peer.event("kickoff_finished");
    await peer.ask("auto_assign", { project_id: payload.project_id });
    const called = await peer.first(
      ({ type, payload: event }) =>
        type === "event" && event.name === "tool_called" && event.tool === "run",
    );
    return called.payload.task_id as string;
  }

  const openTask = async (page: Page, url: string, taskId: string): Promise<void> => {
    await page.goto(new URL(`/?show=task:${taskId}`, url).href);
    await page.locator(".task-stream, .calls").first().waitFor();
  };

  /** Prints for a few seconds, then more than the log keeps. */
  const COMMAND = "for i in $(seq 1 40); do echo tick $i; sleep 0.2; done; seq 1 20000";

  test("[WEB-41] [WEB-42] a command is watched as it runs, in its task and at its desk, and read whole", async () => {
    await using atrium = await openTestAtrium({ env });
    await using peer = await enterWorld(atrium);
    await peer.subscribe({ ...ALL_CHANNELS, calls: true });
    await using web = await openWebPage(browser, { width: 1440, height: 1000 });
    const { page, troubles } = web;
    page.setDefaultTimeout(40_000);
    await enterOffice(page, atrium);
    const direction = `[[tool: run ${JSON.stringify({ command: COMMAND })}]]`;
    const taskId = await startProgram(peer, `Build a tide table tool ${direction}`);
    await openTask(page, atrium.url, taskId);
    const terminal = page.locator(".terminal", { hasText: "seq 1 20000" });
    await terminal.getByText("tick 3", { exact: false }).waitFor();
    assert.equal(await terminal.getAttribute("data-state"), "going");
    const screen = page.locator(".floor-plan-print", { hasText: "tick" });
    await screen.first().waitFor();
    await keepPicture(page, "terminal-live");
    const text = terminal.locator(".terminal-text");
    const scrolled = (): Promise<number> => text.evaluate(({ scrollTop }) => scrollTop);
    await terminal.getByText("tick 24").waitFor();
    assert.ok((await scrolled()) > 0, "it follows its end");
    await text.evaluate((box) => void (box.scrollTop = 0));
    await terminal.getByText("tick 30").waitFor();
    assert.equal(await scrolled(), 0, "who reads back stays there");
    await terminal.getByRole("button", { name: "Jump to latest" }).click();
    assert.ok((await scrolled()) > 0);
    const all = terminal.getByRole("button", { name: /^Show all output/ });
    await all.waitFor();
    assert.equal(await terminal.getByText("\n10000\n").count(), 0);
    await all.click();
    await until(
      page,
      `document.querySelector(".terminal-text").textContent.includes("\\n10000\\n")`,
    );
    await keepPicture(page, "terminal-whole");
    assert.deepEqual([await seriousIssues(page), troubles], [[], []]);
  });

  test("[WEB-43] [WEB-45] a task shows its files as they are and were, goes back to them, and another starts from them", async () => {
    await using atrium = await openTestAtrium({ env });
    await using peer = await enterWorld(atrium);
    await peer.subscribe({ ...ALL_CHANNELS, calls: true });
    await using web = await openWebPage(browser, { width: 1440, height: 1000 });
    const { page, troubles } = web;
    page.setDefaultTimeout(40_000);
    await enterOffice(page, atrium);
    const taskId = await startProgram(peer, "Build a tide table tool");
    await peer.first(
      ({ type, payload }) =>
        type === "event" && payload.name === "artifact_delivered" && payload.task_id === taskId,
    );
    await openTask(page, atrium.url, taskId);
    const files = page.locator(".files");
    await files.locator("summary").click();
    const program = files.getByRole("button", { name: /^added .*(?<!test)\.mjs/ });
    await program.click();
    const mended = files.locator("[data-type=added]", { hasText: "${at + 1}." });
    const broken = files.locator("[data-type=added]", { hasText: "${at}." });
    await mended.waitFor();
    await keepPicture(page, "task-files");
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
    await files.getByRole("button", { name: "All files" }).click();
    await files.locator(".file-row", { hasText: "test.mjs" }).click();
    await files
      .getByRole("region", { name: /test\.mjs$/ })
      .getByText("import")
      .first()
      .waitFor();
    await files.getByRole("button", { name: /^Changed/ }).click();

    const slider = page.getByRole("slider", { name: "Point in time" });
    const goBack = async (): Promise<void> => {
      await program.click();
      for (let at = Number(await slider.inputValue()) - 1; at > 0; at -= 1) {
        await slider.fill(String(at));
        await files.getByText(/^These are the files at/).waitFor();
        await page.waitForTimeout(400);
        if ((await broken.count()) > 0) return;
      }
      assert.fail("no moment has the mistake");
    };
    await goBack();
    await keepPicture(page, "task-files-past");
    await files.getByRole("button", { name: "Go back to here" }).click();
    await files.getByText("become what they were at").waitFor();
    await page.keyboard.press("Escape");
    await files.getByRole("button", { name: "Go back to here" }).click();
    await keepPicture(page, "task-restore");
    assert.deepEqual(await seriousIssues(page), []);
    const confirmation = files.locator(".moment-sure");
    await confirmation.getByRole("button", { name: "Go back to here" }).click();
    await page.getByText(/^The earlier files are back/).waitFor();
    await page.getByText("Live", { exact: true }).last().waitFor();
    await broken.waitFor();

    await slider.fill(String(Number(await slider.inputValue()) - 1));
    await files.getByRole("button", { name: "Start again from here" }).click();
    await files.getByLabel("What should be different? (optional)").fill("In feet, not in meters");
    await keepPicture(page, "task-fork");
    await confirmation.getByRole("button", { name: "Start again from here" }).click();
    await page.getByText(/^A new task starts from there/).waitFor();
    await page.goto(new URL("/?show=board", atrium.url).href);
    await page.getByRole("link", { name: /\(fork\)$/ }).click();
    await page.getByText("In feet, not in meters").first().waitFor();
    await page.getByText("Started from the files of").waitFor();
    await keepPicture(page, "board-fork");
    assert.deepEqual(troubles, []);
  });
});
