/** The first minute of a newcomer, in a real browser with the rehearsal crew. */
import assert from "node:assert/strict";
import { chmod, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
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

describe("the first minute", { skip: skipWithoutBrowser }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[WEB-61] one field and examples ask; the note on the demo leads to agents that are installed, with what to copy", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-programs-"));
    const install = async (name: string, script: string): Promise<void> => {
      await writeFile(join(folder.path, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(folder.path, name), 0o755);
    };
    await install("gemini", "echo 0.61.0");
    await install("codex", "exit 1");
    await using atrium = await openTestAtrium({
      env: { PATH: folder.path, HOME: folder.path, GEMINI_API_KEY: "key-0123456789abcdef" },
    });
    await using web = await openWebPage(browser, { width: 1280, height: 860 });
    const { page, troubles } = web;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await enterOffice(page, atrium);
    const card = page.locator(".invitation");
    await card.getByText("Demo mode: no model.").waitFor();
    await keepPicture(page, "first-request");
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);

    await card.getByRole("link", { name: "Connect one" }).click();
    const panel = page.locator(".panel");
    const first = panel.locator("label").first();
    await first.getByText("ready", { exact: true }).waitFor();
    assert.match(
      await first.innerText(),
      /^Gemini CLI 0\.61\.0 ready\s+Ready, with GEMINI_API_KEY/,
    );
    await panel.getByText("Do it by hand instead").click();
    await panel.getByText('"--acp"').waitFor();
    await panel.getByText('"GEMINI_API_KEY"').waitFor();
    await panel.getByText("codex --version ended with exit code 1").waitFor();
    await keepPicture(page, "connect");
    await panel.getByRole("button", { name: /^Copy: 2\./ }).click();
    await page.getByText(/^Copied/).waitFor();
    assert.equal(
      await page.evaluate("navigator.clipboard.readText()"),
      "npx atrium up --agents gemini",
    );
    await panel.getByText(/^Not found \(\d+\)$/).click();
    await panel.getByLabel("Claude Code").check();
    await panel.getByText('"claude-code"').waitFor();
    await panel.getByText("npm install -g @anthropic-ai/claude-code").waitFor();
    await keepPicture(page, "connect-missing");
    await install("codex", "echo codex-cli 0.166.0");
    await panel.getByRole("button", { name: "Look again" }).click();
    await panel.getByText("codex login").waitFor();
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
    await page.keyboard.press("Escape");

    // By keyboard: an example fills the field, and it is asked.
    const idea = card.getByRole("button", { name: "Build a command-line tide table, with tests" });
    await tabTo(page, idea);
    await page.keyboard.press("Enter");
    const field = card.getByLabel("What do you want done?");
    assert.equal(await field.inputValue(), "Build a command-line tide table, with tests");
    await tabTo(page, card.getByRole("button", { name: "Ask", exact: true }));
    await page.keyboard.press("Enter");
    await card.waitFor({ state: "detached" });
    assert.deepEqual([troubles, atrium.faults], [[], []]);
  });

  test("[WEB-61] only those who may come in are told what is installed", async () => {
    await using atrium = await openTestAtrium({ env: { PATH: "/nowhere" } });
    const path = new URL("/api/agent-programs", atrium.url);
    assert.equal((await fetch(path)).status, 401);
    const answer = await fetch(path, { headers: { authorization: `Bearer ${atrium.token}` } });
    const { programs } = (await answer.json()) as { programs: readonly string[] };
    assert.ok(Array.isArray(programs));
  });
});
