/** A session that was started in a terminal, as the page shows it. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { answerByKeys } from "../../kit/answer-in-page.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openHookedSession } from "../../kit/hooked-session.ts";
import { enterOffice, launchBrowser, openWebPage, skipWithoutBrowser } from "../../kit/web-page.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const skip = skipWithoutBrowser || skipWithout("curl");

describe("joined sessions in the page", { skip }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  test("[JOIN-11] a joined session has a panel, from which a message reaches it", async () => {
    await using atrium = await openTestAtrium();
    await using peer = await enterWorld(atrium);
    await using session = await openHookedSession({ home: atrium.home });
    await session.hook("SessionStart", { model: "fake-model" });
    await session.hook("UserPromptSubmit", { prompt: "Note the tide" });
    await session.hook("PreToolUse", { tool_name: "Bash", tool_input: { command: "date" } });
    const { payload } = await peer.first(
      (message) => message.type === "snapshot" && JSON.stringify(message).includes("agent_joined_"),
    );
    const [, agentId = ""] = /"(agent_joined_\w+)"/.exec(JSON.stringify(payload)) ?? [];
    await using opened = await openWebPage(browser);
    const { page, troubles } = opened;
    await enterOffice(page, atrium);
    await page.goto(new URL(`/?show=agent:${agentId}`, atrium.url).href);
    await page.getByRole("heading", { name: "Claude Code · shop" }).waitFor();
    for (const text of ["fake-model", "ann", "Bash: date", "/home/ann/shop"]) {
      await page.getByText(text, { exact: true }).first().waitFor();
    }
    await page.getByText("It gets this with the result of the tool it uses next").waitFor();
    await page.getByLabel("Leave a message").fill("Mind the neap tides.");
    await page.getByRole("button", { name: "Leave", exact: true }).click();
    await page.getByText("waits", { exact: true }).waitFor();
    const told = await session.hook("PostToolUse", {
      tool_name: "Bash",
      tool_input: { command: "date" },
    });
    assert.match(told, /Mind the neap tides\./);
    await page.getByText("delivered with the result of a tool").waitFor();
    assert.deepEqual(troubles, []);
  });

  test("[JOIN-6] what a joined session asks is allowed and denied by keys in the page, and its hook says so", async () => {
    await using atrium = await openTestAtrium();
    await using session = await openHookedSession({ home: atrium.home });
    await session.hook("SessionStart", { model: "fake-model" });
    await session.hook("UserPromptSubmit", { prompt: "Note the tide" });
    await using opened = await openWebPage(browser, { preferences: { invitation: "dismissed" } });
    const { page, troubles } = opened;
    await enterOffice(page, atrium);
    for (const [key, behavior] of [
      ["y", "allow"],
      ["n", "deny"],
    ] as const) {
      const command = `echo ${behavior} > tide.txt`;
      const input = { tool_name: "Bash", tool_input: { command } };
      const asking = session.start("PermissionRequest", input);
      await answerByKeys(page, command, key);
      assert.match(await asking.output, new RegExp(`"behavior":"${behavior}"`));
    }
    assert.deepEqual(troubles, []);
  });
});
