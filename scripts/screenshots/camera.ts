/** Takes the pictures: each in a page of its own, drawn in full, and only those that are wanted. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { openWebPage, type PageOptions } from "../../test/kit/web-page.ts";

export const FOLDER = fileURLToPath(new URL("../../docs/screenshots/", import.meta.url));
export const WIDE = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** The office by day, for someone who knows it. */
export const OFFICE = { theme: "day", picture: "high", invitation: "dismissed" };
const PATIENCE_MS = 240_000;
/** A room that is not drawn yet makes a small picture. */
const ROOM_BYTES = 250_000;

interface Address {
  readonly url: string;
  readonly token: string;
}

interface ShotOptions extends PageOptions {
  readonly prepare?: (page: Page) => Promise<void>;
}

type Shoot = (name: string, path: string, options: ShotOptions) => Promise<void>;

export function isWanted(name: string): boolean {
  const parts = process.argv.slice(2);
  return parts.length === 0 || parts.some((part) => name.includes(part));
}

/** In a page of its own, at that address. */
export function createShoot(browser: Browser, server: Address): Shoot {
  return async (name, path, { prepare, ...options }) => {
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
  };
}

export async function enter(page: Page, { url, token }: Address, path: string): Promise<void> {
  await page.goto(new URL(`${path}#token=${token}`, url).href);
  await page.locator("main").waitFor();
}

export async function take(page: Page, name: string): Promise<void> {
  if (!isWanted(name)) return;
  await settle(page);
  const room = page.locator(".office-stage:not([inert]) canvas").first();
  const leastBytes = (await room.isVisible()) ? ROOM_BYTES : 0;
  let picture = await page.screenshot({ timeout: PATIENCE_MS });
  for (let more = 0; picture.length < leastBytes && more < 20; more++) {
    await settle(page);
    picture = await page.screenshot({ timeout: PATIENCE_MS });
  }
  await writeFile(join(FOLDER, `${name}.png`), picture);
  process.stdout.write(`${name}\n`);
}

/** What is drawn first is still being put in its place. */
export async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(3_000);
  await page.evaluate(`new Promise((done) => {
    let frames = 0;
    const next = () => (++frames > 8 ? done() : requestAnimationFrame(next));
    next();
  })`);
}
