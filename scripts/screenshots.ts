/**
 * The pictures of docs/screenshots: a real server with the rehearsal crew, a real browser, one story.
 *
 *   npm run screenshots              all of them
 *   npm run screenshots -- night     those whose name has this in it; several can be named
 *
 * Drawing in three dimensions takes a while where there is no GPU; look at what comes out before it is committed.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { startServer, withHome, type ServerProcess } from "../test/kit/server-process.ts";
import { launchBrowser, openWebPage, type PageOptions } from "../test/kit/web-page.ts";

const FOLDER = fileURLToPath(new URL("../docs/screenshots/", import.meta.url));
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const REQUEST = "Plan the launch of a tide table app";
const CHAT =
  "Is the tide table ready to go out? [[approve: shell npm publish --access public]] [[say: Published.]]";
const PATIENCE_MS = 240_000;
/** Slow enough to be caught at work. */
const SETTINGS = {
  runtimes: { slow: { type: "rehearsal", pace: 60 } },
  agents: [
    { id: "agent_bd", name: "BD", role: "front desk", runtime: "rehearsal" },
    { id: "agent_research_1", name: "Research 1", role: "researcher", runtime: "rehearsal" },
    { id: "agent_eng_1", name: "Eng 1", role: "engineer", runtime: "slow" },
    { id: "agent_eng_2", name: "Eng 2", role: "engineer", runtime: "slow" },
    { id: "agent_design_1", name: "Design 1", role: "designer", runtime: "rehearsal" },
    { id: "agent_writer_1", name: "Writer 1", role: "writer", runtime: "slow" },
  ],
};

await mkdir(FOLDER, { recursive: true });
await withHome(async (home) => {
  await writeFile(join(home, "atrium.config.json"), JSON.stringify(SETTINGS));
  await using server = await startServer(home, {
    args: ["--config", join(home, "atrium.config.json")],
  });
  const browser = await launchBrowser(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]);
  try {
    await playStory(browser, server);
    await playPages(browser, server);
  } finally {
    await browser.close();
  }
});

/** From the first visit to what was made of a request. Played in a quick page, taken in others. */
async function playStory(browser: Browser, server: ServerProcess): Promise<void> {
  const day = { theme: "day", picture: "high" };
  const office = { ...day, invitation: "dismissed" };
  const shoot = (name: string, path: string, options: ShotOptions) =>
    shootApart(browser, server, name, path, options);
  await shoot("first-visit", "/", { ...WIDE, preferences: day });
  await using opened = await openWebPage(browser, WIDE);
  const { page } = opened;
  const need = (kind: string) => page.locator(`.need[data-kind=${kind}]`).first();
  await enter(page, server, "/");
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await page.getByLabel("What do you want done?").fill(REQUEST);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  const start = page.locator(".panel").getByRole("button", { name: "Start work" });
  await start.waitFor();
  await take(page, "plan");
  await start.click();
  await need("question").waitFor();
  await shoot("office-day", "/", { ...WIDE, preferences: office });
  await shoot("office-night", "/", { ...WIDE, preferences: { ...office, theme: "night" } });
  await shoot("board", "/?show=board", { ...WIDE, preferences: office });
  await shoot("phone", "/", { ...PHONE, preferences: { theme: "day" } });
  await shoot("phone-outline", "/?show=outline", { ...PHONE, preferences: { theme: "day" } });
  await page.goto(new URL("/?show=code", server.url).href);
  await page.locator(".code-patch").waitFor();
  const clock = page.getByRole("slider", { name: "Point in time" });
  await clock.fill(String(Number(await clock.getAttribute("max")) - 1));
  await page.getByText("The office at").waitFor();
  await take(page, "code");
  await page.getByRole("button", { name: "Return to live" }).click();
  await need("review")
    .getByRole("button", { name: /^Read and review/ })
    .click();
  await page.getByText("A rehearsal draft by").waitFor();
  await shoot("review", page.url().slice(server.url.length), { ...WIDE, preferences: office });
  await shoot("timeline", "/?show=timeline", {
    ...WIDE,
    preferences: office,
    async prepare(past) {
      const slider = past.getByRole("slider", { name: "Point in time" });
      const last = Number(await slider.getAttribute("max"));
      await slider.fill(String(Math.round(last * 0.7)));
      await past.getByText("The office at").waitFor();
    },
  });
}

/** The other pages, each wide and as a phone shows it. */
async function playPages(browser: Browser, server: ServerProcess): Promise<void> {
  await using opened = await openWebPage(browser, { ...WIDE, preferences: { theme: "day" } });
  const { page } = opened;
  await enter(page, server, "/builds");
  await page.getByLabel("What do you want to build?").fill("A page that shows tonight's tides");
  await page.getByRole("button", { name: "Start build" }).click();
  await page.getByRole("radio").first().waitFor();
  await take(page, "builds");
  await page.setViewportSize(PHONE);
  await take(page, "builds-phone");
  await page.setViewportSize(WIDE);
  await page.getByRole("link", { name: "Chat", exact: true }).click();
  await page.getByLabel("Message", { exact: true }).fill(CHAT);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  await take(page, "chat");
  await page.setViewportSize(PHONE);
  await take(page, "chat-phone");
  await page.setViewportSize(WIDE);
  await page.getByRole("link", { name: "Signals", exact: true }).click();
  await page.getByText("task_dispatch").first().waitFor();
  await take(page, "signals");
  await shootApart(browser, server, "settings-night", "/settings", {
    ...WIDE,
    preferences: { theme: "night" },
  });
}

interface ShotOptions extends PageOptions {
  readonly prepare?: (page: Page) => Promise<void>;
}

async function shootApart(
  browser: Browser,
  server: ServerProcess,
  name: string,
  path: string,
  { prepare, ...options }: ShotOptions,
): Promise<void> {
  if (!isWanted(name)) return;
  await using opened = await openWebPage(browser, {
    ...options,
    moves: true,
    preferences: { picture: "auto", ...options.preferences },
  });
  const { page } = opened;
  page.setDefaultTimeout(PATIENCE_MS);
  await enter(page, server, path);
  await prepare?.(page);
  await take(page, name);
}

async function enter(page: Page, { url, token }: ServerProcess, path: string): Promise<void> {
  await page.goto(new URL(`${path}#token=${token}`, url).href);
  await page.locator("main").waitFor();
}

async function take(page: Page, name: string): Promise<void> {
  if (!isWanted(name)) return;
  // What is drawn first is still being put in its place.
  await page.waitForTimeout(3_000);
  await page.evaluate(`new Promise((done) => {
    let frames = 0;
    const next = () => (++frames > 8 ? done() : requestAnimationFrame(next));
    next();
  })`);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), timeout: PATIENCE_MS });
  process.stdout.write(`${name}\n`);
}

function isWanted(name: string): boolean {
  const parts = process.argv.slice(2);
  return parts.length === 0 || parts.some((part) => name.includes(part));
}
