/** The pages beside the office in every window: on a small phone, and at 200 %. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openTestAtrium } from "../../kit/atrium.ts";
import {
  enterPage,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  unreachable,
  writeMessage,
} from "../../kit/web-page.ts";

describe("the pages in every window", { skip: skipWithoutBrowser }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[WEB-38] every page fits a small phone and has no serious issue", async () => {
    await using atrium = await openTestAtrium();
    await using web = await openWebPage(browser, { width: 360, height: 740 });
    const { page } = web;
    await enterPage(page, atrium, "/builds");
    await page.getByLabel("What do you want to build?").fill("A".repeat(300));
    await page.getByRole("button", { name: "Start build" }).click();
    await page.getByRole("radio", { name: /My team/ }).waitFor();
    await check(page);
    await page.goto(new URL("/chat", atrium.url).href);
    await writeMessage(page, `[[approve: shell ${"b".repeat(200)}]]`);
    await page.getByRole("button", { name: "Deny" }).waitFor();
    await check(page);
    await page.goto(new URL("/signals", atrium.url).href);
    await page.locator(".signals-row").first().click();
    await check(page);
    await page.goto(new URL("/settings", atrium.url).href);
    await page.getByText("Tokens per project").waitFor();
    await check(page);
  });

  test("[WEB-38] at 200 % everything on every page is in reach, in both languages", async () => {
    await using atrium = await openTestAtrium();
    const headers = {
      authorization: `Bearer ${atrium.token}`,
      "content-type": "application/json",
    };
    const body = JSON.stringify({ prompt: "A bot that waters plants" });
    const begun = await fetch(new URL("/api/builds", atrium.url), {
      method: "POST",
      headers,
      body,
    });
    const { id, session_key } = (await begun.json()) as { id: string; session_key: string };
    for (const language of ["en", "de"]) {
      const size = { width: 720, height: 450, scale: 2 };
      await using web = await openWebPage(browser, { ...size, preferences: { language } });
      const { page } = web;
      await enterPage(page, atrium, "/builds");
      for (const [path, there] of [
        ["/builds", ".start-form"],
        [`/builds/${id}`, ".build-body input"],
        ["/chat", ".start-form"],
        [`/chat/${encodeURIComponent(session_key)}`, ".chat-scroll .talk-line"],
        ["/signals", ".signals-row"],
        ["/settings", ".settings-card table"],
      ] as const) {
        await page.goto(new URL(path, atrium.url).href);
        await page.locator(there).first().waitFor();
        assert.deepEqual(await unreachable(page), [], `${language} ${path}`);
      }
    }
  });

  async function check(page: Page): Promise<void> {
    // As text, because these types know no document.
    const wide = await page.evaluate<number>(
      'Math.max(document.documentElement.scrollWidth, document.querySelector("main").scrollWidth) - innerWidth',
    );
    assert.ok(wide <= 0, `${page.url()} is ${wide} pixels too wide`);
    assert.deepEqual(await seriousIssues(page), []);
  }
});
