/** Connecting an agent and changing the crew, in a real browser, by mouse and keyboard. */
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { askSettings } from "../../kit/settings.ts";
import {
  enterOffice,
  keepPicture,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  unreachable,
} from "../../kit/web-page.ts";

const KEY = "key-0123456789abcdef";

/** Speaks as much of ACP as one answer takes. */
const GREETER = `
import { createInterface } from "node:readline";
const send = (frame) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...frame }) + "\\n");
const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }),
  "session/new": () => ({ sessionId: "s" }),
  "session/prompt"({ sessionId }) {
    const content = { type: "text", text: "Hello from the program." };
    const update = { sessionUpdate: "agent_message_chunk", content };
    send({ method: "session/update", params: { sessionId, update } });
    return { stopReason: "end_turn" };
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined && method in answers) send({ id, result: answers[method](params) });
}
`;

async function openFolderWithAgent() {
  const folder = await mkdtempDisposable(join(tmpdir(), "atrium-agents-"));
  const program = join(folder.path, "gemini");
  const version = '[ "$1" = --version ] && echo 0.61.0 && exit';
  const greeter = join(folder.path, "greeter.mjs");
  await writeFile(greeter, GREETER);
  await writeFile(program, `#!/bin/sh\n${version}\nexec ${process.execPath} ${greeter}\n`);
  await chmod(program, 0o755);
  return folder;
}

