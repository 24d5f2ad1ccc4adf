/** Browsers that are signed in, seen from a browser. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { signIn } from "../../kit/browser.ts";
import {
  enterOffice,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  type WebPage,
} from "../../kit/web-page.ts";

describe("logins in the page", { skip: skipWithoutBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  test("[WEB-4] settings list the sessions; others are signed out, this one signs out, and the page asks to sign in", async () => {
    await using atrium = await openTestAtrium();
    const other = await signIn(atrium, { headers: { "user-agent": "Firefox/140.0 (iPhone)" } });
    await using opened = await openWebPage(browser);
    const { page, troubles } = opened;
    await enterOffice(page, atrium);
    await page.goto(new URL("/settings", atrium.url).href);
    const sessions = page.locator("section", { hasText: "Sessions" });
    await sessions.getByText("You are using this browser now.").waitFor();
    const signOut = sessions.getByRole("button", { name: "Sign out Firefox on iPhone" });
    await signOut.click();
    await signOut.waitFor({ state: "detached" });
    const models = new URL("/v1/models", atrium.url);
    assert.equal((await fetch(models, { headers: other.headers })).status, 401);
    const name = sessions.getByRole("textbox");
    await name.fill("My desk");
    await name.blur();
    await using operator = await atrium.connect();
    const list = async () => (await operator.ask("logins.list", {})).logins;
    for (let n = 0; n < 200 && (await list())[0].name !== "My desk"; n++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal((await list())[0].name, "My desk");
    await sessions.getByRole("button", { name: /^Sign out/ }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.deepEqual(await list(), []);
    assert.deepEqual(troubles, []);
  });

  test("[WEB-4] a page whose half is gone is asked to sign in again, and the link signs it in", async () => {
    await using atrium = await openTestAtrium();
    await using opened = await openWebPage(browser);
    const { page } = opened;
    await enterOffice(page, atrium);
    await page.evaluate(`localStorage.removeItem("atrium.login")`);
    await page.reload();
    await page.getByRole("heading", { name: "Sign in again" }).waitFor();
    await enterOffice(page, atrium);
  });

  test("[WEB-5] from another machine the page says that it waits, and goes on by itself once it was let in under settings", async () => {
    await using atrium = await openTestAtrium();
    await using own = await openWebPage(browser);
    await using far = await openFar(browser, atrium);
    await far.page.getByRole("heading", { name: "Waiting for approval" }).waitFor();
    const shown = await far.page.getByText(/^atrium logins approve/).textContent();
    await enterOffice(own.page, atrium);
    await own.page.goto(new URL("/settings", atrium.url).href);
    const sessions = own.page.locator("section", { hasText: "Sessions" });
    const id = shown?.split(" ").at(-1) ?? "";
    await sessions.getByText(`ID on its page: ${id}`).waitFor();
    await sessions.getByText(/waits at the top until you approve it/).waitFor();
    assert.deepEqual(await seriousIssues(far.page), []);
    await sessions.getByRole("button", { name: /^Approve/ }).click();
    await far.page.getByRole("button", { name: /^BD: / }).waitFor();
    await sessions
      .getByRole("button", { name: /^Sign out/ })
      .nth(1)
      .waitFor();
    assert.deepEqual([...own.troubles, ...far.troubles], []);
  });

  test("[WEB-4] every session is laid out alike: what can be done with it stands beside it, at the same edge", async () => {
    await using atrium = await openTestAtrium();
    for (const agent of ["Firefox/140.0 (iPhone)", "Chrome/150.0 (Windows)"]) {
      await signIn(atrium, { headers: { "user-agent": agent } });
    }
    for (const width of [1280, 1000, 390]) {
      await using opened = await openWebPage(browser, { width });
      const { page } = opened;
      await enterOffice(page, atrium);
      await page.goto(new URL("/settings", atrium.url).href);
      await page.getByText("You are using this browser now.").first().waitFor();
      const rows = page.locator(".settings-login");
      const edges = new Set<number>();
      for (const row of await rows.all()) {
        // Both at the same time: what comes in above them moves them.
        const [field, button] = await row.evaluate((element) =>
          ["input", "button"].map((name) => element.querySelector(name)?.getBoundingClientRect()),
        );
        assert.ok(field !== undefined && button !== undefined);
        assert.ok(button.x >= field.x + field.width, `beside the name at ${width}`);
        assert.ok(button.y < field.y + field.height, `at its height at ${width}`);
        edges.add(Math.round(button.x + button.width));
      }
      assert.equal(edges.size, 1, `one edge at ${width}`);
    }
  });

  test("[WEB-5] a page that was turned away under settings says so and stays outside", async () => {
    await using atrium = await openTestAtrium();
    await using own = await openWebPage(browser);
    await using far = await openFar(browser, atrium);
    await far.page.getByRole("heading", { name: "Waiting for approval" }).waitFor();
    await enterOffice(own.page, atrium);
    await own.page.goto(new URL("/settings", atrium.url).href);
    const deny = own.page.getByRole("button", { name: /^Deny/ });
    await deny.click();
    await far.page.getByRole("heading", { name: "Access denied" }).waitFor();
    await deny.waitFor({ state: "detached" });
    await using operator = await atrium.connect();
    const { logins } = await operator.ask("logins.list", {});
    assert.deepEqual(
      logins.map(({ isWaiting }: { readonly isWaiting: boolean }) => isWaiting),
      [false],
      "the browser that denied is the only one left",
    );
    await far.page.reload();
    await far.page.getByRole("heading", { name: /^(?:Sign in|Access denied)/ }).waitFor();
    assert.deepEqual([...own.troubles, ...far.troubles], []);
  });
});

/** A page whose requests come through a proxy, by the link. */
async function openFar(browser: Browser, { url, token }: TestAtrium): Promise<WebPage> {
  const opened = await openWebPage(browser);
  await opened.page.setExtraHTTPHeaders({ "x-forwarded-for": "203.0.113.7" });
  await opened.page.goto(new URL(`/#token=${token}`, url).href);
  return opened;
}
