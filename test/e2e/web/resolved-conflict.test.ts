/** A version that resolves a conflict, in a real browser: what its agent made of both sides is seen against the conflict. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import {
  enterOffice,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
} from "../../kit/web-page.ts";
import { openShop } from "../../kit/workshop.ts";

const skip = skipWithoutBrowser || skipWithout("git");
const SCRIPT = `cat > /dev/null
if grep -q '<<<<<<<' made.txt 2> /dev/null; then echo both > made.txt; exit; fi
echo "$ATRIUM_TASK_ID" > made.txt`;

test(
  "[WEB-53] a version that resolves a conflict is compared with the conflict, and the first version is not",
  { skip },
  async () => {
    await using shop = await openShop({
      runtimes: { worker: { type: "command", command: ["/bin/sh", "-c", SCRIPT] } },
      agents: ["agent_eng_1", "agent_eng_2"].map((id) => ({ id, runtime: "worker" })),
    });
    const { peer, atrium } = shop;
    const [first = "", second = ""] = await shop.request("Make it", "shop");
    const delivered = async (taskId: string, version: number): Promise<string> => {
      const { payload } = await peer.first(
        ({ payload: each }) =>
          each.name === "artifact_delivered" && each.task_id === taskId && each.version === version,
      );
      return payload.artifact_id;
    };
    const [one, two] = [await delivered(first, 1), await delivered(second, 1)];
    await peer.ask("approve_artifact", { artifact_id: one });
    await peer.event("change_landed");
    await peer.ask("approve_artifact", { artifact_id: two });
    await delivered(second, 2);

    await using browser = await launchBrowser();
    await using web = await openWebPage(browser, { width: 1440, height: 900 });
    const { page, troubles } = web;
    await enterOffice(page, atrium);
    await page.goto(new URL(`/?show=artifact:${two}`, atrium.url).href);
    const line = (text: string) => page.locator(".row-line", { hasText: text }).first();
    await line("both").waitFor();
    const against = page.getByLabel("Compare with");
    await against.selectOption({ label: "the conflict it resolves" });
    await line("<<<<<<<").waitFor();
    await line(second).waitFor();
    assert.deepEqual(await seriousIssues(page), []);

    await page.getByLabel(/^Version/).selectOption("1");
    await line("<<<<<<<").waitFor({ state: "detached" });
    await line(second).waitFor();
    assert.equal(await against.inputValue(), "");
    assert.equal(await against.locator("option", { hasText: "conflict" }).count(), 0);
    assert.deepEqual([troubles, atrium.faults], [[], []]);
  },
);
