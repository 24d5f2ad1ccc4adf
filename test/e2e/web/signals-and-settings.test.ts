/** Signals and settings in a real browser, on the real server. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { openTestAtrium } from "../../kit/atrium.ts";
import { enterPage, launchBrowser, openWebPage, skipWithoutBrowser } from "../../kit/web-page.ts";
import { enterWorld } from "../../kit/world-peer.ts";

describe("the pages of signals and settings", { skip: skipWithoutBrowser }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[PAGE-11] [PAGE-12] signals are filtered, shown as they are, and an agent says why", async () => {
    await using atrium = await openTestAtrium();
    await using web = await openWebPage(browser);
    const { page } = web;
    const post = (id: string, type: string, payload: object, source = "a-test") =>
      fetch(new URL("/api/signal", atrium.url), {
        method: "POST",
        headers: { authorization: `Bearer ${atrium.token}`, "content-type": "application/json" },
        body: JSON.stringify({ id, type, timestamp: Date.now(), source, payload }),
      });
    await post("s1", "tool_call", { toolName: "tide tables", agentId: "agent_bd" });
    await post("s2", "error", { message: "no harbor", severity: "error" });
    await enterPage(page, atrium, "/signals");
    const row = page.locator(".signals-row");
    await row.getByText("tide tables").waitFor();
    await row.getByText("no harbor").waitFor();
    await page.getByLabel("Type", { exact: true }).fill("err*");
    await row.getByText("tide tables").waitFor({ state: "detached" });
    await post("s3", "error", { message: "no boat", severity: "error" });
    await post("s4", "tool_call", { toolName: "oars", agentId: "agent_bd" });
    await row.getByText("no boat").waitFor();
    assert.equal(await row.count(), 2);
    assert.match(page.url(), /\/signals\?type=err/);
    await row.getByText("no boat").click();
    await page.getByLabel("Raw JSON").getByText('"id": "s3"').waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await post("s5", "error", { message: "no sea", severity: "error" });
    await page.getByText("Paused, 1 new").waitFor();
    assert.equal(await row.count(), 2);
    await page.getByRole("button", { name: "Resume" }).click();
    await row.getByText("no sea").waitFor();
    await page.getByLabel("Type", { exact: true }).fill("nonsense");
    await page.getByText("The office sends no signals of type “nonsense”.").waitFor();
    await page.getByRole("status").getByText("Live").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    const why = page.getByRole("complementary", { name: "Why is this agent doing that?" });
    await why.getByLabel("Agent").selectOption({ label: "BD" });
    await why.getByText("oars").first().waitFor();
    await why.getByText("no entry yet; this is its initial state").waitFor();
    await using peer = await enterWorld(atrium);
    await peer.ask("submit_request", { text: "Plan a garden party" });
    await why.getByText(/^log entry \d+, \d+ s ago$/).waitFor();
    await why.getByText('"name": "kickoff_started"').waitFor();

    // Further back than the page looks by itself.
    const bulk = Array.from({ length: 2_050 }, (_, at) => `bulk${at}`);
    for (let at = 0; at < bulk.length; at += 50) {
      await Promise.all(bulk.slice(at, at + 50).map((id) => post(id, "bulk", {}, `from ${id}`)));
    }
    await page.goto(new URL("/signals?type=tool_call&source=a-test", atrium.url).href);
    await page.getByText("No matching signals yet.").waitFor();
    await page.getByRole("button", { name: "Show older" }).click();
    await row.getByText("tide tables").waitFor();
    assert.equal(await row.count(), 2);
    assert.equal(await page.getByRole("button", { name: "Show older" }).count(), 0);
    assert.deepEqual(web.troubles, []);
  });

  test("[PAGE-14] what is chosen holds after a reload, and the server's settings are shown", async () => {
    await using atrium = await openTestAtrium();
    await using context = await browser.newContext({ locale: "en-US" });
    const page = await context.newPage();
    await enterPage(page, atrium, "/settings");
    await page.getByText("These settings apply to this browser only.").waitFor();
    await page.getByRole("row", { name: /Eng 1 engineer rehearsal/ }).waitFor();
    await page.getByText("2,000,000").first().waitFor();
    await page.getByRole("radio", { name: "Night" }).check({ force: true });
    await page.getByRole("radio", { name: "Deutsch" }).check({ force: true });
    await page.reload();
    await page.getByRole("heading", { name: "Einstellungen", exact: true }).waitFor();
    assert.equal(await page.locator("html").getAttribute("data-theme"), "night");
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    await page.getByText("Diese Einstellungen gelten nur in diesem Browser.").waitFor();
  });
});
