/** A permission, answered in the page as a person does who uses no mouse. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { enterOffice, launchBrowser, openWebPage } from "./web-page.ts";

/** Opens what is asked about this command by keys, answers with one, and waits until it is no longer asked. */
export async function answerByKeys(page: Page, command: string, key: "y" | "n"): Promise<void> {
  const need = page.locator(".need", { hasText: command });
  await need.waitFor();
  await page.keyboard.press(" ");
  await page.keyboard.press("Enter");
  await page.locator(".panel .permission-answers").waitFor();
  await page.keyboard.press(key);
  await need.waitFor({ state: "detached" });
}

/** The same, in a browser that is opened for it. */
export async function answerInPage(
  server: { readonly url: string; readonly token: string },
  command: string,
  key: "y" | "n",
): Promise<void> {
  await using browser = await launchBrowser();
  await using opened = await openWebPage(browser, { preferences: { invitation: "dismissed" } });
  await enterOffice(opened.page, server);
  await answerByKeys(opened.page, command, key);
  assert.deepEqual(opened.troubles, []);
}
