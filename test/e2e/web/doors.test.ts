/** How one gets into the web client, and what it does when the server goes away. */
import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { openTestAtrium } from "../../kit/atrium.ts";
import { startServer } from "../../kit/server-process.ts";
import {
  enterOffice,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
} from "../../kit/web-page.ts";

test("[WEB-1] our client is served at / and at its places, with no script and no style written into the page", async () => {
  await using atrium = await openTestAtrium();
  for (const path of ["/", "/signals", "/builds/b1"]) {
    const answer = await fetch(new URL(path, atrium.url), { headers: { accept: "text/html" } });
    assert.equal(answer.status, 200, path);
    const policy = answer.headers.get("content-security-policy") ?? "";
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /style-src 'self';/);
    const page = await answer.text();
    assert.match(page, /<div id="atrium">/);
    assert.doesNotMatch(page, /<script(?![^>]* src=)|<style|\sstyle=/);
  }
});

describe("the doors of the web client", { skip: skipWithoutBrowser, concurrency: true }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[WEB-3] a wrong token gets a page that says so and takes the right one, as a link or by itself", async () => {
    await using atrium = await openTestAtrium();
    await using opened = await openWebPage(browser);
    const { page } = opened;
    await page.goto(new URL("/", atrium.url).href);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto(new URL("/?show=ask#token=nonsense", atrium.url).href);
    await page.getByRole("heading", { name: "Invalid token" }).waitFor();
    assert.equal(page.url(), new URL("/?show=ask", atrium.url).href);
    assert.deepEqual(await seriousIssues(page), []);
    await page.getByLabel("Token or link").fill(`${atrium.url}#token=${atrium.token}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("What do you want done?").waitFor();
    // From now on the cookie is enough, and scripts cannot read it.
    await page.reload();
    await page.getByLabel("What do you want done?").waitFor();
    assert.equal(await page.evaluate("document.cookie"), "");
    assert.ok(!(await page.content()).includes(atrium.token));
  });

  test("[WEB-2] once the link has signed in, its token is in no address, page or store, and was in the address of no request", async () => {
    await using atrium = await openTestAtrium();
    await using opened = await openWebPage(browser);
    const { page } = opened;
    const requested: string[] = [];
    page.on("request", (request) => {
      requested.push(request.url(), request.headers()["referer"] ?? "");
    });
    page.on("websocket", (socket) => requested.push(socket.url()));
    await enterOffice(page, atrium);
    await page.reload();
    await page.getByRole("button", { name: /^BD: / }).waitFor();
    const places = {
      address: page.url(),
      requested,
      content: await page.content(),
      stores: await page.context().storageState({ indexedDB: true }),
      session: await page.evaluate("JSON.stringify([sessionStorage, history.state, name])"),
      caches: await page.evaluate("caches.keys()"),
    };
    assert.match(JSON.stringify(places.stores), /atrium\.login/, "the stores are read");
    assert.ok(
      requested.some((url) => url.endsWith("/ws/world")),
      "sockets are seen",
    );
    assert.deepEqual(places.caches, []);
    for (const [place, content] of Object.entries(places)) {
      assert.ok(!JSON.stringify(content).includes(atrium.token), place);
    }
  });

  test("[WEB-3] where no token is asked for, the office opens at once, in the browser's language", async () => {
    await using atrium = await openTestAtrium({ args: ["--auth", "none"] });
    await using opened = await openWebPage(browser, { language: "de-DE" });
    await opened.page.goto(new URL("/?show=outline", atrium.url).href);
    await opened.page.getByRole("heading", { name: "Das Büro als Text" }).waitFor();
    assert.equal(await opened.page.locator("html").getAttribute("lang"), "de");
  });

  test("[WEB-8] without the server the last state stays, commands are frozen, attempts are counted; with it, all goes on", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-web-"));
    await using opened = await openWebPage(browser);
    const { page } = opened;
    const first = await startServer(folder.path);
    const { port } = first;
    try {
      await enterOffice(page, first);
      await page.getByRole("link", { name: "Ask", exact: true }).click();
      await page.getByLabel("What do you want done?").fill("Write a welcome guide");
    } finally {
      await first.end("SIGKILL");
    }
    await page.getByText("Connection lost.").waitFor();
    const clock = page.locator(".scrubber-time");
    assert.deepEqual(await clock.allInnerTexts(), ["Not live"]);
    assert.equal(await clock.getAttribute("data-live"), null);
    await page.getByText(/attempt (?:[2-9]|\d\d)/i).waitFor();
    await page.getByRole("button", { name: /^Eng 1: / }).waitFor();
    assert.ok(await page.getByRole("button", { name: "Ask", exact: true }).isDisabled());
    await using again = await startServer(folder.path, { args: ["--port", String(port)] });
    assert.equal(again.port, port);
    await page
      .getByRole("button", { name: "Try now" })
      .click({ timeout: 5_000 })
      .catch(() => undefined);
    await page.getByText("Connection lost.").waitFor({ state: "detached" });
    await clock.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.locator(".need[data-kind=handout]").waitFor();
  });
});
