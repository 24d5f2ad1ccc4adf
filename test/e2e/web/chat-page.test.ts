/** Chat in a real browser, on the real server. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { openTestAtrium } from "../../kit/atrium.ts";
import {
  enterPage,
  keepPicture,
  launchBrowser,
  namesAndTargets,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  tabTo,
  writeMessage,
} from "../../kit/web-page.ts";

describe("the page of conversations", { skip: skipWithoutBrowser }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[PAGE-6] [PAGE-5] answers come as they are said, and are stopped", async () => {
    await using atrium = await openTestAtrium();
    await using web = await openWebPage(browser);
    const { page } = web;
    await enterPage(page, atrium, "/chat");
    await page.getByRole("combobox", { name: "Agent" }).selectOption({ label: "Eng 1" });
    await writeMessage(page, "[[say: One moment.]] [[hang]]");
    const saying = page.locator('[aria-busy="true"]');
    await saying.getByText("One moment.").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("stopped", { exact: true }).waitFor();
    await saying.waitFor({ state: "detached" });
    await page.getByLabel("Message", { exact: true }).fill("[[say: Here I am again.]]");
    await page.keyboard.press("Enter");
    const again = page.locator('.talk-line[data-who="agent"]:not([aria-busy])');
    await again.getByText("Here I am again.").waitFor();
    await page.reload();
    await again.getByText("Here I am again.").waitFor();
    assert.equal(await again.count(), 2);
    // Before the first word, too.
    await page.getByLabel("Message", { exact: true }).fill("[[hang]]");
    await page.keyboard.press("Enter");
    await saying.waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    const stopped = again.last().getByText("stopped", { exact: true });
    await saying.waitFor({ state: "detached" });
    await stopped.waitFor();
    assert.equal(await again.count(), 3);
    await page.reload();
    await stopped.waitFor();
    assert.equal(await again.count(), 3);
    assert.deepEqual(web.troubles, []);
  });

  test("[PAGE-6] [PAGE-9] [PAGE-10] files are attached, and permissions are given and denied, and questions answered, by button", async () => {
    await using atrium = await openTestAtrium();
    await using ada = await atrium.connect({ client: { displayName: "Ada" } });
    await using web = await openWebPage(browser);
    const { page } = web;
    await enterPage(page, atrium, "/chat");
    await page
      .getByLabel("Attach files")
      .setInputFiles([{ name: "plan.md", mimeType: "", buffer: Buffer.from("one\n") }]);
    await page.getByRole("button", { name: "Remove plan.md" }).waitFor();
    await writeMessage(
      page,
      "[[approve: shell npm publish]] [[approve: shell rm -r build]] [[ask: Who? | Me | You]]",
    );
    const talk = page.getByRole("log");
    await talk.getByText("plan.md, text/markdown, 4 B").waitFor();
    await page.getByText("npm publish", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Allow once" }).click();
    await page.getByText("rm -r build", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("button", { name: "You", exact: true }).click();
    await talk.getByText("Allowed: shell npm publish").waitFor();
    await talk.getByText("Denied: shell rm -r build").waitFor();
    await talk.getByText('You answered "Who?" with: You').waitFor();
    assert.equal(await page.locator(".chat-asked").count(), 0);

    // Someone else in the same talk, who said what they are called.
    const { sessions } = await ada.ask("sessions.list", {});
    const theirs = { sessionKey: sessions[0].key, message: "[[say: Hello, Ada.]]" };
    await ada.ask("chat.send", { ...theirs, idempotencyKey: "ada-1" });
    await talk.getByText("Hello, Ada.", { exact: true }).waitFor();
    const senders = await page.locator('.talk-line[data-who="person"] .talk-who').allInnerTexts();
    assert.deepEqual(
      senders.map((who) => who.split(" ")[0]),
      ["You", "Ada"],
    );

    // The same talk, with files: text is read, and what the agent cannot read is named.
    await page.getByLabel("Attach files").setInputFiles([
      { name: "tides.md", mimeType: "", buffer: Buffer.from("low\nhigh\n") },
      { name: "<b>pier</b>.png", mimeType: "image/png", buffer: Buffer.from([137, 80, 78, 71]) },
      { name: "sea.bin", mimeType: "", buffer: Buffer.alloc(5_000_001) },
    ]);
    await page.getByText("sea.bin is too large. The limit is 5 MB per file.").waitFor();
    await page.getByRole("button", { name: "Remove tides.md" }).waitFor();
    const message = page.getByLabel("Message", { exact: true });
    await message.focus();
    // As text, because these types know no document.
    await page.evaluate(
      'const clipboardData = new DataTransfer(); clipboardData.items.add(new File(["x"], "pasted.txt", { type: "text/plain" })); document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))',
    );
    await page.getByRole("button", { name: "Remove pasted.txt" }).click();
    await message.press("Enter");
    await talk.getByText("tides.md, text/markdown, 9 B").waitFor();
    await talk.getByText("<b>pier</b>.png, image/png, 4 B").waitFor();
    await talk.getByText("I have tides.md (2 lines).").waitFor();
    await talk.getByText(/I cannot read <b>pier<\/b>.png/).waitFor();
    assert.deepEqual(web.troubles, []);
  });

  test("[PAGE-7] a conversation is deleted by its button, after a question, and the server answers nothing of it", async () => {
    await using atrium = await openTestAtrium();
    await using operator = await atrium.connect();
    await using web = await openWebPage(browser);
    const { page } = web;
    await enterPage(page, atrium, "/chat");
    await writeMessage(page, "[[say: A walrus, whispered.]]");
    const talk = page.getByRole("log");
    await talk.getByText("A walrus, whispered.", { exact: true }).waitFor();
    const { sessions } = await operator.ask("sessions.list", {});
    const { key } = sessions[0];
    const list = page.locator(".list-rows");
    await list
      .getByText(/walrus/)
      .first()
      .waitFor();
    const button = page.getByRole("button", { name: "Delete", exact: true });
    // By keyboard alone; Escape and Cancel keep it.
    await tabTo(page, button);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Delete this conversation?" });
    await dialog.getByText("You cannot undo this.").waitFor();
    await dialog.getByText(/^This erases all messages, all attached and delivered files/).waitFor();
    await dialog.getByText(/^Projects keep their texts, tasks and results\./).waitFor();
    await keepPicture(page, "chat-delete");
    assert.deepEqual(await seriousIssues(page), []);
    assert.deepEqual(await namesAndTargets(page), []);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await button.click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    assert.match(JSON.stringify(await operator.ask("chat.history", { sessionKey: key })), /walrus/);
    await button.click();
    await dialog.getByRole("button", { name: "Delete permanently" }).click();
    await page.getByText("Conversation deleted.").waitFor();
    await list
      .getByText(/walrus/)
      .first()
      .waitFor({ state: "detached" });
    const answers = [
      await operator.ask("chat.history", { sessionKey: key }),
      await operator.ask("sessions.list", { includeLastMessage: true, includeDerivedTitles: true }),
    ];
    assert.doesNotMatch(JSON.stringify(answers), /walrus/);
    assert.deepEqual(web.troubles, []);
  });

  test("[PAGE-7] an agent's main conversation is emptied, in German too", async () => {
    await using atrium = await openTestAtrium();
    await using operator = await atrium.connect();
    const said = { sessionKey: "main", message: "[[say: A walrus.]]", idempotencyKey: "w1" };
    const { runId } = await operator.ask("chat.send", said);
    await operator.ask("agent.wait", { runId, timeoutMs: 30_000 });
    await using web = await openWebPage(browser, { language: "de-DE", width: 390 });
    const { page } = web;
    await enterPage(page, atrium, "/chat/agent%3Amain%3Amain");
    await page.getByRole("button", { name: "Leeren", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Dieses Gespräch leeren?" });
    await dialog.getByText(/^Das löscht alle Nachrichten/).waitFor();
    await dialog.getByText(/^Projekte behalten/).waitFor();
    await keepPicture(page, "chat-empty-de");
    await dialog.getByRole("button", { name: "Endgültig leeren" }).click();
    await page.getByText("Gespräch geleert.").waitFor();
    const { messages } = await operator.ask("chat.history", { sessionKey: "main" });
    assert.deepEqual(messages, []);
  });

  test("[PAGE-8] an agent's words do nothing but stand there", async () => {
    await using atrium = await openTestAtrium();
    await using web = await openWebPage(browser);
    const { page } = web;
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(request.url()));
    await enterPage(page, atrium, "/chat");
    const bad =
      '<img src="http://evil.test/a" onerror="document.title=1"> <script>document.title=2</script> ![x](http://evil.test/b) [go](javascript:document.title=3) end';
    await writeMessage(page, `[[say: ${bad}]]`);
    await page.locator('.talk-line[data-who="agent"]:not([aria-busy])').getByText("end").waitFor();
    assert.equal(await page.title(), "Chat · Atrium");
    assert.equal(await page.locator(".safe-text :is(img, script, a, iframe)").count(), 0);
    assert.deepEqual(
      asked.filter((url) => url.includes("evil.test")),
      [],
    );
  });
});
