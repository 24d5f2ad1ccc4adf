/** The office in every window and for everyone: at 200 %, on a phone, as text, in three dimensions. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openTestAtrium } from "../../kit/atrium.ts";
import {
  enterOffice,
  isInSight,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  unreachable,
} from "../../kit/web-page.ts";
import { askFor } from "../../kit/world-peer.ts";

/** What was said last stands above the field one writes in. */
async function assertNewestIsSeen(page: Page): Promise<void> {
  await page.locator(".said").first().waitFor();
  const said = await page.locator(".said").last().boundingBox();
  const field = await page.locator(".writing").boundingBox();
  assert.ok(said !== null && field !== null);
  // A browser scrolls by whole pixels.
  assert.ok(said.y + said.height <= field.y + 1, `${said.y + said.height} is under ${field.y}`);
}

/** What lies over the rehearsal's note, or under it; and where it is cut. */
async function overNote(page: Page): Promise<readonly string[]> {
  await page.locator(".rehearsal-note").waitFor();
  return page.evaluate<readonly string[]>(`(${OVER_NOTE})()`);
}

/** As text, because these types know no document. */
const OVER_NOTE = `() => {
  const note = document.querySelector(".rehearsal-note");
  const { left, right, top, bottom } = note.getBoundingClientRect();
  const wrong = note.scrollWidth > note.clientWidth ? ["it is cut"] : [];
  for (const part of [0.02, 0.25, 0.5, 0.75, 0.98]) {
    const hit = document.elementFromPoint(left + (right - left) * part, (top + bottom) / 2);
    if (!note.contains(hit)) wrong.push(hit === null ? "the window ends" : hit.localName + "." + hit.className);
  }
  for (const other of document.querySelectorAll(".panel, .office-left .card, .floor-plan, .office-bottom")) {
    const box = other.getBoundingClientRect();
    const isOver = box.left < right - 1 && box.right > left + 1 && box.top < bottom - 1 && box.bottom > top + 1;
    if (isOver) wrong.push(other.localName + "." + other.getAttribute("class"));
  }
  return wrong;
}`;

const FLOOR_COLOR = `getComputedStyle(document.querySelector(".floor-plan-floor")).fill`;

describe("the office in every window", { skip: skipWithoutBrowser, concurrency: true }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[WEB-38] [WEB-19] [WEB-9] at 200 % everything in the office is in reach, whatever is open beside it", async () => {
    await using atrium = await openTestAtrium();
    await askFor(atrium, "Plan the launch of a tide table app");
    for (const language of ["en", "de"] as const) {
      await using opened = await openWebPage(browser, {
        width: 720,
        height: 450,
        scale: 2,
        preferences: { language },
      });
      const { page } = opened;
      await enterOffice(page, atrium);
      await page.locator(".need").first().waitFor();
      const panels = ["ask", "desk", "board", "code", "timeline", "trophies", "outline", "connect"];
      for (const show of ["", ...panels, "agent:agent_bd", "zone:-6,-4.5,12,9"]) {
        await page.goto(new URL(`/?show=${show}`, atrium.url).href);
        await page
          .locator(show === "" ? ".need" : ".panel-body > *")
          .first()
          .waitFor();
        assert.deepEqual(await overNote(page), [], `${language} ${show}`);
        assert.deepEqual(await unreachable(page), [], `${language} ${show}`);
        if (show !== "desk") continue;
        await assertNewestIsSeen(page);
        const planned = { en: /I split “.+” into \d tasks\./, de: /Ich habe „.+“ in \d Aufgaben/ };
        await page.locator(".said").getByText(planned[language]).waitFor();
      }
    }
  });

  test("[WEB-38] [WEB-18] [WEB-19] on a phone of 360 pixels nothing is wider than it, everything is reached, and axe is content", async () => {
    await using atrium = await openTestAtrium();
    await askFor(atrium, "Plan the launch of a tide table app");
    await using opened = await openWebPage(browser, {
      width: 360,
      height: 740,
      preferences: { picture: "auto", theme: "night" },
    });
    const { page, troubles } = opened;
    await enterOffice(page, atrium);
    for (const name of ["Ask", "Front desk", "Tasks", "Code", "Timeline", "Trophies", "Outline"]) {
      await page
        .getByRole("navigation", { name: "Panels" })
        .getByRole("link", { name, exact: true })
        .click();
      await page.locator(".panel-body > *").first().waitFor();
      const wide = await page.locator("html").evaluate((html) => html.scrollWidth);
      assert.ok(wide <= 360, `${name}: ${wide} pixels`);
      assert.deepEqual(await seriousIssues(page), [], name);
      if (name === "Front desk") await assertNewestIsSeen(page);
    }
    await page.getByRole("button", { name: /^Design 1: / }).press("Enter");
    await page.getByRole("heading", { name: "Design 1" }).waitFor();
    for (const language of ["en", "de"]) {
      assert.equal(await page.locator("html").getAttribute("lang"), language);
      const ways = await page.locator(".top-nav a, .dock a, .dock-point").all();
      assert.equal(ways.length, 13);
      for (const way of ways) assert.ok(await isInSight(page, way), await way.innerText());
      assert.deepEqual(await overNote(page), [], language);
      const preferences = JSON.stringify({ picture: "auto", language: "de" });
      await page.evaluate(`localStorage.setItem("atrium.preferences", '${preferences}')`);
      const colorBefore = await page.evaluate<string>(FLOOR_COLOR);
      await page.reload();
      await page.locator(".floor-plan-floor").waitFor();
      if (language === "en") assert.notEqual(await page.evaluate<string>(FLOOR_COLOR), colorBefore);
    }
    assert.deepEqual(troubles, []);
  });

  test("[WEB-39] the text twin says who is there, what they do and how the work stands, and news is announced", async () => {
    await using atrium = await openTestAtrium();
    await using opened = await openWebPage(browser);
    const { page } = opened;
    await enterOffice(page, atrium);
    await page.getByRole("link", { name: "Outline" }).click();
    await page.getByText("No projects yet.").waitFor();
    const people = page.locator(".outline section").first().getByRole("listitem");
    assert.deepEqual((await people.allInnerTexts()).slice(0, 2), [
      "BD, front desk: idle",
      "Research 1, researcher: idle",
    ]);
    await askFor(atrium, "Plan the launch of a tide table app");
    await page.getByRole("heading", { name: "Launch of a tide table app planned" }).waitFor();
    await page
      .getByRole("status")
      .getByText(/^Planning finished: “.*”/)
      .waitFor();
  });
});

test(
  "[WEB-16] in three dimensions the office has labels that open whom they name; it comes in a file of its own",
  { skip: skipWithoutBrowser },
  async () => {
    await using atrium = await openTestAtrium();
    const browser = await launchBrowser(["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]);
    try {
      await using opened = await openWebPage(browser, {
        width: 700,
        height: 460,
        preferences: { picture: "low" },
      });
      const { page, troubles } = opened;
      const scripts: string[] = [];
      page.on("response", (response) => scripts.push(response.url()));
      await enterOffice(page, atrium);
      await page.locator("canvas.office-canvas").waitFor();
      assert.ok(scripts.some((url) => url.includes("mount-office")));
      await page.getByRole("button", { name: "Writer 1: idle" }).press("Enter");
      await page.getByRole("heading", { name: "Writer 1" }).waitFor();
      assert.deepEqual(troubles, []);
    } finally {
      await browser.close();
    }
  },
);
