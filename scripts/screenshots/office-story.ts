/** From the first visit to what was made of a request, and the other pages, with the rehearsal crew. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { startServer, withHome, type ServerProcess } from "../../test/kit/server-process.ts";
import { openWebPage } from "../../test/kit/web-page.ts";
import { createShoot, enter, OFFICE, PHONE, take, WIDE } from "./camera.ts";

export const OFFICE_PICTURES = [
  "first-visit",
  "office-day",
  "office-night",
  "phone",
  "phone-outline",
  "timeline",
  "builds",
  "builds-phone",
  "chat",
  "chat-phone",
  "signals",
  "settings-night",
];

const REQUEST = "Plan the launch of a tide table app";
const CHAT =
  "Is the tide table ready to go out? [[approve: shell npm publish --access public]] [[say: Published.]]";
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

export async function playOffice(browser: Browser): Promise<void> {
  await withHome(async (home) => {
    const file = join(home, "atrium.config.json");
    await writeFile(file, JSON.stringify(SETTINGS));
    await using server = await startServer(home, { args: ["--config", file] });
    await playStory(browser, server);
    await playPages(browser, server);
  });
}

/** Played in a quick page, taken in others. */
async function playStory(browser: Browser, server: ServerProcess): Promise<void> {
  const shoot = createShoot(browser, server);
  await shoot("first-visit", "/", { ...WIDE, preferences: { theme: "day", picture: "high" } });
  await using opened = await openWebPage(browser, WIDE);
  const { page } = opened;
  await enter(page, server, "/");
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await page.getByLabel("What do you want done?").fill(REQUEST);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.locator(".panel").getByRole("button", { name: "Start work" }).click();
  await page.locator(".need[data-kind=question]").first().waitFor();
  await shoot("office-day", "/", { ...WIDE, preferences: OFFICE });
  await shoot("office-night", "/", { ...WIDE, preferences: { ...OFFICE, theme: "night" } });
  await shoot("phone", "/", { ...PHONE, preferences: { theme: "day" } });
  await shoot("phone-outline", "/?show=outline", { ...PHONE, preferences: { theme: "day" } });
  await shoot("timeline", "/?show=timeline", {
    ...WIDE,
    preferences: OFFICE,
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
  const shoot = createShoot(browser, server);
  await shoot("settings-night", "/settings", { ...WIDE, preferences: { theme: "night" } });
}
