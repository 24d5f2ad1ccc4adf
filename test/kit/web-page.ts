/** Our own web client in the system's Chromium, on the real server. One browser, a fresh profile per page. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { AxeBuilder } from "@axe-core/playwright";
import { chromium, type Browser, type Locator, type Page } from "playwright-core";
import { findProgram, skipWithout } from "../../scripts/system-programs.ts";

const program = findProgram("chromium");
export const skipWithoutBrowser = skipWithout("chromium");

export interface WebPage extends AsyncDisposable {
  readonly page: Page;
  /** What the page threw, and what its content security policy forbade. */
  readonly troubles: readonly string[];
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly language?: string;
  /** Off unless asked for: a page that stands still is one that tests agree about. */
  readonly moves?: boolean;
  /** How many pixels of the screen one of the page has: 2 on half the size is a zoom of 200 %. */
  readonly scale?: number;
  readonly hasTouch?: boolean;
  /** What this browser remembers of its person. */
  readonly preferences?: Readonly<Record<string, string>>;
}

/** Drawing in three dimensions by software is slow; who needs it says so. */
export function launchBrowser(args: readonly string[] = ["--disable-gpu"]): Promise<Browser> {
  assert.ok(program !== undefined, "chromium is not installed");
  return chromium.launch({ executablePath: program, args: ["--no-sandbox", ...args] });
}

export async function openWebPage(browser: Browser, options: PageOptions = {}): Promise<WebPage> {
  const { width = 1280, height = 800, language = "en-US", moves, preferences = {} } = options;
  const { scale = 1, hasTouch = false } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    hasTouch,
    locale: language,
    reducedMotion: moves === true ? "no-preference" : "reduce",
  });
  const kept = JSON.stringify({ picture: "plan", ...preferences });
  await context.addInitScript(
    `localStorage.getItem("atrium.preferences") ?? localStorage.setItem("atrium.preferences", ${JSON.stringify(kept)})`,
  );
  // Nobody waits so long but on a machine that has too much to do.
  context.setDefaultTimeout(150_000);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) troubles.push(message.text());
  });
  return { page, troubles, [Symbol.asyncDispose]: () => context.close() };
}

type Address = { readonly url: string; readonly token: string };

/** Opens the office by its link, and waits until it is there. */
export async function enterOffice(page: Page, { url, token }: Address): Promise<void> {
  await page.goto(new URL(`/#token=${token}`, url).href);
  await page.getByRole("button", { name: /^BD: / }).waitFor();
}

/** Opens another page by the link. */
export async function enterPage(page: Page, { url, token }: Address, path: string): Promise<void> {
  await page.goto(new URL(`${path}#token=${token}`, url).href);
  // Going on before the page has its half of the login would leave it behind.
  await until(page, `localStorage.getItem("atrium.login") !== null`);
}

/** On the page of conversations. */
export async function writeMessage(page: Page, message: string): Promise<void> {
  await page.getByLabel("Message", { exact: true }).fill(message);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** `ATRIUM_SCREENSHOTS` names a folder to keep pictures in. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env["ATRIUM_SCREENSHOTS"];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** Waits for what an expression says in the page. Asked from outside: the page's policy lets nothing in it evaluate text. */
export async function until(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate<boolean>(expression))) await setTimeout(50);
}

/** What axe calls serious or critical, as one line each. */
export async function seriousIssues(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}

/** What is called otherwise than it reads, and what is too small for a finger. */
export async function namesAndTargets(page: Page): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page }).withRules(["label-content-name-mismatch", "target-size"]);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
  );
}

/** What one can press or fill that nobody could get at: cut off, or under something else. Empty: all is well. */
export function unreachable(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(${UNREACHABLE})()`);
}

/** As text, because these types know no document. */
const UNREACHABLE = `() => {
  const wrong = [];
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) wrong.push("the page is " + scrollWidth + " wide");
  const isOpen = document.querySelector(".panel") !== null;
  for (const each of document.querySelectorAll("a[href], button, input, select, textarea, summary, [role=button]")) {
    if (!each.checkVisibility({ visibilityProperty: true })) continue;
    if (each.closest(".visually-hidden, .skip-link") !== null) continue;
    // Beside an open panel the room may be covered; closing the panel shows it.
    if (isOpen && each.closest(".office-stage, .office-left") !== null) continue;
    each.scrollIntoView({ block: "center", inline: "center" });
    // A script can scroll what a person cannot.
    for (let box = each.parentElement; box !== null; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      if (overflowX === "hidden") box.scrollLeft = 0;
      if (overflowY === "hidden") box.scrollTop = 0;
    }
    const { left, right, top, bottom, width, height } = each.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    const name = each.localName + " " + (each.getAttribute("aria-label") ?? each.textContent).trim().slice(0, 40);
    if (left < -1 || right > innerWidth + 1 || top + height / 2 < 0 || bottom - height / 2 > innerHeight) {
      wrong.push(name + " is cut off");
      continue;
    }
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    // A notice is gone in seconds.
    if (hit?.closest(".notices") != null) continue;
    const isHit = hit !== null && (each.contains(hit) || hit.contains(each) || hit.closest("label")?.contains(each));
    if (!isHit) wrong.push(name + " is under " + (hit === null ? "nothing" : hit.localName + "." + String(hit.className)));
  }
  return wrong;
}`;

/** Goes there with the Tab key alone. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not lead to ${String(target)}`);
}

/** All of it, without scrolling. */
export async function isInSight(page: Page, target: Locator): Promise<boolean> {
  const [box, size] = [await target.boundingBox(), page.viewportSize()];
  assert.ok(box !== null && size !== null);
  const { x, y, width, height } = box;
  return x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height;
}
