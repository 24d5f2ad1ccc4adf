/** A site that an agent made, seen in a real browser on a port of its own. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { BUILD_STEPS } from "@atrium/wire/build";
import type { Browser } from "playwright-core";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { calling, get, openModelShop, post, write } from "../../kit/moments.ts";
import {
  enterPage,
  keepPicture,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
} from "../../kit/web-page.ts";

const skip = skipWithoutBrowser || skipWithout("git");

const PAGE = `<!doctype html><title>Shop</title><link rel="stylesheet" href="parts/style.css">
<body><script type="module" src="app.mjs"></script>`;

/** What the site tries to do, and what became of it. */
const ATTEMPTS = `
import { word } from "./parts/word.mjs";
const [server, other] = new URLSearchParams(location.search).getAll("at");
const outcomes = { word, style: getComputedStyle(document.body).color };
const attempt = async (name, work) => {
  try { outcomes[name] = await work(); } catch (error) { outcomes[name] = error.name; }
};
const settled = (target, good, bad) => new Promise((resolve) => {
  target[good] = () => resolve("reached");
  target[bad] = () => resolve("blocked");
});
await attempt("cookie", () => document.cookie);
await attempt("storage", () => { localStorage.setItem("a", "1"); return localStorage.getItem("a"); });
await attempt("own", async () => (await (await fetch("data.json")).json()).n);
await attempt("api", async () => (await fetch(server + "api/builds", { credentials: "include" })).status);
await attempt("blind", async () => (await fetch(server + "api/builds", { mode: "no-cors" })).type);
await attempt("elsewhere", async () => (await fetch(other)).status);
await attempt("socket", () => settled(new WebSocket(server.replace("http", "ws")), "onopen", "onerror"));
await attempt("picture", () => {
  const picture = new Image();
  picture.src = other + "x.png";
  return settled(picture, "onload", "onerror");
});
document.body.dataset.outcomes = JSON.stringify(outcomes);
`;

const lineOf = (type: string, payload: object): string =>
  `${JSON.stringify({ type, payload: { ...payload, source: "agent" } })}\n`;
const WHOLE_BUILD = [
  ...BUILD_STEPS.flatMap(({ id: step_id }) => [
    lineOf("progress.step.started", { step_id }),
    lineOf("progress.step.completed", { step_id }),
  ]),
  lineOf("status.changed", { status: "complete", output: "Fern has a page." }),
  lineOf("session.completed", {}),
].join("");

const CUT_OFF = {
  api: "TypeError",
  blind: "TypeError",
  elsewhere: "TypeError",
  socket: "blocked",
  picture: "blocked",
};
const RUNS = { word: "hello", style: "rgb(1, 2, 3)", own: 1, ...CUT_OFF };

describe("previews", { skip }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[PREVIEW-4] a site runs, has its own files and storage, and reaches nothing else", async () => {
    const hits: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      hits.push(request.url);
      response.setHeader("access-control-allow-origin", "*").end("here");
    });
    await once(other.listen(0, "127.0.0.1"), "listening");
    await using _closing = { [Symbol.asyncDispose]: async () => void other.close() };
    await using model = await calling([
      write("index.html", PAGE),
      write("app.mjs", ATTEMPTS),
      write("parts/style.css", "body { color: rgb(1, 2, 3) }"),
      write("parts/word.mjs", `export const word = "hello";`),
      write("data.json", `{"n":1}`),
    ]);
    await using shop = await openModelShop(model);
    const [taskId = ""] = await shop.request("A site");
    await shop.peer.event("review_requested");
    const path = `/api/projects/proj_${taskId.split("_")[1]}/preview`;
    const { json, text } = await get(shop, path);
    assert.ok(json, text);
    const { hostname, port } = new URL(json.url);
    const [name = ""] = hostname.split(".");
    await using web = await openWebPage(browser);
    const { page } = web;
    // Whoever looks is signed in at the server itself.
    await enterPage(page, shop.atrium, "/builds");
    const at = [shop.atrium.url, `http://127.0.0.1:${(other.address() as AddressInfo).port}/`];
    const query = new URLSearchParams(at.map((each) => ["at", each])).toString();
    const visit = async (url: string): Promise<unknown> => {
      const answer = await page.goto(`${url}?${query}`);
      assert.equal(answer?.status(), 200);
      const body = page.locator("body[data-outcomes]");
      return JSON.parse((await body.getAttribute("data-outcomes")) ?? "");
    };
    assert.deepEqual(await visit(json.url), { ...RUNS, cookie: "", storage: "1" });
    // The server's own host name: its cookies would come along.
    assert.deepEqual(await visit(`http://127.0.0.1:${port}/${name}/`), {
      ...RUNS,
      cookie: "SecurityError",
      storage: "SecurityError",
    });
    assert.deepEqual(hits, []);
    assert.deepEqual(shop.atrium.faults, []);
  });

  test("[PAGE-18] a build that has ended is looked at as a site, downloaded and cloned from its page", async () => {
    await using model = await openModelServer(({ body: { messages } }) => {
      const results = messages.filter(({ role }: { role: string }) => role === "tool").length;
      if (results > 0) return { type: "answer", chunks: [WHOLE_BUILD] };
      const input = { path: "index.html", content: "<!doctype html><h1>Fern</h1>" };
      return { type: "answer", toolCalls: [{ name: "write", input }] };
    });
    await using shop = await openModelShop(model);
    const wish = { prompt: "A page for Fern", agent: "agent_eng_1" };
    const { json } = await post(shop, "/api/builds", wish);
    await using web = await openWebPage(browser);
    const { page } = web;
    await enterPage(page, shop.atrium, `/builds/${json.id}`);
    const link = page.getByRole("link", { name: "Open preview" });
    await link.waitFor();
    await page.getByText(`git clone ${shop.atrium.url}git/${json.id}`).waitFor();
    await page.getByRole("heading", { name: "What was built" }).waitFor();
    assert.deepEqual(await seriousIssues(page), []);
    await keepPicture(page, "build-handover");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download as zip" }).click();
    assert.match((await download).suggestedFilename(), /^build-.*\.zip$/);
    const opening = page.waitForEvent("popup");
    await link.focus();
    await page.keyboard.press("Enter");
    const site = await opening;
    await site.getByRole("heading", { name: "Fern" }).waitFor();
    assert.match(new URL(site.url()).hostname, /^[0-9a-f]{32}\.localhost$/);
    assert.deepEqual(web.troubles, []);
  });
});
