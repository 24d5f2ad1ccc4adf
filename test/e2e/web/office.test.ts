/** What one does in the office besides the story: decide by key, go back in time, point. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createSignalReader } from "@atrium/wire/signal";
import type { Browser, Page } from "playwright-core";
import { openTestAtrium } from "../../kit/atrium.ts";
import { SignalEvents } from "../../kit/signals.ts";
import {
  enterOffice,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  tabTo,
  until,
} from "../../kit/web-page.ts";
import { askFor } from "../../kit/world-peer.ts";

const need = (page: Page, kind: string) => page.locator(`.need[data-kind=${kind}]`).first();

/** Space until one of that kind is chosen. */
async function choose(page: Page, kind: string): Promise<void> {
  await need(page, kind).waitFor();
  while ((await page.locator(`.need[data-kind=${kind}][data-chosen=true]`).count()) === 0) {
    await page.keyboard.press(" ");
  }
}

/** The first press opens what is chosen; once it was read, the second decides it. */
async function decideByKey(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.locator(".panel").getByRole("button", { name: "Deny" }).waitFor();
  await page.keyboard.press(key);
  await need(page, "permission").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
}

/** At how many places someone is seen while the past is played, up to four. As text, because these types know no document. */
const PLACES_SEEN = `(async () => {
  const places = new Set();
  while (places.size < 4 && document.querySelector(".past-banner") !== null) {
    const body = document.querySelector("[data-agent=agent_eng_1] .floor-plan-body");
    places.add(body?.getAttribute("cx") + " " + body?.getAttribute("cy"));
    await new Promise(requestAnimationFrame);
  }
  return places.size;
})()`;

/** Until the log has a signal of that type. */
async function untilKept(
  { url, token }: { readonly url: string; readonly token: string },
  type: string,
): Promise<void> {
  for (;;) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(new URL(`/api/signals?type=${type}`, url), { headers });
    const { signals } = (await answer.json()) as { signals: readonly unknown[] };
    if (signals.length > 0) return;
    await setTimeout(50);
  }
}

const UNSEEN_NOTICED = `new Promise((resolve) => {
  const notice = "This request was not visible. Press the key again to answer.";
  new MutationObserver((_, observer) => {
    if (!document.body.textContent.includes(notice)) return;
    observer.disconnect();
    resolve();
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
})`;

const IS_MARK_IN_SIGHT = `(() => {
  const mark = document.querySelector(".timeline-row [aria-current]")?.getBoundingClientRect();
  const room = document.querySelector(".timeline-scroll")?.getBoundingClientRect();
  return !!mark && !!room && mark.top >= room.top - 1 && mark.bottom <= room.bottom + 1;
})()`;

