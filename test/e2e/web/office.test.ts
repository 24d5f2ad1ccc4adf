/** What one does in the office besides the story: drag tasks, decide permissions, go back in time, point, read what agents say. */
import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createSignalReader } from "@atrium/wire/signal";
import type { Browser, Locator, Page } from "playwright-core";
import { openTestAtrium } from "../../kit/atrium.ts";
import { SignalEvents } from "../../kit/signals.ts";
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

describe("in the office", { skip: skipWithoutBrowser, concurrency: true }, () => {
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
    await page.keyboard.press("n");
    await page.getByText("This request was not visible. Press the key again to answer.").waitFor();
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
    const mark = page.locator(".timeline-row [aria-current]");
    await mark.waitFor();
    const [box, room] = [
      await mark.boundingBox(),
      await page.locator(".timeline-scroll").boundingBox(),
    ];
    assert.ok(box !== null && room !== null);
    assert.ok(box.y >= room.y - 1 && box.y + box.height <= room.y + room.height + 1);
  });

  test("[WEB-35] [WEB-36] people say their name, point by mouse and by key, and mark out zones; all of it is in the log", async () => {
    await using atrium = await openTestAtrium();
    await using opened = await openWebPage(browser);
    const { page, troubles } = opened;
    await enterOffice(page, atrium);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Your name").fill("  Ada\u202E  L. ");
    await page.getByLabel("Your name").press("Enter");
    await page.getByText("Your name is now Ada L..").waitFor();
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

  test("[WEB-40] what an agent says changes nothing but its own box", async () => {
    await using atrium = await openTestAtrium();
    await using opened = await openWebPage(browser);
    const { page, troubles } = opened;
    const outside: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(atrium.url)) outside.push(request.url());
    });
    await enterOffice(page, atrium);
    await page.getByRole("link", { name: "Front desk" }).click();
    const hostile = [
      "![picture](https://evil.example/q.png) [link](https://evil.example/l) [bad](javascript:window.hacked=5)",
      "<script>window.hacked = 1</script>",
      '<img src="https://evil.example/p.png" onerror="window.hacked = 2">',
      '<iframe src="https://evil.example"></iframe><svg onload="window.hacked = 3"></svg>',
      "<style>body { display: none; background: url(https://evil.example/c) }</style>",
      '<a href="javascript:window.hacked=4" style="position:fixed;inset:0">here</a>',
      "the end",
    ].join(" ");
    await page.getByLabel("Message to the front desk").fill(`[[say: ${hostile}]]`);
    await page.getByRole("button", { name: "Send" }).click();
    const answer = page.locator(".said[data-mine=false]").last();
    await answer.getByText("the end").waitFor();
    assert.deepEqual(
      await answer.evaluate((box) => ({
        hacked: "hacked" in box.ownerDocument.defaultView,
        inner: box.querySelectorAll("script, img, iframe, svg, style, a, [style], [onerror]")
          .length,
        outward: [...box.querySelectorAll("[data-href]")].map(({ dataset }) => dataset.href),
      })),
      {
        hacked: false,
        inner: 0,
        outward: ["q.png", "l", "c"].map((name) => `https://evil.example/${name}`),
      },
    );
    assert.deepEqual(outside, []);
    const popup = page.waitForEvent("popup");
    await answer.getByRole("button", { name: /^link/ }).click();
    assert.equal(await (await popup).evaluate("window.opener"), null);
    assert.deepEqual(troubles, []);
  });

  test("[WEB-40] [WEB-19] [WEB-27] [WEB-34] a line of a megabyte, by a program in a crew that rehearses, is cut and stays in its box", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-loud-"));
    const home = folder.path;
    const shout = `console.log(JSON.stringify({ type: "artifact", name: "loud.md", mediaType: "text/markdown", text: "long".repeat(250_000) }))`;
    const settings = {
      runtimes: {
        pretend: { type: "rehearsal", pace: 0 },
        rehearsal_of_sorts: { type: "command", command: [process.execPath, "-e", shout] },
      },
      agents: [
        { id: "agent_bd", name: "BD", role: "front desk", runtime: "pretend" },
        { id: "agent_loud", name: "Loud", role: "writer", runtime: "rehearsal_of_sorts" },
      ],
    };
    writeFileSync(join(home, "atrium.config.json"), JSON.stringify(settings));
    await using atrium = await openTestAtrium({ home });
    await using opened = await openWebPage(browser);
    const { page } = opened;
    await enterOffice(page, atrium);
    await page.getByText("Rehearsal without a model: BD.").waitFor();
    await askFor(atrium, "Plan the launch of a tide table app");
    await need(page, "handout").getByRole("button", { name: "Start work" }).click();
    await need(page, "review")
      .getByRole("button", { name: /^Read and review/ })
      .click();
    await page.getByText("The rest is not shown. Download the file to read it.").waitFor();
    const characters = ((await page.locator(".safe-text").textContent()) ?? "").length;
    const isWider = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    assert.ok(characters > 100_000 && characters <= 210_000, `${characters}`);
    assert.equal(isWider, false);

    // Another version comes while this one is read: it is not judged in its place.
    const panel = page.locator(".panel");
    await panel.getByRole("button", { name: "Request changes" }).click();
    await panel.getByLabel("What should change?").fill("Even louder");
    await panel.getByRole("button", { name: "Send" }).click();
    await panel
      .getByText("This is version 1. You can only review the newest version: version 2.")
      .waitFor();
    assert.equal(await panel.getByRole("button", { name: "Approve" }).count(), 0);
    assert.match(await need(page, "review").innerText(), /version 2/);
    await panel.getByRole("button", { name: "Go to version 2" }).click();
    assert.equal(await panel.getByText("Reviewed by").count(), 0);

    const lines = Array.from({ length: 15 }, (_, at) => `Part ${at}`);
    await panel.getByRole("button", { name: "Split into tasks" }).click();
    await panel.getByLabel("New tasks, one per line").fill(lines.join("\n"));
    await panel.getByText("You entered 15 tasks. The limit is 12. Remove 3.").waitFor();
    assert.ok(await panel.getByRole("button", { name: "Send" }).isDisabled());
    await panel.getByLabel("New tasks, one per line").fill(lines.slice(3).join("\n"));
    assert.ok(await panel.getByRole("button", { name: "Send" }).isEnabled());
    await panel.getByRole("button", { name: "Cancel" }).click();
    await panel.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Reviewed by").waitFor();
  });
});
