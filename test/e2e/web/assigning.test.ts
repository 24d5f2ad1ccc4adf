/** Tasks are given to agents: dragged by mouse, keys or finger, or chosen from a list. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { openTestAtrium } from "../../kit/atrium.ts";
import {
  enterOffice,
  isInSight,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  tabTo,
} from "../../kit/web-page.ts";
import { askFor } from "../../kit/world-peer.ts";

/** With a finger, as the browser gets it from a screen. */
async function dragByTouch(page: Page, from: Locator, to: Locator): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  assert.ok(start !== null && end !== null);
  const middle = ({ x, y, width, height }: NonNullable<typeof start>) => ({
    x: x + width / 2,
    y: y + height / 2,
  });
  const [a, b] = [middle(start), middle(end)];
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: (typeof a)[]) =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", a);
  for (const part of [0.1, 0.5, 0.9, 1]) {
    await touch("touchMove", { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part });
  }
  await touch("touchEnd");
  await cdp.detach();
}

describe("assigning tasks", { skip: skipWithoutBrowser, concurrency: true }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[WEB-29] [WEB-34] a task is given by dragging it with the mouse onto the team or someone in the picture, by dragging it with keys, and from a list", async () => {
    await using atrium = await openTestAtrium();
    await askFor(atrium, "Plan the launch of a tide table app");
    await using opened = await openWebPage(browser, { height: 1200 });
    const { page, troubles } = opened;
    await enterOffice(page, atrium);
    await page.getByRole("link", { name: "Tasks" }).click();
    const selects = page.locator(".board-card select");
    await selects.nth(3).waitFor();
    assert.deepEqual(await seriousIssues(page), []);
    const titles = await page.locator(".board-card-title").allInnerTexts();
    const given = (title: string | undefined, agentId: string) =>
      page
        .locator(`select[aria-label="Assign to: ${title}"] option:checked[value="${agentId}"]`)
        .waitFor({ state: "attached" });

    await page
      .getByLabel(`Assign to: ${titles[0]}`, { exact: true })
      .selectOption("agent_writer_1");
    await given(titles[0], "agent_writer_1");

    // From a corner: in the middle of a card is its list.
    await page
      .getByRole("row", { name: titles[1] ?? "", exact: true })
      .dragTo(page.getByRole("row", { name: "Eng 2" }), { sourcePosition: { x: 14, y: 16 } });
    await given(titles[1], "agent_eng_2");

    await tabTo(page, page.getByRole("button", { name: `Drag “${titles[2]}”`, exact: true }));
    await page.keyboard.press("Enter");
    const focused = page.locator(":focus");
    while (!/Design 1/.test((await focused.getAttribute("aria-label")) ?? "")) {
      await page.keyboard.press("ArrowRight");
    }
    await page.keyboard.press("Enter");
    await given(titles[2], "agent_design_1");

    await page.setViewportSize({ width: 1280, height: 520 });
    const last = page.getByRole("row", { name: titles[3] ?? "", exact: true });
    await last.scrollIntoViewIfNeeded();
    assert.ok(
      await isInSight(page, page.getByRole("row", { name: "Eng 2" })),
      "the team is in reach",
    );
    const from = { sourcePosition: { x: 14, y: 16 } };
    await last.dragTo(page.locator(".floor-plan-object.is-round-table"), from);
    await last.hover({ position: from.sourcePosition });
    await page.mouse.down();
    await page.locator('[data-agent="agent_eng_1"] .floor-plan-body').hover({ force: true });
    await page.locator(".floor-plan-receiver").waitFor();
    assert.equal(await last.locator("select").inputValue(), "", "beside people it stays");
    await page.mouse.up();
    await given(titles[3], "agent_eng_1");
    await page.getByText(`Assigned to Eng 1: ${titles[3]?.slice(0, 30)}`).waitFor();
    assert.equal(await page.locator(".floor-plan-receiver").count(), 0);
    await page.setViewportSize({ width: 1280, height: 1200 });

    // What cannot be taken back asks once more, and lets go of it.
    await page.getByRole("link", { name: titles[3] ?? "", exact: true }).click();
    const cancel = page.getByRole("button", { name: "Cancel task" });
    const sure = page.getByRole("button", { name: "Cancel this task?" });
    await cancel.click();
    await sure.press("Escape");
    await cancel.click();
    await sure.press("Tab");
    await cancel.click();
    await page.getByRole("button", { name: "Pause project" }).click();
    await cancel.waitFor();
    await page.locator(".panel .chip").getByText("Project paused").waitFor();
    await page.getByRole("button", { name: "Resume project" }).waitFor();
    await page.getByRole("link", { name: "Tasks" }).click();
    await page.locator(".board-card").first().getByText("Project paused").waitFor();
    assert.deepEqual(troubles, []);
  });

  for (const [device, size] of [
    ["a phone", { width: 390, height: 844 }],
    ["a tablet", { width: 820, height: 1180 }],
  ] as const) {
    test(`[WEB-29] on ${device} a task is dragged onto someone, and a zone drawn, by touch`, async () => {
      await using atrium = await openTestAtrium();
      await askFor(atrium, "Plan the launch of a tide table app");
      const preferences = { invitation: "dismissed" };
      await using opened = await openWebPage(browser, { ...size, hasTouch: true, preferences });
      const { page, troubles } = opened;
      await enterOffice(page, atrium);
      await page.getByRole("link", { name: "Tasks" }).tap();
      const last = page.locator(".board-card").last();
      await last.scrollIntoViewIfNeeded();
      const title = await last.locator(".board-card-title").innerText();
      const onto = page.getByRole("row", { name: "Writer 1" });
      await dragByTouch(page, last.locator(".board-handle"), onto);
      await page
        .locator(`select[aria-label="Assign to: ${title}"] option:checked[value="agent_writer_1"]`)
        .waitFor({ state: "attached" });
      const planned = page.locator("[data-status=planned] .board-card").last();
      await planned.evaluate((card) => card.scrollIntoView({ block: "end" }));
      const other = await planned.locator(".board-card-title").innerText();
      const inPicture = page.locator('[data-agent="agent_eng_1"] .floor-plan-body');
      await dragByTouch(page, planned.locator(".board-handle"), inPicture);
      await page
        .locator(`select[aria-label="Assign to: ${other}"] option:checked[value="agent_eng_1"]`)
        .waitFor({ state: "attached" });
      await page.getByRole("button", { name: "Close" }).tap();
      await page.getByRole("button", { name: "Point", exact: true }).tap();
      await page.getByRole("button", { name: /^BD: / }).tap();
      await page.locator(".floor-plan-ping").waitFor();
      const desks = page.locator(".floor-plan-object.is-desk");
      await dragByTouch(page, desks.first(), page.locator(".is-round-table"));
      await page.getByRole("heading", { name: "Zone" }).waitFor();
      assert.deepEqual(troubles, []);
    });
  }
});
