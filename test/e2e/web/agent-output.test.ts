/** What agents write and deliver does nothing but stand in its box. */
import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openTestAtrium } from "../../kit/atrium.ts";
import { enterOffice, launchBrowser, openWebPage, skipWithoutBrowser } from "../../kit/web-page.ts";
import { askFor } from "../../kit/world-peer.ts";

const need = (page: Page, kind: string) => page.locator(`.need[data-kind=${kind}]`).first();

describe("what agents write", { skip: skipWithoutBrowser, concurrency: true }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[WEB-40] what an agent says changes nothing but its own box", async () => {
    await using atrium = await openTestAtrium();
    await using opened = await openWebPage(browser);
    const { page, troubles } = opened;
    const outside: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(atrium.url)) outside.push(request.url());
    });
    await enterOffice(page, atrium);
    await page.getByRole("link", { name: "Front desk" }).click();
    const hostile = [
      "![picture](https://evil.example/q.png) [link](https://evil.example/l) [bad](javascript:window.hacked=5)",
      "<script>window.hacked = 1</script>",
      '<img src="https://evil.example/p.png" onerror="window.hacked = 2">',
      '<iframe src="https://evil.example"></iframe><svg onload="window.hacked = 3"></svg>',
      "<style>body { display: none; background: url(https://evil.example/c) }</style>",
      '<a href="javascript:window.hacked=4" style="position:fixed;inset:0">here</a>',
      "the end",
    ].join(" ");
    await page.getByLabel("Message to the front desk").fill(`[[say: ${hostile}]]`);
    await page.getByRole("button", { name: "Send" }).click();
    const answer = page.locator(".said[data-mine=false]").last();
    await answer.getByText("the end").waitFor();
    assert.deepEqual(
      await answer.evaluate((box) => ({
        hacked: "hacked" in box.ownerDocument.defaultView,
        inner: box.querySelectorAll("script, img, iframe, svg, style, a, [style], [onerror]")
          .length,
        outward: [...box.querySelectorAll("[data-href]")].map(({ dataset }) => dataset.href),
      })),
      {
        hacked: false,
        inner: 0,
        outward: ["q.png", "l", "c"].map((name) => `https://evil.example/${name}`),
      },
    );
    assert.deepEqual(outside, []);
    const popup = page.waitForEvent("popup");
    await answer.getByRole("button", { name: /^link/ }).click();
    assert.equal(await (await popup).evaluate("window.opener"), null);
    assert.deepEqual(troubles, []);
  });

  test("[WEB-40] [WEB-19] [WEB-27] [WEB-34] a line of a megabyte, by a program in a crew that rehearses, is cut and stays in its box", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-loud-"));
    const home = folder.path;
    const shout = `console.log(JSON.stringify({ type: "artifact", name: "loud.md", mediaType: "text/markdown", text: "long".repeat(250_000) }))`;
    const settings = {
      runtimes: {
        pretend: { type: "rehearsal", pace: 0 },
        rehearsal_of_sorts: { type: "command", command: [process.execPath, "-e", shout] },
      },
      agents: [
        { id: "agent_bd", name: "BD", role: "front desk", runtime: "pretend" },
        { id: "agent_loud", name: "Loud", role: "writer", runtime: "rehearsal_of_sorts" },
      ],
    };
    writeFileSync(join(home, "atrium.config.json"), JSON.stringify(settings));
    await using atrium = await openTestAtrium({ home });
    await using opened = await openWebPage(browser);
    const { page } = opened;
    await enterOffice(page, atrium);
    await page.getByText("Rehearsal without a model: BD.").waitFor();
    await askFor(atrium, "Plan the launch of a tide table app");
    await need(page, "handout").getByRole("button", { name: "Start work" }).click();
    await need(page, "review")
      .getByRole("button", { name: /^Read and review/ })
      .click();
    await page.getByText("The rest is not shown. Download the file to read it.").waitFor();
    const characters = ((await page.locator(".safe-text").textContent()) ?? "").length;
    const isWider = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    assert.ok(characters > 100_000 && characters <= 210_000, `${characters}`);
    assert.equal(isWider, false);

    // Another version comes while this one is read: it is not judged in its place.
    const panel = page.locator(".panel");
    await panel.getByRole("button", { name: "Request changes" }).click();
    await panel.getByLabel("What should change?").fill("Even louder");
    await panel.getByRole("button", { name: "Send" }).click();
    await panel
      .getByText("This is version 1. You can only review the newest version: version 2.")
      .waitFor();
    assert.equal(await panel.getByRole("button", { name: "Approve" }).count(), 0);
    assert.match(await need(page, "review").innerText(), /version 2/);
    await panel.getByRole("button", { name: "Go to version 2" }).click();
    assert.equal(await panel.getByText("Reviewed by").count(), 0);

    const lines = Array.from({ length: 15 }, (_, at) => `Part ${at}`);
    await panel.getByRole("button", { name: "Split into tasks" }).click();
    await panel.getByLabel("New tasks, one per line").fill(lines.join("\n"));
    await panel.getByText("You entered 15 tasks. The limit is 12. Remove 3.").waitFor();
    assert.ok(await panel.getByRole("button", { name: "Send" }).isDisabled());
    await panel.getByLabel("New tasks, one per line").fill(lines.slice(3).join("\n"));
    assert.ok(await panel.getByRole("button", { name: "Send" }).isEnabled());
    await panel.getByRole("button", { name: "Cancel" }).click();
    await panel.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Reviewed by").waitFor();
  });
});
