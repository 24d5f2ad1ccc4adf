/** A change under review in a real browser: read, commented on, sent back and approved, by mouse and by keyboard. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { actChange, type ActedChange, type SentCommand } from "../../kit/acted-change.ts";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import {
  enterOffice,
  keepPicture,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  unreachable,
  until,
} from "../../kit/web-page.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const PRICE = `export function price(cents: number): string {
  return "$" + cents / 100;
}

export function total(items: Item[]): number {
  let sum = 0;
  for (const item of items) sum += item.price;
  return sum;
}
`;
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAABlBMVEX///+/v7+jQ3Y5AAAADklEQVQI12P4AIX8EAgALgAD/aNpbtEAAAAASUVORK5CYII",
  "base64",
);

export const CHANGE: ActedChange = {
  files: [
    {
      path: "src/money/price.ts",
      added: 3,
      removed: 2,
      new: `// money\n\n\n\n\n\n\n\n\n${PRICE}`,
      patch: [
        "@@ -9,6 +10,7 @@ // money",
        " export function price(cents: number): string {",
        '-  return "$" + cents / 100;',
        "+  return `$${(cents / 100).toFixed(2)}`;",
        " }",
        " ",
        " export function total(items: Item[]): number {",
        "-  let sum = 0;",
        "+  // Cents, never dollars.",
        "+  let sum = 0n;",
        "   for (const item of items) sum += item.price;",
        "",
      ].join("\n"),
    },
    {
      path: "src/money/price.test.ts",
      how: "added",
      added: 3,
      flag: "check",
      patch: [
        "@@ -0,0 +1,3 @@",
        '+import { price } from "./price.ts";',
        "+",
        '+test("two digits", () => assert.equal(price(5), "$0.05"));',
        "",
      ].join("\n"),
    },
    {
      path: "README.md",
      old: "# Shop\n\nPrices.\n",
      new: "# Shop\n\nPrices in **cents**.\n",
      patch: "@@ -1,3 +1,3 @@\n # Shop\n \n-Prices.\n+Prices in **cents**.\n",
      removed: 1,
    },
    { path: "logo.png", is_binary: true, added: null, removed: null, old: PIXEL, new: PIXEL },
    {
      path: "package-lock.json",
      flag: "lock",
      added: 900,
      removed: 2,
      patch: "@@ -1 +1 @@\n-1\n+2\n",
    },
    {
      path: "data/big.json",
      is_large: true,
      added: 60_000,
      removed: 0,
      patch: "@@ -0,0 +1 @@\n+{}\n",
    },
  ],
  omitted: [{ path: ".env", why: "secret" }],
  checks: [
    {
      check_id: "chk_1",
      name: "test",
      command: "npm test",
      required: true,
      state: "failed",
      exit_code: 1,
      ms: 5400,
      output_bytes: 40,
    },
  ],
};

describe("a review", { skip: skipWithoutBrowser }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  async function openReview(page: Page, atrium: TestAtrium): Promise<string> {
    await using peer = await enterWorld(atrium);
    await enterOffice(page, atrium);
    await peer.ask("submit_request", { text: "Plan the launch of a tide table app" });
    const { payload } = await peer.event("kickoff_finished");
    await peer.ask("auto_assign", { project_id: payload.project_id });
    const delivered = await peer.event("review_requested");
    const artifactId = delivered.payload.artifact_ids?.[0] as string;
    await page.goto(new URL(`/?show=artifact:${artifactId}`, atrium.url).href);
    return artifactId;
  }

  async function openChange(
    page: Page,
    atrium: TestAtrium,
    change: () => ActedChange = () => CHANGE,
  ): Promise<{ readonly sent: readonly SentCommand[]; readonly artifactId: string }> {
    page.setDefaultTimeout(20_000);
    const sent = await actChange(page, change);
    const artifactId = await openReview(page, atrium);
    await page.getByText("Cents, never dollars.").waitFor();
    return { sent, artifactId };
  }

  const lines = (page: Page) => page.locator(".row-line");
  const number = (page: Page, side: string, line: number) =>
    page.locator(`[data-path="src/money/price.ts"][data-side=${side}][data-line="${line}"]`);

  test("[WEB-46] [WEB-49] [WEB-50] [WEB-53] files, lines and facts around them, with the office small beside", async () => {
    await using atrium = await openTestAtrium();
    await using web = await openWebPage(browser, { width: 1440, height: 900 });
    const { page, troubles } = web;
    await openChange(page, atrium);
    const grid = page.getByRole("grid", { name: "What changed, in 6 files" });
    await grid.waitFor();
    await keepPicture(page, "review-unified");
    assert.deepEqual([await seriousIssues(page), await unreachable(page), troubles], [[], [], []]);
    assert.equal(
      (await page.locator("[data-code=keyword]", { hasText: "export" }).count()) > 0,
      true,
    );
    assert.equal((await page.locator(".code-mark").count()) > 0, true);

    // What is folded is unfolded from the file, with the numbers of both sides.
    await page.getByRole("button", { name: "9 lines unchanged" }).click();
    await lines(page).first().getByText("// money").waitFor();
    assert.equal(await page.getByRole("button", { name: "9 lines unchanged" }).count(), 0);

    await page.getByRole("button", { name: "Side by side" }).click();
    await page.locator(".diff-list[data-layout=split]").waitFor();
    await keepPicture(page, "review-split");
    assert.deepEqual(await seriousIssues(page), []);
    await page.getByRole("button", { name: "Side by side" }).click();

    // Beside the lines: what to look at twice, what was left out, and how the checks went.
    const side = page.getByRole("complementary", { name: "Details" });
    assert.match(
      await side.innerText(),
      /Look at these twice[^]*price\.test\.ts[^]*\.env looks like a secret/,
    );
    await side.locator("summary", { hasText: "test" }).click();
    await side.getByText("1 test failed").waitFor();

    // A file by its name; a text as it reads; pictures beside each other; what is folded at first.
    const files = page.getByRole("navigation", { name: "Files" });
    await files.getByRole("button", { name: /README\.md/ }).click();
    await page.getByRole("button", { name: "As it reads" }).click();
    await page.locator(".rich-part[data-type=added] strong", { hasText: "cents" }).waitFor();
    await page.locator("img.file-picture").nth(1).waitFor();
    await page.getByText(/^After · PNG · 8\d B · SHA-256 [0-9a-f]{12}$/).waitFor();
    await keepPicture(page, "review-rendered");
    const lock = page.getByRole("button", { name: "Show or hide package-lock.json" });
    assert.equal(await lock.getAttribute("aria-expanded"), "false");
    await lock.click();
    await until(
      page,
      `document.querySelector('[aria-label="Show or hide package-lock.json"]').getAttribute("aria-expanded") === "true"`,
    );
    await page.getByRole("button", { name: "Show it anyway" }).click();
    await lines(page).getByText("{}").waitFor();

    // What was looked at is folded and counted, also after a reload.
    await page.getByLabel("Viewed README.md").check();
    await files.getByText("1 of 6 files viewed").waitFor();
    await page.reload();
    await files.getByText("1 of 6 files viewed").waitFor();
    assert.deepEqual([await seriousIssues(page), troubles], [[], []]);
    await page.getByRole("button", { name: "Back to the office" }).click();
    await page.locator(".review").waitFor({ state: "detached" });
    assert.equal(await page.locator(".office-stage[inert]").count(), 0);
  });

  test("[WEB-48] [WEB-51] by mouse: lines are commented on, drafts stay, and one request takes them all along", async () => {
    await using atrium = await openTestAtrium();
    await using web = await openWebPage(browser, { width: 1440, height: 900 });
    const { page, troubles } = web;
    const { sent, artifactId } = await openChange(page, atrium);
    await number(page, "new", 11).click();
    await page.getByLabel("Comment on line 11").fill("What about negative amounts?");
    await page.getByRole("button", { name: "Keep comment" }).click();

    const [from, to] = [number(page, "new", 15), number(page, "new", 16)];
    const [a, b] = [await from.boundingBox(), await to.boundingBox()];
    assert.ok(a !== null && b !== null);
    await page.mouse.move(a.x + 9, a.y + 9);
    await page.mouse.down();
    await page.mouse.move(b.x + 9, b.y + 9, { steps: 4 });
    await page.mouse.up();
    const field = page.getByLabel("Comment on lines 15 to 16");
    await field.fill("Say it in the name.");
    await page.getByRole("button", { name: "Suggest other lines" }).click();
    const text = await field.inputValue();
    assert.equal(
      text,
      "Say it in the name.\n\n```suggestion\n  // Cents, never dollars.\n  let sum = 0n;\n```\n",
    );
    await field.fill(text.replace("  // Cents, never dollars.\n  let sum", "  let cents"));
    await keepPicture(page, "review-comments");
    assert.deepEqual([await seriousIssues(page), troubles], [[], []]);

    await page.reload();
    await page.getByText("What about negative amounts?").first().waitFor();
    await page.getByText("2 comments are sent with your request for changes.").waitFor();
    await page.getByRole("button", { name: /^Request changes/ }).click();
    await page.getByLabel(/^What should change/).fill("Please see the lines.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("not sent yet").first().waitFor({ state: "detached" });
    const asked = sent.filter(({ name }) => name === "request_changes");
    assert.deepEqual(asked, [
      {
        name: "request_changes",
        data: {
          artifact_id: artifactId,
          expected_version: 1,
          instructions: "Please see the lines.",
          comments: [
            {
              path: "src/money/price.ts",
              side: "new",
              line: 11,
              end_line: 11,
              text: "What about negative amounts?",
            },
            {
              path: "src/money/price.ts",
              side: "new",
              line: 15,
              end_line: 16,
              text: "Say it in the name.\n\n```suggestion\n  let cents = 0n;\n```",
            },
          ],
        },
      },
    ]);
  });

  test("[WEB-47] by keyboard alone: lines, changes, files, a comment on several lines, viewed, help, changes and approval", async () => {
    await using atrium = await openTestAtrium();
    await using web = await openWebPage(browser, { width: 1440, height: 900 });
    const { page, troubles } = web;
    const { sent } = await openChange(page, atrium);
    const { keyboard } = page;
    const current = page.locator(".diff-space > [data-current]");
    await keyboard.press("n");
    assert.match(await current.innerText(), /cents \/ 100;$/);
    await keyboard.press("j");
    await current.getByText("toFixed").waitFor();
    await keyboard.press("n");
    await current.getByText("let sum = 0;").waitFor();
    await keyboard.press("p");
    await current
      .getByText('"$" + cents'.replaceAll('"', ""))
      .or(current.getByText("cents / 100;"))
      .first()
      .waitFor();
    await keyboard.press("j");
    await keyboard.press("Shift+J");
    assert.equal(await page.locator(".diff-space > [data-chosen]").count(), 2);
    await keyboard.press("c");
    await page.getByLabel("Comment on lines 11 to 12").waitFor();
    await keyboard.type("Round it.");
    await keyboard.press("Control+Enter");
    await page.locator(".comment.is-draft", { hasText: "Round it." }).waitFor();
    // The keys that keep a comment approve nothing.
    assert.ok(sent.every(({ name }) => name !== "approve_artifact"));
    await keyboard.press("]");
    await current.getByText("price.test.ts").first().waitFor();
    await keyboard.press("v");
    await page.getByText("1 of 6 files viewed").waitFor();
    await keyboard.press("[");
    await keyboard.press("j");
    await keyboard.press("e");
    await lines(page).first().getByText("// money").waitFor();
    await keyboard.press("s");
    await page.locator(".diff-list[data-layout=split]").waitFor();
    await keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    assert.deepEqual(await seriousIssues(page), []);
    await keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
    await keyboard.press("r");
    await keyboard.type("a and r are letters here");
    await keyboard.press("Escape");
    await keyboard.press("Control+Enter");
    await page
      .getByText("Reviewed by")
      .or(page.getByText(/approved/))
      .first()
      .waitFor();
    assert.deepEqual(
      sent.map(({ name }) => name).filter((name) => /artifact|changes/.test(name)),
      ["approve_artifact"],
    );
    await keyboard.press("Escape");
    await page.locator(".review").waitFor({ state: "detached" });
    assert.deepEqual(troubles, []);
  });

  test("[WEB-54] in the next version a comment stands where its lines are now, with what became of it", async () => {
    await using atrium = await openTestAtrium();
    await using web = await openWebPage(browser, { width: 1440, height: 900 });
    const { page } = web;
    const said = {
      path: "src/money/price.ts",
      side: "new",
      version: 0,
      by: "Ada",
      at: 17e11,
      code: ["  let total = 0;"],
    };
    const place = { path: "src/money/price.ts", line: 16, end_line: 16, state: "moved" };
    const change: ActedChange = {
      ...CHANGE,
      comments: [
        {
          ...said,
          comment_id: "c1",
          line: 5,
          end_line: 5,
          text: "Use big numbers.",
          place,
          answer: "It is a bigint now.",
        },
        {
          ...said,
          comment_id: "c2",
          line: 6,
          end_line: 6,
          text: "Name it.",
          place: {
            ...place,
            line: 12,
            end_line: 12,
            state: "same",
          },
        },
        {
          ...said,
          comment_id: "c3",
          line: 9,
          end_line: 9,
          text: "Is this needed?",
          place: {
            ...place,
            line: 9,
            end_line: 9,
            state: "outdated",
          },
        },
      ],
    };
    await openChange(page, atrium, () => change);
    const comment = (text: string) => page.locator(".diff-list .comment", { hasText: text });
    await comment("Use big numbers.").getByText("addressed").waitFor();
    await comment("Use big numbers.").getByText("It is a bigint now.").waitFor();
    await comment("Name it.").getByText("not addressed").waitFor();
    assert.equal(await comment("Is this needed?").count(), 0);
    const gone = page
      .getByRole("complementary")
      .locator(".comment", { hasText: "Is this needed?" });
    assert.match(await gone.innerText(), /its lines are gone[^]*let total = 0;/);
    await keepPicture(page, "review-answers");
    assert.deepEqual(await seriousIssues(page), []);
  });

  test("[WEB-38] [WEB-49] on a phone the review is all there is; nothing is cut off, also in German and at night", async () => {
    await using atrium = await openTestAtrium();
    await using web = await openWebPage(browser, {
      width: 360,
      height: 740,
      language: "de-DE",
      preferences: { theme: "night" },
    });
    const { page, troubles } = web;
    await openChange(page, atrium);
    await keepPicture(page, "review-phone");
    assert.deepEqual([await unreachable(page), await seriousIssues(page), troubles], [[], [], []]);
    await page.getByRole("button", { name: "Einzelheiten" }).click();
    await page.getByText("Hier zweimal hinsehen").waitFor();
    await keepPicture(page, "review-phone-details");
    assert.deepEqual(await seriousIssues(page), []);
  });

  test("[WEB-52] of three thousand files and of fifty thousand lines only what is in sight is in the page", async () => {
    await using atrium = await openTestAtrium();
    await using web = await openWebPage(browser, { width: 1440, height: 900 });
    const { page } = web;
    const added = Array.from({ length: 50_000 }, (_, at) => `+const line${at} = ${at};`);
    const patch = `@@ -0,0 +1,50000 @@\n${added.join("\n")}\n`;
    const many = Array.from({ length: 3_000 }, (_, at) => ({
      path: `src/part${at % 30}/file${at}.ts`,
      patch: "@@ -1 +1,2 @@\n const a = 1;\n+const b = 2;\n",
    }));
    const files = [
      ...CHANGE.files,
      { path: "src/zz/long.ts", how: "added", added: 50_000, patch },
      ...many,
    ];
    await openChange(page, atrium, () => ({ files }));
    const rows = (): Promise<number> => page.locator(".diff-space > *").count();
    assert.ok((await rows()) < 120);
    assert.ok((await page.locator(".changed-tree li").count()) < 80);
    await page
      .getByRole("navigation", { name: "Files" })
      .getByRole("button", { name: /long\.ts/ })
      .click();
    await lines(page).getByText("line7 = 7;").waitFor();
    assert.ok((await rows()) < 120);
    await page.keyboard.press("]");
    await until(page, `document.querySelector(".diff-list").scrollTop > 1_000_000`);
    assert.ok((await rows()) < 120);
    await page.keyboard.press("[");
    await page.keyboard.press("[");
    await page.keyboard.press("j");
  });
});
