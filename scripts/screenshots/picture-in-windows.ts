/** Two pages in one picture: the first fills it, the second is a window on top of it. */
import type { Browser, Page } from "playwright-core";
import { settle, take, WIDE } from "./camera.ts";

const WINDOW = { width: 640, height: 560 };

export async function takeInWindows(
  browser: Browser,
  name: string,
  behind: Page,
  front: Page,
): Promise<void> {
  await front.setViewportSize(WINDOW);
  await settle(behind);
  const [back, window] = await Promise.all([behind.screenshot(), front.screenshot()]);
  const page = await browser.newPage({ viewport: WIDE });
  await page.setContent(`<style>
    body { margin: 0; background: url(${urlOf(back)}); }
    figure { position: fixed; right: 40px; bottom: 40px; margin: 0; overflow: hidden; border-radius: 10px;
      box-shadow: 0 12px 48px #0006; font: 13px system-ui, sans-serif; }
    figcaption { padding: 9px 16px; color: #555; background: #e6e6e6; }
    img { display: block; }
  </style><figure><figcaption>${front.url()}</figcaption><img src="${urlOf(window)}"></figure>`);
  await take(page, name);
  await page.close();
}

function urlOf(picture: Buffer): string {
  return `data:image/png;base64,${picture.toString("base64")}`;
}
