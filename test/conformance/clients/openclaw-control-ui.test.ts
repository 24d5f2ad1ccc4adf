/** The real web client (Control UI), served by our server, in a real browser. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openPage } from "../kit/browser.ts";
import { findChromium, findOpenClaw } from "../kit/peer.ts";
import { openStage } from "../kit/stage.ts";

const openclaw = findOpenClaw("2026.9.6");
const chromium = findChromium();
const skip = openclaw.skip || chromium.skip;
/** Where to keep a picture of what the browser drew, for a person to look at. */
const screenshots = process.env["ATRIUM_SCREENSHOTS"];

test(
  "[CONF-30] the Control UI shows the history, sends a message and draws the reply",
  { skip },
  async () => {
    await using stage = await openStage(openclaw, {
      client: "Control UI",
      serverArgs: ["--web", join(openclaw.path(), "dist/control-ui")],
    });
    await using peer = await stage.server.connect();
    await peer.ask("chat.inject", { sessionKey: "main", message: "said before the browser came" });
    await using browser = await openPage(chromium.path());
    const { page } = browser;
    await page.goto(`${stage.url}#token=${stage.server.token}`);
    await page.getByText("said before the browser came").first().waitFor();

    const composer = page.getByRole("textbox", { name: "Chat composer" });
    await composer.fill("[[say: pong 42 in the browser]]");
    await composer.press("Enter");
    await page.getByText("pong 42 in the browser", { exact: true }).first().waitFor();
    const sent = stage.wire.frames.find(({ method }) => method === "chat.send");
    assert.equal(sent?.params.message, "[[say: pong 42 in the browser]]");
    await page.screenshot({ path: join(screenshots ?? stage.home, "control-ui.png") });
    assert.deepEqual(browser.troubles, []);
  },
);
