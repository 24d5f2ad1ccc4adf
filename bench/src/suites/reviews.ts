/**
 * What does looking through a change of 3,000 files, and of 50,000 lines in one, cost the browser's main thread, beside
 * the same page with ten files?
 *
 * Milliseconds of processor time of the main thread per second, as the browser accounts for it. The changes are real:
 * a program wrote the files in a worktree, and the server reads them from git.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import {
  enterOffice,
  launchBrowser,
  openWebPage,
  skipWithoutBrowser,
} from "../../../test/kit/web-page.ts";
import { openShop } from "../../../test/kit/workshop.ts";
import { meterPage, type Busy } from "../browser/page-meter.ts";
import { compare, type Finding, type Suite } from "../report/finding.ts";

const SIZES = { small: "10 files", files: "3,000 files", lines: "50,000 lines" } as const;
type Size = keyof typeof SIZES;

/** Code that is like code: what is repeated is colored no faster than what is not. */
const PROGRAMS: Readonly<Record<Size, string>> = {
  small: write(10, 40),
  files: write(3_000, 20),
  lines: write(1, 50_000),
};

const MEASURE_MS = 4_000;
const WHEEL_PIXELS = 240;
const CASES = ["opening", "scrolling", "stepping"] as const;
type Case = (typeof CASES)[number];

const DOES: Readonly<Record<Case, string>> = {
  opening: "opening it, the first four seconds",
  scrolling: "scrolling through the lines",
  stepping: "stepping from line to line and from file to file",
};

export const reviews: Suite = {
  name: "reviews",
  question: "What does a large change cost the browser that shows it?",
  async run() {
    if (skipWithoutBrowser !== false) return { findings: [], notes: [skipWithoutBrowser] };
    const small = await measureChange("small");
    const findings: Finding[] = [];
    const notes: string[] = [];
    for (const size of ["files", "lines"] as const) {
      const large = await measureChange(size);
      for (const name of CASES) {
        const samples = new Map([
          [SIZES[size], [large[name]]],
          [SIZES.small, [small[name]]],
        ]);
        findings.push(
          compare(samples, {
            what: `${SIZES[size]}: ${DOES[name]}`,
            measure: "main thread ms/s",
            ours: SIZES[size],
            against: SIZES.small,
            value: ({ cpu }) => cpu,
            goal: "< 300",
          }),
        );
        const { longestCpu, longest, nodes, script } = large[name];
        notes.push(
          `${SIZES[size]}, ${DOES[name]}: scripts ${script.toFixed(0)} ms/s, longest task ` +
            `${longestCpu.toFixed(0)} ms of processor (${longest.toFixed(0)} by the clock), ${nodes} elements`,
        );
      }
    }
    return { findings, notes };
  },
};

async function measureChange(size: Size): Promise<Readonly<Record<Case, Busy>>> {
  const agent = { id: "agent_eng_1", runtime: "program" };
  await using shop = await openShop({
    runtimes: { program: { type: "command", command: ["/bin/sh", "-c", PROGRAMS[size]] } },
    agents: [agent],
  });
  const browser = await launchBrowser();
  try {
    await using opened = await openWebPage(browser, { width: 1440, height: 900 });
    const { page } = opened;
    await enterOffice(page, shop.atrium);
    await shop.request("Write it", "shop");
    return await measurePage(page, size);
  } finally {
    await browser.close();
  }
}

async function measurePage(page: Page, size: Size): Promise<Readonly<Record<Case, Busy>>> {
  await page
    .locator(".need[data-kind=review]")
    .getByRole("button", { name: /^Read and review/ })
    .click();
  await page.locator(".diff-list").waitFor();
  const opening = await meterPage(page, async () => {
    const line = page.locator(".row-line").first();
    // As long as it is, it is folded until someone asks for it.
    if (size === "lines") await page.getByRole("button", { name: "Show it anyway" }).click();
    await line.waitFor();
    await sleep(MEASURE_MS);
  });
  const scrolling = await meterPage(page, () => scroll(page));
  const stepping = await meterPage(page, () => stepThrough(page));
  return { opening, scrolling, stepping };
}

async function scroll(page: Page): Promise<void> {
  await page.locator(".diff-list").hover();
  const began = performance.now();
  for (let turn = 0; performance.now() - began < MEASURE_MS; turn++) {
    await page.mouse.wheel(0, turn % 40 < 30 ? WHEEL_PIXELS : -WHEEL_PIXELS);
    await sleep(30);
  }
}

async function stepThrough(page: Page): Promise<void> {
  const began = performance.now();
  for (let turn = 0; performance.now() - began < MEASURE_MS; turn++) {
    await page.keyboard.press(turn % 10 === 9 ? "]" : "j");
    await sleep(60);
  }
}

/** A program that writes so many files of so many lines. */
function write(files: number, lines: number): string {
  const script = `BEGIN { for (f = 1; f <= ${files}; f++) {
    d = "src/part" (f % 40); if (!(d in made)) { system("mkdir -p " d); made[d] = 1 }
    for (l = 1; l <= ${lines}; l++) print "const v" l " = f(" f ", \\"" l * 7919 % 1009 "\\");" > (d "/file" f ".ts");
    close(d "/file" f ".ts") } }`;
  return `awk '${script}' && echo Written.`;
}
