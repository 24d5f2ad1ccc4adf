/** The real Gemini CLI, started by hand in a terminal, with the hooks that `atrium join` writes into its settings. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openGeminiServer } from "../../kit/gemini-server.ts";
import { joinedAgent, nextJoined, nobodyJoined } from "../../kit/joined-office.ts";
import { startServer } from "../../kit/server-process.ts";
import { enterWorld } from "../../kit/world-peer.ts";
import { askedInContents } from "../kit/agent-stage.ts";
import { rememberFiles } from "../kit/folder-files.ts";
import {
  leaveWhileWorking,
  openJoinedStage,
  submit,
  type HandStartedProgram,
} from "../kit/joined-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";
import { WRITTEN_BY_GEMINI } from "../kit/written-by-programs.ts";

const needed = findAgentProgram("gemini-cli-0.61.0");
const { skip } = needed;

function gemini(folder: string): HandStartedProgram {
  return {
    command: "gemini",
    call: [process.execPath, join(folder, "bundle/gemini.js")],
    runs: (command) => ({ name: "run_shell_command", input: { command, description: "as told" } }),
    async openModel(answer) {
      const model = await openGeminiServer((body) => answer(askedInContents(body)));
      return {
        env: { GEMINI_API_KEY: "not-a-key", GOOGLE_GEMINI_BASE_URL: model.url },
        heard: () => JSON.stringify(model.requests),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
  };
}

const SETTINGS = `{
    // as the user likes it
    "security": { "auth":   { "selectedType": "gemini-api-key" } },
    "ui": {"hideTips": true} }
`;

test(
  "[JOIN-36] [JOIN-70] Gemini CLI started by hand is in the office, asks in its terminal, and takes a message",
  { skip },
  async () => {
    await using stage = await openJoinedStage(gemini(needed.path()));
    const settings = stage.settings(".gemini/settings.json", SETTINGS);
    // Someone who has worked in this folder before.
    const trusted = JSON.stringify({ [stage.project]: "TRUST_FOLDER" });
    stage.settings(".gemini/trustedFolders.json", trusted);
    const files = rememberFiles(join(stage.userHome, ".gemini"), WRITTEN_BY_GEMINI);
    const joined = await stage.cli("join", "gemini", "--ask-here");
    assert.equal(joined.code, 0, joined.stderr);
    await using server = await startServer(stage.home);
    await using peer = await enterWorld(server);
    await using terminal = stage.start();
    const came = await joinedAgent(peer, () => true);
    assert.equal(came.name, "Gemini CLI · project");
    assert.equal(came.joined.owner, "ann");
    assert.deepEqual([came.joined.can_ask, came.joined.answer_places], [false, ["terminal"]]);
    await terminal.shows(/Type your message/);
    // The office sees that it asks; the answer is the terminal's.
    await submit(terminal, "Run: touch typed.txt");
    await joinedAgent(peer, ({ status }) => status === "asks");
    await terminal.shows(/Allow execution/);
    const rested = nextJoined(peer, ({ status }) => status === "idle");
    terminal.type("\r");
    await rested;
    assert.ok(existsSync(join(stage.project, "typed.txt")));
    await leaveWhileWorking(stage, peer, terminal);
    await submit(terminal, "/quit");
    await nobodyJoined(peer);
    const left = await stage.cli("leave");
    assert.equal(left.code, 0, left.stderr);
    assert.ok(settings.isAsBefore());
    files.assertUnchanged();
  },
);
