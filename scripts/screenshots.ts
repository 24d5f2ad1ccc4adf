/**
 * The pictures of docs/screenshots: a real server, a real browser, a real repository; three stories.
 *
 *   npm run screenshots              all of them
 *   npm run screenshots -- night     those whose name has this in it; several can be named
 *
 * Drawing in three dimensions takes a while where there is no GPU; look at what comes out before it is committed.
 */
import { mkdir } from "node:fs/promises";
import { launchBrowser } from "../test/kit/web-page.ts";
import { FOLDER, isWanted } from "./screenshots/camera.ts";
import { NEWCOMER_PICTURES, playNewcomer } from "./screenshots/newcomer-story.ts";
import { OFFICE_PICTURES, playOffice } from "./screenshots/office-story.ts";
import { playWorkshop, WORKSHOP_PICTURES } from "./screenshots/workshop-story.ts";

await mkdir(FOLDER, { recursive: true });
const browser = await launchBrowser(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]);
try {
  if (OFFICE_PICTURES.some(isWanted)) await playOffice(browser);
  if (WORKSHOP_PICTURES.some(isWanted)) await playWorkshop(browser);
  if (NEWCOMER_PICTURES.some(isWanted)) await playNewcomer(browser);
} finally {
  await browser.close();
}
