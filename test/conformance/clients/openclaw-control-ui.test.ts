/** The real web client (Control UI), served by our server, in a real browser. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openPage } from "../kit/browser.ts";
import { findChromium, findOpenClaw } from "../kit/peer.ts";
import { openStage, type StageOptions } from "../kit/stage.ts";
import { isTurnEnd } from "../kit/wiretap.ts";

const openclaw = findOpenClaw("2026.9.6");
const chromium = findChromium();
const skip = openclaw.skip || chromium.skip;
/** Where to keep a picture of what the browser drew, for a person to look at. */
const screenshots = process.env["ATRIUM_SCREENSHOTS"];

test(
  "[CONF-11] the Control UI shows the history, sends a message and draws the reply",
  { skip },
  async () => {
    await using stage = await openStage(openclaw, options());
    await using peer = await stage.server.connect();
    await peer.ask("chat.inject", { sessionKey: "main", message: "said before the browser came" });
    await using browser = await openPage(chromium.path());
    const { page } = browser;
    await page.goto(`${stage.url}#token=${stage.server.token}`);
    await page.getByText("said before the browser came").first().waitFor();
    await say(page, "[[say: pong 42 in the browser]]");
    await page.getByText("pong 42 in the browser", { exact: true }).first().waitFor();
    const sent = stage.wire.frames.find(({ method }) => method === "chat.send");
    assert.equal(sent?.params.message, "[[say: pong 42 in the browser]]");
    await page.screenshot({ path: join(screenshots ?? stage.home, "control-ui.png") });
    assert.deepEqual(browser.troubles, []);
  },
);

test(
  "[CONF-11] the Control UI draws a reply as it comes, and its stop button ends the turn",
  { skip },
  async () => {
    await using stage = await openStage(openclaw, options());
    await using browser = await openPage(chromium.path());
    const { page } = browser;
    await page.goto(`${stage.url}#token=${stage.server.token}`);
    await say(page, "[[say: the first words]] [[hang]]");
    await page.getByText("the first words", { exact: true }).first().waitFor();
    const stop = page.getByRole("button", { name: "Stop generating" });
    await stop.click();
    await stop.waitFor({ state: "hidden" });
    await stage.wire.first(isTurnEnd);
    const ends = stage.wire.frames.filter(isTurnEnd);
    assert.deepEqual(
      ends.map(({ payload }) => payload.state),
      ["aborted"],
    );
    assert.deepEqual(browser.troubles, []);
  },
);

test(
  "[CONF-11] the pages of the Control UI are refused nothing, and say nothing of unknown methods",
  { skip },
  async () => {
    await using stage = await openStage(openclaw, options());
    await using browser = await openPage(chromium.path());
    const { page } = browser;
    await page.goto(`${stage.url}#token=${stage.server.token}`);
    await say(page, "[[say: before the tour]]");
    await page.getByText("before the tour", { exact: true }).first().waitFor();
    for (const [path, text] of [
      ["nodes", "Paired devices"],
      ["channels", "Connected channels"],
      ["cron", "No automations yet"],
      ["usage", "Daily Token Usage"],
      ["skills", "No skills found."],
      ["debug", "Snapshots"],
    ] as const) {
      await page.goto(`${stage.url}${path}`);
      await page.getByText(text).first().waitFor();
      await page.waitForLoadState("networkidle");
      assert.doesNotMatch(await page.locator("body").innerText(), /unknown method/, path);
      await page.screenshot({ path: join(screenshots ?? stage.home, `control-ui-${path}.png`) });
    }
    assert.deepEqual(stage.wire.refused(), []);
    assert.deepEqual(browser.troubles, []);
  },
);

test(
  "[CONF-35] a setting that is changed on the Control UI's page of settings is in effect and in the file",
  { skip },
  async () => {
    await using stage = await openStage(openclaw, options());
    await using browser = await openPage(chromium.path());
    const { page } = browser;
    await page.goto(`${stage.url}#token=${stage.server.token}`);
    await page.getByRole("textbox", { name: "Chat composer" }).waitFor();
    await page.goto(`${stage.url}config`);
    await page.getByRole("link", { name: "Advanced" }).click();
    const field = page.getByRole("spinbutton", { name: "Meeting Ms" });
    await field.fill("7");
    await field.blur();
    const asked = await stage.wire.first(({ method }) => method === "config.set");
    const answered = await stage.wire.first(({ type, id }) => type === "res" && id === asked.id);
    assert.equal(answered.ok, true, JSON.stringify(answered));
    assert.equal(answered.payload.config.office.meetingMs, 7);
    const file = await readFile(join(stage.home, "../server/atrium.config.json"), "utf8");
    assert.deepEqual(JSON.parse(file), { office: { meetingMs: 7 } });
    assert.deepEqual(browser.troubles, []);
  },
);

function options(): StageOptions {
  const files = join(openclaw.path(), "dist/control-ui");
  return { client: "Control UI", serverArgs: ["--web", files] };
}

async function say(page: Page, text: string): Promise<void> {
  const composer = page.getByRole("textbox", { name: "Chat composer" });
  await composer.fill(text);
  await composer.press("Enter");
}