describe("in the office", { skip: skipWithoutBrowser, concurrency: true }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[WEB-22] [WEB-21] a permission is opened, then denied by N and allowed by Y, and the office knows which", async () => {
    await using atrium = await openTestAtrium();
    await using opened = await openWebPage(browser);
    const { page } = opened;
    await enterOffice(page, atrium);
    for (const key of ["n", "y"]) {
      await askFor(atrium, `Write a note ${key} [[approve: shell npm publish]]`);
      await choose(page, "handout");
      await page.keyboard.press("y");
      await choose(page, "permission");
      await decideByKey(page, key);
    }
    const headers = { authorization: `Bearer ${atrium.token}` };
    const office = await (await fetch(new URL("/api/office", atrium.url), { headers })).json();
    const { decisions } = office as { decisions: { choice: string; by: string }[] };
    assert.deepEqual(
      decisions.map(({ choice, by }) => [choice, by]),
      [
        ["Deny", "atrium-web"],
        ["Allow", "atrium-web"],
      ],
    );
    // What is asked elsewhere waits in the same list.
    await using chat = await atrium.connect();
    const ended = chat.first(
      ({ event, payload }) =>
        event === "chat" && payload.runId === "k1" && payload.state === "final",
    );
    const message = "[[approve: shell rm -r build]]";
    await chat.ask("chat.send", { sessionKey: "main", message, idempotencyKey: "k1" });
    await choose(page, "permission");
    await decideByKey(page, "n");
    assert.match(JSON.stringify((await ended).payload.message), /Denied: shell rm -r build/);

    // More than the list has room for: all of it is there, and none is answered unseen.
    const options = [{ label: "Yes" }, { label: "No" }];
    for (let at = 0; at < 16; at++) {
      const question = { questionId: "q", header: "", question: `Make part ${at} now?`, options };
      await chat.ask("question.request", { questions: [question], timeoutMs: 600_000 });
    }
    const part = (at: number) => page.locator(".need", { hasText: `Make part ${at} now?` });
    await part(15).waitFor({ state: "attached" });
    const chosen = page.locator(".need[data-chosen=true]");
    do await page.keyboard.press(" ");
    while (!/part 15 now/.test((await chosen.textContent()) ?? ""));
    const list = await page.locator(".needs").boundingBox();
    const inList = async (): Promise<boolean> => {
      const box = await part(15).boundingBox();
      assert.ok(list !== null && box !== null);
      return box.y >= list.y - 1 && box.y + box.height <= list.y + list.height + 1;
    };
    assert.ok(await inList());
    await page.locator(".needs").evaluate((element) => void (element.scrollTop = 0));
    assert.ok(!(await inList()));
    // A slow machine may draw no frame while the notice is there; it is in the document all the same.
    const noticed = page.evaluate(UNSEEN_NOTICED);
    await page.keyboard.press("n");
    await noticed;
    assert.ok(await inList(), "the first press brings it back");
    await page.keyboard.press("n");
    await part(15).waitFor({ state: "detached" });
    assert.equal(await page.locator(".need", { hasText: "Make part " }).count(), 15);
  });

  test("[WEB-33] dragged back, the whole page shows that moment and nothing can be asked for; played, people walk; then it is live again", async () => {
    await using atrium = await openTestAtrium({ office: { walkingSpeedMps: 0.6 } });
    await askFor(atrium, "Plan the launch of a tide table app");
    await using opened = await openWebPage(browser);
    const { page } = opened;
    await enterOffice(page, atrium);
    await page.getByRole("link", { name: "Outline" }).click();
    await page.getByText("planned", { exact: true }).waitFor();
    const slider = page.getByRole("slider", { name: "Point in time" });
    await slider.fill("1");
    await page.getByText(/^The office at /).waitFor();
    await page.getByText("planned", { exact: true }).waitFor({ state: "detached" });
    assert.equal(await page.locator(".need").count(), 0);
    assert.deepEqual(await seriousIssues(page), []);
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await page.getByLabel("What do you want done?").fill("Something in the past");
    assert.ok(await page.getByRole("button", { name: "Ask", exact: true }).isDisabled());
    await page.getByRole("link", { name: "Front desk" }).click();
    await page.getByText("No messages yet.").waitFor();
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.locator("[data-kind=kickoff_started]").click();
    await page.locator("[data-kind=kickoff_started][aria-current]").waitFor();
    await page.getByLabel("Speed").selectOption("1");
    await page.getByRole("button", { name: "Play" }).click();
    // On the way at one instant and the next, though the log has no entry between them.
    assert.equal(await page.evaluate(PLACES_SEEN), 4, "it was live already");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await page.getByLabel("What do you want done?").fill("Something in the past");
    await page.getByLabel("Speed").selectOption("60");
    await page.getByRole("button", { name: "Play" }).click();
    await page.getByText(/^The office at /).waitFor({ state: "detached" });
    await need(page, "handout").waitFor();
    assert.ok(await page.getByRole("button", { name: "Ask", exact: true }).isEnabled());

    // What waited then is told as of then, and goes on waiting while it plays.
    await need(page, "handout")
      .getByText(/waiting (?:(?:[3-9]|\d\d) s|\d+ min)/)
      .waitFor();
    await page.getByRole("link", { name: "Front desk" }).click();
    const said = page.locator(".said");
    await said.first().waitFor();
    const all = await said.count();
    const planned = (await slider.getAttribute("max")) ?? "";
    await need(page, "handout").getByRole("button", { name: "Start work" }).click();
    await need(page, "handout").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Timeline" }).click();
    await slider.fill(planned);
    await need(page, "handout").getByText("waiting 0 s").waitFor();
    await page.getByLabel("Speed").selectOption("1");
    await page.getByRole("button", { name: "Play" }).click();
    await need(page, "handout")
      .getByText(/waiting [1-9] s/)
      .waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("link", { name: "Front desk" }).click();
    await said.first().waitFor();
    assert.ok((await said.count()) <= all);
    // The moment is in sight wherever the list had been.
    await page.getByRole("link", { name: "Timeline" }).click();
    await slider.fill("1");
    await until(page, IS_MARK_IN_SIGHT);
  });

  test("[WEB-35] [WEB-36] people say their name, point by mouse and by key, and mark out zones; all of it is in the log", async () => {
    await using atrium = await openTestAtrium();
    await using opened = await openWebPage(browser);
    const { page, troubles } = opened;
    await enterOffice(page, atrium);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Your name").fill("  Ada\u202E  L. ");
    await page.getByLabel("Your name").press("Enter");
    await page.getByText("Your name is now “Ada L.”.").waitFor();
    await page.getByRole("link", { name: "Office", exact: true }).click();
    const announced = page.locator("[data-announces=pings]");
    const bd = page.getByRole("button", { name: /^BD: / });

    await bd.click({ modifiers: ["Alt"] });
    await announced.getByText("Ada L. points at BD").waitFor({ state: "attached" });
    await page.locator(".floor-plan-ping").getByText("Ada L.").waitFor();
    assert.equal(await page.locator(".panel").count(), 0);
    // A pointer is kept where it comes to rest: what follows within a moment would be the same one.
    await untilKept(atrium, "user.point");

    const tool = page.getByRole("button", { name: "Point", exact: true });
    await tool.press("Enter");
    await page.getByRole("button", { name: /^Writer 1: / }).press("Enter");
    await announced.getByText("Ada L. points at Writer 1").waitFor({ state: "attached" });

    await askFor(atrium, "Plan the launch of a tide table app");
    const floor = await page.locator(".floor-plan-floor").boundingBox();
    assert.ok(floor !== null);
    const { x, y, width, height } = floor;
    await page.mouse.move(x + 9, y + 9);
    await page.mouse.down();
    await page.mouse.move(x + width - 4, y + height - 4, { steps: 3 });
    await page.mouse.up();
    await page.getByRole("heading", { name: "Zone" }).waitFor();
    assert.equal(await page.locator(".zone-people li").count(), 6);
    assert.equal(await tool.getAttribute("aria-pressed"), "false");
    assert.deepEqual(await seriousIssues(page), []);

    await page.getByRole("button", { name: /^Assign \d tasks to these 6 agents$/ }).click();
    await page.getByText("There are no unassigned tasks.").waitFor();
    await page.getByRole("link", { name: "Outline" }).click();
    await tabTo(page, page.getByRole("button", { name: "Point at Lounge" }));
    await page.keyboard.press("Enter");
    await announced.getByText("Ada L. points at Lounge").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Front desk", exact: true }).press("Enter");
    await page.getByRole("heading", { name: "Zone" }).waitFor();

    await using log = await SignalEvents.open(atrium, "?after=0&type=user.*&source=atrium:web");
    await log.until(() => log.events.length === 6);
    const web = log.events.map(({ data }) => data);
    const read = createSignalReader();
    for (const each of web) assert.ok(!("reason" in read(each)), JSON.stringify(read(each)));
    assert.ok(web.every(({ metadata }) => metadata.by === "Ada L."));
    assert.deepEqual(
      web.map(({ type, payload }) => [type, payload.intent ?? payload.zone ?? ""]),
      [
        ["user.point", ""],
        ["user.point", ""],
        ["user.zone", "look"],
        ["user.zone", "assign"],
        ["user.point", "poi_lounge"],
        ["user.zone", "look"],
      ],
    );
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await page.getByLabel("What do you want done?").fill("Something for Ada");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.getByText("Ada L. requested: Something for Ada").waitFor();
    assert.deepEqual(troubles, []);
  });
});
