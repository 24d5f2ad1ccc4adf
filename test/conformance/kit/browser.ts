/** A page in the system's own Chromium, with what went wrong in it written down. */
import { chromium, type Page } from "playwright-core";

export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** Errors thrown by the page, and what its content security policy forbade. */
  readonly troubles: readonly string[];
}

const FORBIDDEN = /content security policy/i;

export async function openPage(executablePath: string): Promise<OpenPage> {
  // Without the sandbox, because tests may run as root, where Chromium refuses to start with it.
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(String(error)));
  page.on("console", (message) => {
    if (FORBIDDEN.test(message.text())) troubles.push(message.text());
  });
  page.setDefaultTimeout(90_000);
  return { page, troubles, [Symbol.asyncDispose]: () => browser.close() };
}
