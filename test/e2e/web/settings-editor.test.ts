/** Every setting and every key, changed on the page of settings, in a real browser. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { openTestAtrium } from "../../kit/atrium.ts";
import { askSettings, readFileOf } from "../../kit/settings.ts";
import {
  enterPage,
  keepPicture,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  unreachable,
} from "../../kit/web-page.ts";

const KEY = "sk-page-0123456789abcdef";

describe("the page of settings", { skip: skipWithoutBrowser }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[PAGE-24] a setting is found, changed and put back by keyboard; a refusal stands beside its field", async () => {
    await using atrium = await openTestAtrium();
    await using web = await openWebPage(browser, { width: 1280, height: 1000 });
    const { page, troubles } = web;
    await enterPage(page, atrium, "/settings");
    const card = page.locator("#all-settings");
    await card.getByLabel("Find a setting").fill("office");
    await card.getByRole("button", { name: "Change office.meetingMs" }).press("Enter");
    const field = card.getByRole("spinbutton", { name: "office.meetingMs" });
    await field.fill("7");
    await field.press("Enter");
    await page.getByText("office.meetingMs is changed.").first().waitFor();
    assert.deepEqual(JSON.parse(await readFileOf(atrium)), { office: { meetingMs: 7 } });
    await card.getByRole("button", { name: "Change office.meetingMs" }).press("Enter");
    await card.getByRole("button", { name: "Use the default" }).press("Enter");
    await card
      .locator(".setting-item", { hasText: "office.meetingMs" })
      .getByText("1,500")
      .waitFor();

    await card.getByLabel("Find a setting").fill("agent_eng_1.runtime");
    await card.getByRole("button", { name: "Change agents.agent_eng_1.runtime" }).click();
    const runtime = card.getByRole("textbox", { name: "agents.agent_eng_1.runtime" });
    await runtime.fill("nobody");
    await runtime.press("Enter");
    await card.getByRole("alert").getByText("nobody").waitFor();
    assert.equal(await runtime.getAttribute("aria-invalid"), "true");
    await keepPicture(page, "settings-refused");
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
    await card.getByRole("button", { name: "Cancel" }).click();

    await card.getByLabel("Find a setting").fill("runtimes");
    await card.getByRole("button", { name: "Change runtimes", exact: true }).click();
    const json = card.getByRole("textbox", { name: "runtimes", exact: true });
    await json.fill("{ not json");
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText("This is not JSON.").waitFor();
    await json.fill('{ "act": { "type": "rehearsal", "pace": 2 } }');
    await card.getByRole("button", { name: "Save" }).click();
    await card.getByText("runtimes.act.pace").waitFor();
    const { values } = (await askSettings(atrium, "GET")).body;
    assert.equal(values.runtimes.act.pace, 2);
    assert.deepEqual([await seriousIssues(page), troubles, atrium.faults], [[], [], []]);
  });

  test("[PAGE-24] what cannot be changed now says why and has no button, in German and on a phone too", async () => {
    await using atrium = await openTestAtrium({ args: ["--agents", "rehearsal"] });
    await using web = await openWebPage(browser, { language: "de-DE", width: 360, height: 740 });
    const { page, troubles } = web;
    await enterPage(page, atrium, "/settings");
    const card = page.locator("#all-settings");
    const item = (name: string) => card.locator(".setting-item", { hasText: name });
    await card.getByLabel("Eine Einstellung finden").fill("crewRuntime");
    await item("crewRuntime").getByText("--agents legt sie fest").waitFor();
    assert.equal(await item("crewRuntime").getByRole("button").count(), 0);
    await card.getByLabel("Eine Einstellung finden").fill("durability");
    await item("durability").getByText("Der Server ist darauf gebaut").waitFor();
    await keepPicture(page, "settings-phone");
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
    assert.deepEqual([troubles, atrium.faults], [[], []]);
  });

  test("[PAGE-25] a key is kept and forgotten, and is nowhere in the page", async () => {
    await using atrium = await openTestAtrium();
    await using web = await openWebPage(browser, { width: 1280, height: 1000 });
    const { page, troubles } = web;
    await enterPage(page, atrium, "/settings");
    const card = page.locator("#keys");
    await card.getByLabel("Name of the variable").fill("LD_PRELOAD");
    await card.getByLabel("Its key").fill(KEY);
    await card.getByLabel("Its key").press("Enter");
    await card.getByRole("alert").getByText("KEY, TOKEN, SECRET").waitFor();
    assert.equal(await card.getByLabel("Its key").inputValue(), "");
    await card.getByLabel("Name of the variable").fill("MY_API_KEY");
    await card.getByLabel("Its key").fill(KEY);
    await card.getByRole("button", { name: "Keep the key" }).click();
    await card.getByText("Kept with the server").waitFor();
    await keepPicture(page, "settings-keys");
    const { keys } = (await askSettings(atrium, "GET")).body;
    assert.deepEqual(keys, [{ name: "MY_API_KEY", source: "kept" }]);
    assert.ok(!(await page.content()).includes(KEY));
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
    await card.getByRole("button", { name: "Forget MY_API_KEY" }).click();
    await card.getByRole("button", { name: "Really forget MY_API_KEY?" }).click();
    await page.getByText("MY_API_KEY is forgotten.").first().waitFor();
    assert.deepEqual((await askSettings(atrium, "GET")).body.keys, []);
    assert.deepEqual([troubles, atrium.faults], [[], []]);
  });
});
