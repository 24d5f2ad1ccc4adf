/**
 * The first minute of someone who has Claude Code: `npm start`, the address it prints, two clicks, an answer. Everything is
 * real but the model, which is a server on loopback.
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { keepPicture, launchBrowser, openWebPage, seriousIssues } from "../../kit/web-page.ts";
import { openNewcomer } from "../kit/newcomer.ts";
import { findChromium, findClaudeCode } from "../kit/peer.ts";

const claude = findClaudeCode();
const skip = claude.skip || findChromium().skip;

test(
  "[CONF-33] from npm start to the first answer of the Claude Code on the PATH it is two clicks",
  { skip },
  async () => {
    await using newcomer = await openNewcomer(claude.path());
    await using browser = await launchBrowser();
    await using web = await openWebPage(browser, { width: 1280, height: 900 });
    const { page, troubles } = web;
    await page.goto(newcomer.address);
    await page.locator(".invitation").getByRole("link", { name: "Connect one" }).click();
    const panel = page.locator(".panel");
    const chosen = panel.locator("label", { has: page.locator("input[type=radio]:checked") });
    assert.match(await chosen.innerText(), /^Claude Code 2\.1\.325 ready/);
    await keepPicture(page, "newcomer-found");
    await panel.getByRole("button", { name: "Use for the whole crew" }).click();
    const answer = panel.locator(".connect-answer");
    await answer.waitFor();
    await keepPicture(page, "newcomer-answered");
    assert.equal(await answer.innerText(), newcomer.greeting);
    assert.deepEqual([await seriousIssues(page), troubles], [[], []]);
    const { said } = newcomer.asked.at(-1) ?? {};
    assert.match(said ?? "", /Say hello/);
    const written = await readFile(join(newcomer.home, "atrium.config.json"), "utf8");
    assert.equal(JSON.parse(written).crewRuntime, "claude");
    assert.ok(!written.includes(newcomer.key), "the key stays in the environment");
  },
);
