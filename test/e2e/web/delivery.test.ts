/** From checks to a branch in a person's repository, in a real browser: real git, a real sandbox. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import {
  enterOffice,
  keepPicture,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  unreachable,
} from "../../kit/web-page.ts";
import { git, modelOn, openShop, works } from "../../kit/workshop.ts";

const skip = skipWithoutBrowser || skipWithoutSandbox() || skipWithout("git");
const PRICE = "export const price = 100;\n";
const writes = works(
  ["read", { path: "src/price.ts" }],
  ["write", { path: "src/price.ts", content: PRICE }],
);
const CHECKS = [{ name: "price", command: ["sh", "-c", "echo looking; grep 100 src/price.ts"] }];

describe("delivery in the page", { skip }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[WEB-65] [WEB-66] [WEB-67] checked, approved, merged, and delivered as a branch with what to type", async () => {
    await using model = await openModelServer(writes);
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [{ id: "agent_eng_1", runtime: "local" }],
      checks: CHECKS,
    });
    await using web = await openWebPage(browser, { width: 1440, height: 1000 });
    const { page, troubles } = web;
    page.setDefaultTimeout(30_000);
    await enterOffice(page, shop.atrium);
    const [taskId = ""] = await shop.request("Give it a price", "shop");
    const made = (await shop.peer.event("artifact_delivered")).payload;
    await page.goto(new URL("/?show=board", shop.atrium.url).href);
    await page.locator(".board-card").getByText("Checks passed").waitFor();
    await page.goto(new URL(`/?show=task:${taskId}`, shop.atrium.url).href);
    await page.locator(".check summary", { hasText: "price" }).click();
    await page.locator(".terminal-text").getByText("looking").waitFor();
    await keepPicture(page, "task-checks");
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);

    const head = git(shop.repository, "rev-parse", "HEAD");
    const { artifact_id, version } = made;
    await shop.peer.ask("approve_artifact", { artifact_id, expected_version: version });
    await page.getByRole("heading", { name: "Merged" }).waitFor();
    await page.getByRole("button", { name: "Revert this change" }).waitFor();
    await keepPicture(page, "task-merged");

    const need = page.locator(".need[data-kind=delivery]");
    await need.getByText("Deliver?").waitFor();
    await need.getByRole("button", { name: /^Open/ }).click();
    const panel = page.locator(".panel");
    await panel.getByLabel("How").waitFor();
    assert.equal(await panel.getByLabel("How").inputValue(), "branch");
    await panel.getByRole("button", { name: "Deliver", exact: true }).click();
    const merge = panel.getByRole("group", { name: "Take it over" });
    await merge.waitFor();
    const branch = (await merge.innerText()).replace(/^git merge /, "").trim();
    await keepPicture(page, "delivered");
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
    assert.match(git(shop.repository, "show", `${branch}:src/price.ts`), /100/);
    assert.equal(git(shop.repository, "rev-parse", "HEAD"), head);
    await need.waitFor({ state: "detached" });

    await page.goto(new URL("/?show=trophies", shop.atrium.url).href);
    await page.getByText(/1 of 1 checks passed · delivered: /).waitFor();
    await keepPicture(page, "trophy-delivered");
    assert.deepEqual([troubles, shop.atrium.faults], [[], []]);
  });
});
