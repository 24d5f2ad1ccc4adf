/** The real Codex in its own terminal without a daemon, where its hooks alone ask people here. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { answerInPage } from "../../kit/answer-in-page.ts";
import { runCli } from "../../kit/cli-process.ts";
import { decision, joinedAgent, nextJoined } from "../../kit/joined-office.ts";
import { startServer } from "../../kit/server-process.ts";
import { skipWithoutBrowser } from "../../kit/web-page.ts";
import { enterWorld } from "../../kit/world-peer.ts";
import { endProcesses, openHandStartedCodex, press } from "../kit/codex-hand-started.ts";
import { rememberFiles } from "../kit/folder-files.ts";
import { submit } from "../kit/joined-stage.ts";
import { findCodex } from "../kit/peer.ts";
import { openTerminal } from "../kit/pseudo-terminal.ts";
import { WRITTEN_BY_CODEX } from "../kit/written-by-programs.ts";

const codex = findCodex();
const skip = codex.skip || skipWithoutBrowser;
const NO_DAEMON = "[features]\ndaemon_auto_start = false\n";

test(
  "[JOIN-72] [JOIN-70] Codex without a daemon asks in Atrium alone, and in its terminal once Atrium is killed",
  { skip },
  async () => {
    await using stage = await openHandStartedCodex(NO_DAEMON);
    const { work, codexHome, folder, env } = stage;
    const settings = join(codexHome, "config.toml");
    const before = readFileSync(settings, "utf8");
    const files = rememberFiles(codexHome, WRITTEN_BY_CODEX);
    const home = join(folder, "home");
    const joined = await runCli(["join", "codex", "--ask-here", "--home", home], { env });
    assert.equal(joined.code, 0, joined.stderr);
    const server = await startServer(home);
    const terminal = openTerminal(codex.path(), [], { cwd: work, env });
    try {
      const peer = await enterWorld(server);
      const asked = (file: string, wanted = "open") =>
        decision(peer, ({ prompt, status }) => prompt.includes(file) && status === wanted);
      await terminal.shows(/esc\s*skip/);
      await press(terminal, "2", /›\s*2/);
      terminal.type("\r");
      await terminal.shows(/shortcuts/);
      // Its hooks run from the first prompt on.
      await submit(terminal, "Run: touch by-office.txt");
      const first = await asked("by-office.txt");
      const came = await joinedAgent(peer, ({ status }) => status === "asks");
      assert.equal(came.agent_id, first.agent_id);
      assert.deepEqual(came.joined.answer_places, ["office"]);
      const rested = nextJoined(peer, ({ status }) => status === "idle");
      await answerInPage(server, "touch by-office.txt", "y");
      await rested;
      assert.ok(existsSync(join(work, "by-office.txt")));
      await terminal.shows(/Done\./);
      // Its own dialog was never there.
      assert.doesNotMatch(terminal.drawn(), /Yes, proceed/);
      await submit(terminal, "Run: touch denied.txt");
      await asked("denied.txt");
      const denied = nextJoined(peer, ({ status }) => status === "idle");
      await answerInPage(server, "touch denied.txt", "n");
      await denied;
      assert.ok(!existsSync(join(work, "denied.txt")));
      assert.doesNotMatch(terminal.drawn(), /Yes, proceed/);
      // Atrium is killed while someone is asked: the dialog opens, and its answer counts.
      await submit(terminal, "Run: touch by-terminal.txt");
      await asked("by-terminal.txt");
      await server.end("SIGKILL");
      await terminal.shows(/Yes, proceed/);
      terminal.type("y");
      while (!existsSync(join(work, "by-terminal.txt"))) await setTimeout(50);
      await terminal.shows(/Done\./);
      // While Atrium is away, nothing waits for it.
      await submit(terminal, "Run: touch alone.txt");
      await terminal.shows(/Yes, proceed/);
      terminal.type("y");
      while (!existsSync(join(work, "alone.txt"))) await setTimeout(50);
      await terminal.shows(/Done\./);
      await submit(terminal, "/exit");
    } finally {
      await terminal[Symbol.asyncDispose]();
      await server.end();
      await endProcesses(stage);
    }
    const left = await runCli(["leave", "codex", "--home", home], { env });
    assert.equal(left.code, 0, left.stderr);
    assert.equal(readFileSync(settings, "utf8"), before);
    files.assertUnchanged();
  },
);
