/** MCP servers and skills of agents and repositories, set in a real browser. */
import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { makeRepository } from "../../kit/git-repository.ts";
import { askSettings, readFileOf } from "../../kit/settings.ts";
import { makeSkill } from "../../kit/tides/tides.ts";
import {
  enterOffice,
  keepPicture,
  launchBrowser,
  openWebPage,
  seriousIssues,
  skipWithoutBrowser,
  unreachable,
} from "../../kit/web-page.ts";

describe(
  "what agents bring, in the page",
  { skip: skipWithoutBrowser || skipWithout("git") },
  () => {
    let browser: Browser;
    before(async () => void (browser = await launchBrowser()));
    after(() => browser.close());

    test("[PAGE-26] servers and skills of a member and of a repository are set and removed", async () => {
      await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-brought-"));
      const skill = makeSkill(folder.path);
      const path = await makeRepository(join(folder.path, "shop"), { "till.txt": "12\n" });
      await using atrium = await openTestAtrium({
        env: { PATH: process.env["PATH"] ?? "", DOCS_KEY: "sk-docs-0123456789" },
        settings: {
          runtimes: { script: { type: "command", command: ["/bin/cat"] } },
          agents: [
            { id: "agent_bd", name: "BD", role: "front desk" },
            { id: "agent_eng_1", name: "Eng 1", role: "engineer", runtime: "script" },
          ],
        },
      });
      const headers = {
        authorization: `Bearer ${atrium.token}`,
        "content-type": "application/json",
      };
      const body = JSON.stringify({ path, id: "shop" });
      const added = await fetch(new URL("/api/repositories", atrium.url), {
        method: "POST",
        headers,
        body,
      });
      assert.ok(added.ok, await added.text());
      await using web = await openWebPage(browser, { width: 1280, height: 1400 });
      const { page, troubles } = web;
      await enterOffice(page, atrium);
      await page.getByRole("link", { name: "Settings" }).first().click();
      const crew = page.locator("#agents");
      await crew.getByRole("button", { name: "Edit BD" }).press("Enter");
      await crew.getByText("MCP servers and skills").click();
      await crew.getByText("Its runtime takes no MCP servers.").waitFor();
      await crew.getByText("Its runtime takes no skills.").waitFor();
      await crew.getByRole("button", { name: "Cancel" }).press("Enter");

      await crew.getByRole("button", { name: "Edit Eng 1" }).press("Enter");
      const own = crew.locator(".brought");
      await own.getByText("MCP servers and skills").click();
      await own.getByRole("button", { name: "Add an MCP server" }).press("Enter");
      await own.getByLabel("Name", { exact: true }).fill("docs");
      await own.getByLabel("Program", { exact: true }).fill("docs-mcp");
      await own.getByLabel("Arguments, one in each line").fill("--all\n--key-file=k-1");
      await own.getByLabel("Environment variables that it gets").fill("NO_SUCH_KEY");
      await own.getByRole("button", { name: "Save" }).press("Enter");
      await own.getByText("NO_SUCH_KEY is not set").waitFor();
      await own.getByLabel("Environment variables that it gets").fill("DOCS_KEY");
      await keepPicture(page, "brought-agent");
      assert.deepEqual([await seriousIssues(page), await unreachable(page)], [[], []]);
      await own.getByRole("button", { name: "Save" }).press("Enter");
      await own.getByRole("button", { name: "Change the MCP server docs" }).waitFor();
      await own.getByLabel("Folder of a skill, or of several").fill(folder.path);
      await own.getByRole("button", { name: "Add skills" }).press("Enter");
      await own.getByRole("button", { name: `Remove ${folder.path}` }).waitFor();
      await own.getByRole("button", { name: "Change the MCP server docs" }).press("Enter");
      await own.getByLabel("Program", { exact: true }).fill("other-mcp");
      await own.getByRole("button", { name: "Save" }).press("Enter");
      await own.getByRole("button", { name: "Change the MCP server docs" }).waitFor();
      const [, engineer] = JSON.parse(await readFileOf(atrium)).agents;
      const docs = { command: "other-mcp", args: ["--all", "--key-file=k-1"], env: ["DOCS_KEY"] };
      assert.deepEqual(engineer.mcpServers, { docs });
      assert.deepEqual(engineer.skills, [folder.path]);
      assert.doesNotMatch(await page.content(), /sk-docs|k-1/);
      await own.getByRole("button", { name: "Remove docs" }).press("Enter");
      await own.getByText("No MCP servers.").waitFor();

      const shop = page.locator(".repository").filter({ hasText: "shop" });
      await shop.getByText("MCP servers and skills").click();
      await shop.getByText("Their runtimes take no skills: BD.").waitFor();
      await shop.getByRole("button", { name: "Add an MCP server" }).press("Enter");
      await shop.getByLabel("Name", { exact: true }).fill("stock");
      await shop.getByLabel("It is").selectOption("address");
      await shop.getByRole("textbox", { name: "Address" }).fill("https://stock.example/mcp");
      await shop.getByLabel("Header", { exact: true }).fill("Authorization");
      await shop.getByLabel("Variable with its value").fill("DOCS_KEY");
      await keepPicture(page, "brought-repository");
      await shop.getByRole("button", { name: "Save" }).press("Enter");
      await shop.getByRole("button", { name: "Change the MCP server stock" }).waitFor();
      await shop.getByLabel("Folder of a skill, or of several").fill("/no/such/skill");
      await shop.getByRole("button", { name: "Add skills" }).press("Enter");
      await shop.getByText("/no/such/skill cannot be read").waitFor();
      await shop.getByLabel("Folder of a skill, or of several").fill(skill);
      await shop.getByRole("button", { name: "Add skills" }).press("Enter");
      await shop.getByRole("button", { name: `Remove ${skill}` }).waitFor();
      const { values } = (await askSettings(atrium, "GET")).body;
      assert.deepEqual(values.repositories.shop, { path, skills: [skill], mcpServers: ["stock"] });
      assert.deepEqual([await seriousIssues(page), troubles, atrium.faults], [[], [], []]);
    });
  },
);
