/**
 * What does the office page cost the browser's main thread with 200 agents and a timeline of 10,000 events, beside the
 * same page with 6 agents and 100 events?
 *
 * Milliseconds of processor time of the main thread per second, as the browser accounts for it. Where there is no graphics card
 * the picture itself is drawn by other threads of other processes, which on a small machine slows this one down but is not
 * counted as its work; with `low`, waiting for it is in the tasks by the clock.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import {
  enterOffice,
  launchBrowser,
  openWebPage,
  skipWithoutBrowser,
} from "../../../test/kit/web-page.ts";
import { openCrowdedOffice, type CrowdedOffice, type Crowd } from "../browser/crowded-office.ts";
import { meterPage, type Busy } from "../browser/page-meter.ts";
import { compare, type Finding, type Suite } from "../report/finding.ts";

const FULL: Crowd = { agents: 188, events: 10_000 };
const SMALL: Crowd = { agents: 6, events: 100 };
const MEASURE_MS = 4_000;
const WALKERS = 20;
/** Two notches of a wheel at once, more than thirty times a second: as fast as one flicks through a list. */
const WHEEL_PIXELS = 240;
const PICTURES = ["plan", "low"] as const;
type Picture = (typeof PICTURES)[number];
const GL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
/** Drawing in three dimensions by software takes longer the larger the picture, and nothing of it is measured here. */
const SIZES = { plan: { width: 1280, height: 800 }, low: { width: 1110, height: 560 } } as const;
const CASES = ["idle", "walking", "scrolling", "dragging", "typing"] as const;
type Case = (typeof CASES)[number];

const DOES: Readonly<Record<Case, string>> = {
  idle: "nothing moves",
  walking: `${WALKERS} agents at work and walking`,
  scrolling: "scrolling the timeline",
  dragging: "dragging the scrubber",
  typing: "typing a request",
};

export const browser: Suite = {
  name: "browser",
  question: "What does a full office cost the browser that shows it?",
  async run() {
    if (skipWithoutBrowser !== false) return { findings: [], notes: [skipWithoutBrowser] };
    const findings: Finding[] = [];
    const notes: string[] = [];
    for (const picture of PICTURES) {
      const full = await measureOffice(FULL, picture);
      const small = await measureOffice(SMALL, picture);
      for (const name of CASES) {
        const samples = new Map([
          ["full", [full.busy[name]]],
          ["6 agents, 100 events", [small.busy[name]]],
        ]);
        findings.push(
          compare(samples, {
            what: `${picture}: ${DOES[name]}`,
            measure: "main thread ms/s",
            ours: "full",
            against: "6 agents, 100 events",
            value: ({ cpu }) => cpu,
            goal: "< 200",
          }),
        );
        notes.push(`${picture}, ${DOES[name]}: ${describe(full.busy[name])}`);
      }
      notes.push(`${picture}: ${full.agents} agents, ${full.loaded} events in the page`);
    }
    return { findings, notes };
  },
};

function describe(busy: Busy): string {
  const { task, cpu, script, layout, longest, longestCpu, nodes } = busy;
  const figures = [task, cpu, script, layout].map((value) => value.toFixed(0));
  const [byClock, processor, scripts, layouts] = figures;
  return (
    `tasks ${byClock} ms/s by the clock (${processor} of processor; scripts ${scripts}, style and layout ${layouts}), ` +
    `longest task ${longestCpu.toFixed(0)} ms of processor (${longest.toFixed(0)} by the clock), ${nodes} elements`
  );
}

interface Measured {
  readonly busy: Readonly<Record<Case, Busy>>;
  readonly agents: number;
  readonly loaded: number;
}

async function measureOffice(crowd: Crowd, picture: Picture): Promise<Measured> {
  await using office = await openCrowdedOffice(crowd);
  const chromium = await launchBrowser(picture === "plan" ? ["--disable-gpu"] : GL);
  try {
    return await measurePage(chromium, office, picture);
  } finally {
    await chromium.close();
  }
}

async function measurePage(
  chromium: Browser,
  office: CrowdedOffice,
  picture: Picture,
): Promise<Measured> {
  await using opened = await openWebPage(chromium, { ...SIZES[picture], preferences: { picture } });
  const { page } = opened;
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await enterOffice(page, office);
  await openPanel(page, "Timeline");
  const loaded = await loadAll(page);
  await sleep(3_000);
  const idle = await meterPage(page, () => sleep(MEASURE_MS));
  const scrolling = await meterPage(page, () => scroll(page));
  const dragging = await meterPage(page, () => drag(page));
  // Wherever the pointer let go of it.
  await page.getByRole("slider").fill("1");
  await page.getByRole("button", { name: "Return to live" }).click();
  await openPanel(page, "Ask");
  const typing = await meterPage(page, () => type(page));
  await openPanel(page, "Timeline");
  await office.sendWalking(WALKERS);
  const walking = await meterPage(page, () => sleep(MEASURE_MS));
  return { busy: { idle, walking, scrolling, dragging, typing }, agents: office.agents, loaded };
}

function openPanel(page: Page, name: string): Promise<void> {
  return page
    .getByRole("navigation", { name: "Panels" })
    .getByRole("link", { name, exact: true })
    .click();
}

/** All that happened, page by page, as one would by pressing; says how much that is. */
async function loadAll(page: Page): Promise<number> {
  const slider = page.getByRole("slider");
  const earlier = page.locator(".timeline > button");
  await slider.waitFor();
  while ((await earlier.count()) > 0) {
    await earlier.dispatchEvent("click");
    await sleep(60);
  }
  return Number(await slider.getAttribute("max")) + 1;
}

async function scroll(page: Page): Promise<void> {
  await page.locator(".timeline-scroll").hover();
  const began = performance.now();
  for (let turn = 0; performance.now() - began < MEASURE_MS; turn++) {
    await page.mouse.wheel(0, turn % 40 < 30 ? -WHEEL_PIXELS : WHEEL_PIXELS);
    await sleep(30);
  }
}

async function drag(page: Page): Promise<void> {
  const box = await page.getByRole("slider").boundingBox();
  if (box === null) return;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 4, y);
  await page.mouse.down();
  const began = performance.now();
  for (let turn = 0; performance.now() - began < MEASURE_MS; turn++) {
    await page.mouse.move(box.x + box.width * (0.5 + 0.45 * Math.sin(turn / 9)), y);
    await sleep(30);
  }
  await page.mouse.move(box.x + box.width / 3, y);
  await page.mouse.up();
}

async function type(page: Page): Promise<void> {
  await page.getByLabel("What do you want done?").click();
  await page.keyboard.type("A page that says when the tide is high, and why.", { delay: 70 });
}
