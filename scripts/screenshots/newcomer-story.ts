/** The first minute of someone who has Claude Code: found, connected, answered; and the settings afterwards. */
import type { Browser } from "playwright-core";
import { openNewcomer } from "../../test/conformance/kit/newcomer.ts";
import { findClaudeCode } from "../../test/conformance/kit/peer.ts";
import { openWebPage } from "../../test/kit/web-page.ts";
import { take, WIDE } from "./camera.ts";

export const NEWCOMER_PICTURES = ["newcomer-found", "newcomer-answered", "settings-editor"];

export async function playNewcomer(browser: Browser): Promise<void> {
  await using newcomer = await openNewcomer(findClaudeCode().path());
  await using opened = await openWebPage(browser, {
    ...WIDE,
    moves: true,
    preferences: { theme: "day", picture: "high" },
  });
  const { page } = opened;
  await page.goto(newcomer.address);
  await page.locator(".invitation").getByRole("link", { name: "Connect one" }).click();
  const use = page.locator(".panel").getByRole("button", { name: "Use for the whole crew" });
  await use.waitFor();
  await take(page, "newcomer-found");
  await use.click();
  await page.locator(".connect-answer").waitFor();
  await take(page, "newcomer-answered");
  await page.getByRole("link", { name: "Settings", exact: true }).first().click();
  const card = page.locator("#all-settings");
  await card.getByLabel("Find a setting").fill("budgets");
  await card.getByRole("button", { name: "Change budgets.run.cost" }).click();
  await card.getByRole("spinbutton", { name: "budgets.run.cost" }).fill("2");
  await page.evaluate(`document.querySelector("#all-settings").scrollIntoView({ block: "start" })`);
  await take(page, "settings-editor");
}
