/** A change from the run that made it to the line it lands on, reviewed in a real browser: real git, real checks. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { openModelServer, type ModelRequest } from "../../kit/model-server/model-server.ts";
import {
  enterOffice,
  keepPicture,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
} from "../../kit/web-page.ts";
import { modelOn, openShop, works } from "../../kit/workshop.ts";

const skip = skipWithoutBrowser || skipWithoutSandbox() || skipWithout("git");
const ENG = { id: "agent_eng_1", runtime: "local" };
const FIRST = `/** In cents. */
export const price = 100;

export function total(count: number): number {
  return count * price;
}
`;

const first = works(
  ["read", { path: "src/price.ts" }],
  ["write", { path: "src/price.ts", content: FIRST }],
  ["write", { path: "docs/price.md", content: "# Price\n\nOne dollar.\n" }],
);
const second = (commentId: string) =>
  works(
    ["read", { path: "src/price.ts" }],
    [
      "edit",
      { path: "src/price.ts", old: "/** In cents. */", new: "/** A price. */\n// In cents." },
    ],
    ["edit", { path: "src/price.ts", old: "count * price", new: "Math.round(count * price)" }],
    ["answer_comment", { commentId, text: "It is rounded now." }],
  );

/** Writes once; asked again, it does what the comment says and answers it. */
function develops(request: ModelRequest): Behavior {
  const { messages } = request.body;
  const again = messages.findLastIndex(
    ({ role, content }: { role: string; content: unknown }) =>
      role === "user" && JSON.stringify(content).includes("What about halves?"),
  );
  if (again === -1) return first(request);
  // The other comment is only a suggestion, which it does not take over.
  const asked = /(cmt_\w+), by [^,]+, on src\/price\.ts, line 5 /.exec(
    JSON.stringify(messages[again]),
  );
  const commentId = asked?.[1] ?? "";
  return second(commentId)({
    ...request,
    body: { ...request.body, messages: messages.slice(again) },
  });
}

describe("a change in the page", { skip }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[WEB-46] [WEB-48] [WEB-50] [WEB-51] [WEB-53] [WEB-54] made, commented on, made again, held against the first version, resolved, mended by hand, approved and merged", async () => {
    await using model = await openModelServer(develops);
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [ENG],
    });
    await using web = await openWebPage(browser, { width: 1440, height: 900 });
    const { page, troubles } = web;
    page.setDefaultTimeout(30_000);
    await enterOffice(page, shop.atrium);
    const [taskId = ""] = await shop.request("Give it a price", "shop");
    await shop.peer.ask("edit_task", { task_id: taskId, accept: ["Halves are rounded"] });
    const { artifact_id: id } = (await shop.peer.event("artifact_delivered")).payload;
    await page.goto(new URL(`/?show=artifact:${id}`, shop.atrium.url).href);
    const lines = page.locator(".row-line");
    await lines.getByText("count * price").first().waitFor();
    await page.getByRole("heading", { name: "What the agent says" }).waitFor();
    await page.getByText("Made.", { exact: true }).waitFor();
    await page.getByText("Tools and words", { exact: true }).click();
    await page.locator(".review .calls").getByText("write").first().waitFor();
    await keepPicture(page, "change-first");

    await page.locator('[data-path="src/price.ts"][data-side=new][data-line="5"]').click();
    await page.getByLabel("Comment on line 5").fill("What about halves?");
    await page.locator('[data-path="src/price.ts"][data-side=new][data-line="2"]').click();
    const cheaper = "```suggestion\nexport const price = 90;\n```";
    await page.getByLabel("Comment on line 2").fill(cheaper);
    await page.getByRole("button", { name: /^Request changes/ }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const isSecond = ({ payload }: { payload: { name?: string; version?: number } }): boolean =>
      payload.name === "artifact_delivered" && payload.version === 2;
    await shop.peer.first(isSecond);

    // Whoever reads the first version stays there, and goes on to the second by a press.
    await page.getByRole("button", { name: "Go to version 2" }).click();
    const comment = page.locator(".diff-list .comment", { hasText: "What about halves?" });
    await comment.getByText("It is rounded now.").waitFor();
    await comment.getByText("addressed", { exact: true }).waitFor();
    await lines.getByText("Math.round").first().waitFor();
    await page.getByLabel("Compare with").selectOption("1");
    await lines.getByText("// In cents.").waitFor();
    await page.getByLabel("Halves are rounded").check();
    await keepPicture(page, "change-second");
    assert.deepEqual([await seriousIssues(page), troubles], [[], []]);

    // What was suggested and not taken over is put in its place now; what was answered is done with.
    await page.getByLabel("Compare with").selectOption("");
    await comment.getByRole("button", { name: "Resolve" }).click();
    await comment.getByText("resolved", { exact: true }).waitFor();
    const suggestion = page.locator(".diff-list .comment", { hasText: "price = 90" });
    await suggestion.getByText("not addressed", { exact: true }).waitFor();
    await suggestion.getByRole("button", { name: "Apply it now" }).click();
    await lines.getByText("export const price = 90;").waitFor();
    assert.equal(await page.getByLabel(/^Version/).inputValue(), "3");
    assert.equal(await comment.getByRole("button", { name: "Resolve" }).count(), 0);

    // What a person suggests is put in its place at once, as a version of their own.
    await page.locator('[data-path="src/price.ts"][data-side=new][data-line="1"]').click();
    await page.getByLabel("Comment on line 1").fill("```suggestion\n/** A price in cents. */\n```");
    await page.getByRole("button", { name: "Keep comment" }).click();
    await page.getByRole("button", { name: "Apply it now" }).click();
    await lines.getByText("/** A price in cents. */").waitFor();
    assert.equal(await page.getByLabel(/^Version/).inputValue(), "4");

    await page.keyboard.press("Control+Enter");
    await page.getByText("This change is part of the project.").waitFor();
    await keepPicture(page, "change-landed");
    await page.getByRole("button", { name: "Take the change back" }).click();
    await page.getByRole("button", { name: "Really take it back?" }).click();
    await page.getByText("This change was taken back.").waitFor();
    assert.deepEqual([troubles, shop.atrium.faults], [[], []]);
  });
});