describe("agents in the page", { skip: skipWithoutBrowser }, () => {
  let browser: Browser;
  before(async () => void (browser = await launchBrowser()));
  after(() => browser.close());

  test("[PAGE-21] from the open page two clicks connect a found agent, and it answers", async () => {
    await using folder = await openFolderWithAgent();
    const env = { PATH: folder.path, HOME: folder.path, GEMINI_API_KEY: KEY };
    await using atrium = await openTestAtrium({ env });
    await using web = await openWebPage(browser, { width: 1280, height: 900 });
    const { page, troubles } = web;
    await enterOffice(page, atrium);
    await page.locator(".invitation").getByRole("link", { name: "Connect one" }).click();
    const panel = page.locator(".panel");
    const use = panel.getByRole("button", { name: "Use for the whole crew" });
    await use.waitFor();
    await panel.getByText("some ten thousand tokens").waitFor();
    await keepPicture(page, "connect-agent");
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
    await use.click();
    await panel.locator(".connect-answer").waitFor();
    await keepPicture(page, "connect-answered");
    assert.equal(await panel.locator(".connect-answer").innerText(), "Hello from the program.");
    const { values } = (await askSettings(atrium, "GET")).body;
    assert.equal(values.crewRuntime, "gemini");
    // Unwritten, the program's own settings would say what is asked.
    const crew = values.crew as { permissions?: string }[];
    assert.deepEqual([...new Set(crew.map(({ permissions }) => permissions))], ["sandbox"]);
    assert.deepEqual([await seriousIssues(page), troubles, atrium.faults], [[], [], []]);
  });

  test(
    "[PAGE-23] one that is not logged in is connected with a key, a repository and limits",
    { skip: skipWithout("git") },
    async () => {
      await using folder = await openFolderWithAgent();
      await using repository = await mkdtempDisposable(join(tmpdir(), "atrium-shop-"));
      await writeFile(join(repository.path, "README.md"), "# Shop\n");
      await using atrium = await openTestAtrium({
        env: { PATH: `${folder.path}:${process.env["PATH"]}`, HOME: folder.path },
      });
      await using web = await openWebPage(browser, { width: 1280, height: 1100 });
      const { page, troubles } = web;
      await enterOffice(page, atrium);
      await page.locator(".invitation").getByRole("link", { name: "Connect one" }).click();
      const panel = page.locator(".panel");
      await panel.getByRole("radio", { name: /^Gemini CLI/ }).check();
      await panel.getByText("Gemini CLI is started with --skip-trust").waitFor();
      const use = panel.getByRole("button", { name: "Use for this member" });
      await panel.getByLabel("Works for").selectOption("Eng 1");
      const may = panel.getByLabel("May do without asking");
      assert.equal(await may.inputValue(), "sandbox");
      await may.selectOption("ask");
      await panel.getByText("Repository and limits").click();
      await panel.getByLabel("Repository it may work on").fill(join(repository.path, "gone"));
      await panel.getByLabel("Ask me when a run costs more").fill("1.5");
      await panel.getByLabel("Ask me when a run takes more tokens").fill("90000");
      assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
      await use.click();
      assert.equal(await panel.getByRole("alert").count(), 0, "nothing is sent without a key");
      await panel.getByLabel("Key", { exact: true }).fill(KEY);
      await keepPicture(page, "connect-key");
      await use.click();
      await panel.getByRole("alert").waitFor();
      await panel.getByLabel("Repository it may work on").fill(repository.path);
      await panel.getByLabel("Key", { exact: true }).fill(KEY);
      await use.click();
      await panel.locator(".connect-answer").waitFor();
      assert.equal(await panel.getByLabel("Key", { exact: true }).inputValue(), "");
      const { values, keys } = (await askSettings(atrium, "GET")).body;
      const crew = values.crew as {
        id: string;
        runtime: string;
        permissions?: string;
        limits?: object;
      }[];
      const eng = crew.find(({ id }) => id === "agent_eng_1");
      assert.deepEqual(
        [eng?.runtime, eng?.limits],
        ["gemini", { run: { tokens: 90_000, cost: 1.5 } }],
      );
      assert.deepEqual(keys, [{ name: "GEMINI_API_KEY", source: "kept" }]);
      // A second time: what holds is shown, and what is chosen is written.
      assert.equal(eng?.permissions, "ask");
      assert.equal(await may.inputValue(), "ask");
      assert.equal(await panel.getByLabel("Ask me when a run costs more").inputValue(), "1.5");
      await may.selectOption("sandbox");
      await panel.getByLabel("Ask me when a run costs more").fill("");
      await panel.getByLabel("Repository it may work on").fill("");
      await panel.getByLabel("Key", { exact: true }).fill(KEY);
      await panel.getByLabel("Say hello afterwards").uncheck();
      await use.click();
      await panel.getByText("Gemini CLI works for you from now on.").waitFor();
      await panel.locator(".connect-answer").waitFor({ state: "detached" });
      const again = (await askSettings(atrium, "GET")).body.values.crew as {
        id: string;
        permissions?: string;
        limits?: object;
      }[];
      const { permissions, limits } = again.find(({ id }) => id === "agent_eng_1") ?? {};
      assert.deepEqual([permissions, limits], ["sandbox", { run: { tokens: 90_000 } }]);
      await using peer = await atrium.connect();
      const { repositories } = await peer.ask("repositories.list", {});
      assert.equal(repositories.length, 1);
      assert.ok(!(await page.content()).includes(KEY), "it is nowhere in the page");
      assert.deepEqual([await seriousIssues(page), troubles, atrium.faults], [[], [], []]);
    },
  );

  test("[PAGE-21] [PAGE-27] it says where a preset holds, and where for whole turns only", async () => {
    await using folder = await openFolderWithAgent();
    await writeFile(join(folder.path, "cline"), "#!/bin/sh\necho 3.0.65\n");
    await chmod(join(folder.path, "cline"), 0o755);
    const kept = join(folder.path, ".cline/data/settings");
    await mkdir(kept, { recursive: true });
    await writeFile(join(kept, "providers.json"), '{"lastUsedProvider":"anthropic"}');
    await using atrium = await openTestAtrium({ env: { PATH: folder.path, HOME: folder.path } });
    await using web = await openWebPage(browser, { width: 1280, height: 900 });
    const { page, troubles } = web;
    await enterOffice(page, atrium);
    await page.locator(".invitation").getByRole("link", { name: "Connect one" }).click();
    const panel = page.locator(".panel");
    await panel.getByRole("radio", { name: /^Cline/ }).check();
    const told = panel.getByText("asked once before each of its turns");
    const permissions = panel.getByLabel("May do without asking");
    await permissions.selectOption("ask");
    await told.waitFor();
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
    await permissions.selectOption("sandbox");
    assert.equal(await told.count(), 0);
    await panel.getByText("This holds where it works on a copy of a repository.").waitFor();
    const hint = await permissions.getAttribute("aria-describedby");
    assert.match((await page.locator(`[id="${hint}"]`).textContent()) ?? "", /^This holds where/);
    assert.deepEqual([troubles, atrium.faults], [[], []]);
  });

  test("[PAGE-22] a member is added, changed and removed by keyboard, and the office follows", async () => {
    await using atrium = await openTestAtrium();
    await using web = await openWebPage(browser, { width: 1280, height: 1200 });
    const { page, troubles } = web;
    await enterOffice(page, atrium);
    await page.getByRole("link", { name: "Settings" }).first().click();
    const card = page.locator("#agents");
    await card.getByRole("button", { name: "Add a member" }).press("Enter");
    await card.getByLabel("ID", { exact: true }).fill("ops");
    await card.getByLabel("Name", { exact: true }).fill("Olga");
    await card.getByLabel("Role", { exact: true }).fill("operator");
    await card.getByRole("combobox", { name: "Desk" }).selectOption("8");
    await keepPicture(page, "crew-add");
    assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
    await card.getByLabel("Role", { exact: true }).press("Enter");
    await card.getByText("operator · rehearsal · Desk 8").waitFor();
    await card.getByRole("button", { name: "Edit Eng 1" }).press("Enter");
    await card.getByRole("combobox", { name: "Desk" }).selectOption("8");
    await card.getByRole("button", { name: "Save" }).press("Enter");
    await card
      .getByText("agent_ops and agent_eng_1")
      .or(card.getByText("both at desk 8"))
      .waitFor();
    await card.getByRole("button", { name: "Cancel" }).press("Enter");
    await card.getByRole("button", { name: "Edit Olga" }).press("Enter");
    await card.getByLabel("Name", { exact: true }).fill("Olga B");
    await card.getByRole("button", { name: "Another look for Olga B" }).press("Enter");
    await keepPicture(page, "crew-edit");
    await card.getByRole("combobox", { name: "Desk" }).selectOption("");
    await card.getByLabel("May do without asking").selectOption("sandbox");
    await card.getByRole("button", { name: "Save" }).press("Enter");
    await card.getByText("Olga B").waitFor();
    const crew = async () =>
      (await askSettings(atrium, "GET")).body.values.crew as {
        id: string;
        name: string;
        look?: number;
        desk?: number;
        permissions?: string;
      }[];
    const olga = (await crew()).find(({ id }) => id === "agent_ops");
    assert.deepEqual(
      [olga?.name, olga?.look, olga?.desk, olga?.permissions],
      ["Olga B", 1, undefined, "sandbox"],
    );
    await card.getByRole("button", { name: "Edit Olga B" }).press("Enter");
    await card.getByRole("button", { name: "Remove Olga B from the crew" }).press("Enter");
    await page.getByText("Olga B has left the crew.").first().waitFor();
    assert.ok(!(await crew()).some(({ id }) => id === "agent_ops"));
    await keepPicture(page, "crew");
    assert.deepEqual([await seriousIssues(page), troubles, atrium.faults], [[], [], []]);
  });
});
