/** A session that was started in a terminal, as the page shows it. */
import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { answerByKeys } from "../../kit/answer-in-page.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openHookedSession } from "../../kit/hooked-session.ts";
import { joinedAgent } from "../../kit/joined-office.ts";
import { enterOffice, launchBrowser, openWebPage, skipWithoutBrowser } from "../../kit/web-page.ts";
import { openShop } from "../../kit/workshop.ts";
import { enterWorld, plannedProject, type WorldMessage } from "../../kit/world-peer.ts";

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

  test("[JOIN-66] a task is given to a joined session that can take it: from a list, on the team, in the picture", async () => {
    await using atrium = await openTestAtrium();
    await using peer = await enterWorld(atrium);
    const { tasks } = await plannedProject(peer);
    await using claude = await openHookedSession({ home: atrium.home });
    await claude.hook("SessionStart", { model: "fake-model" });
    await using gemini = await openHookedSession({ home: atrium.home, program: "gemini" });
    await gemini.hook("SessionStart", { source: "startup" });
    const able = await joinedAgent(peer, ({ name }) => name === "Claude Code · shop");
    const unable = await joinedAgent(peer, ({ name }) => name === "Gemini CLI · shop");
    await using opened = await openWebPage(browser, {
      height: 1200,
      preferences: { invitation: "dismissed" },
    });
    const { page, troubles } = opened;
    await enterOffice(page, atrium);
    await page.getByRole("link", { name: "Tasks" }).click();
    const cards = page.locator("[data-status=planned] .board-card");
    await cards.nth(tasks.length - 1).waitFor();
    const list = cards.first().locator("select");
    assert.equal(await list.locator(`option[value="${able.agent_id}"]`).count(), 1);
    assert.equal(await list.locator(`option[value="${unable.agent_id}"]`).count(), 0);
    await page.locator(".team-member", { hasText: able.name }).waitFor();
    assert.equal(await page.locator(".team-member", { hasText: unable.name }).count(), 0);
    const assigned = (): Promise<WorldMessage> =>
      peer.next(({ payload: { name, agent_id } }) => {
        return name === "task_assigned" && agent_id === able.agent_id;
      });
    const released = (taskId: string): Promise<WorldMessage> =>
      peer.next(({ payload: { name, task_id } }) => name === "task_assigned" && task_id === taskId);
    const chosen = `option[value="${able.agent_id}"]:checked`;
    const giveAway = async (taskId: string): Promise<void> => {
      await page.locator(chosen).waitFor({ state: "attached" });
      const elsewhere = released(taskId);
      await peer.ask("reassign_task", { task_id: taskId, agent_id: "agent_eng_1" });
      await elsewhere;
      // A card that moves while it is dragged is dropped nowhere.
      await page.locator(chosen).waitFor({ state: "detached" });
    };
    let given = assigned();
    await list.selectOption(able.agent_id);
    await giveAway((await given).payload.task_id);
    given = assigned();
    const card = cards.first();
    const sourcePosition = { x: 14, y: 16 };
    await card.dragTo(page.locator(".team-member", { hasText: able.name }), { sourcePosition });
    await giveAway((await given).payload.task_id);
    const bodyOf = (id: string) => page.locator(`[data-agent="${id}"] .floor-plan-body`);
    await card.hover({ position: sourcePosition });
    await page.mouse.down();
    await bodyOf(unable.agent_id).hover({ force: true });
    assert.equal(await page.locator(".floor-plan-receiver").count(), 0);
    given = assigned();
    await bodyOf(able.agent_id).hover({ force: true });
    await page.locator(".floor-plan-receiver").waitFor();
    await page.mouse.up();
    await given;
    assert.deepEqual(troubles, []);
  });

  test("[JOIN-67] task and agent show the command that takes the session into a terminal, while that is possible", async () => {
    const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-attachable-"));
    const command = join(folder.path, "codex");
    // It never answers, so that its turn is under way.
    writeFileSync(command, "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
    await using shop = await openShop({
      runtimes: { codex: { type: "codex", command, cwd: folder.path } },
      agents: [{ id: "agent_eng_1", runtime: "codex" }],
    });
    const [taskId] = await shop.request("Note the tide", "shop");
    await using opened = await openWebPage(browser, { preferences: { invitation: "dismissed" } });
    const { page, troubles } = opened;
    await enterOffice(page, shop.atrium);
    const shown = page.getByText(`atrium attach ${taskId}`, { exact: true });
    for (const place of [`task:${taskId}`, "agent:agent_eng_1"]) {
      await page.goto(new URL(`/?show=${place}`, shop.atrium.url).href);
      await shown.waitFor();
      await page.getByRole("button", { name: "Copy: Go on in a terminal" }).waitFor();
    }
    await shop.peer.ask("cancel_task", { task_id: taskId, confirm: true });
    await shown.waitFor({ state: "detached" });
    assert.deepEqual(troubles, []);
    folder.remove();
  });
});
