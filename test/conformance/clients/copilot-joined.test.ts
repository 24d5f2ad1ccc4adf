/** The real Copilot CLI, started by hand in a terminal, with the plugin that `atrium join` installs. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { joinedAgent, nobodyJoined } from "../../kit/joined-office.ts";
import { startServer } from "../../kit/server-process.ts";
import { enterWorld } from "../../kit/world-peer.ts";
import { openChatModel } from "../kit/agent-stage.ts";
import {
  answerInOffice,
  leaveWhileWorking,
  openJoinedStage,
  submit,
  type HandStartedProgram,
} from "../kit/joined-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";

const needed = findAgentProgram("copilot-1.0.102");
const { skip } = needed;

function copilot(folder: string): HandStartedProgram {
  return {
    command: "copilot",
    call: [process.execPath, join(folder, "npm-loader.js")],
    runs: (command) => ({ name: "bash", input: { command, description: "as told" } }),
    async openModel(answer, home) {
      const model = await openChatModel(answer);
      return {
        env: {
          COPILOT_OFFLINE: "true",
          COPILOT_PROVIDER_BASE_URL: model.baseUrl,
          COPILOT_PROVIDER_API_KEY: "not-a-key",
          COPILOT_MODEL: "test-model",
          COPILOT_HOME: join(home, ".copilot"),
        },
        heard: () => JSON.stringify(model.requests.map(({ body }) => body)),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
  };
}

test(
  "[JOIN-35] Copilot CLI started by hand is in the office, is asked there if its user wants that, and takes a message",
  { skip },
  async () => {
    await using stage = await openJoinedStage(copilot(needed.path()));
    const { project } = stage;
    const settings = stage.settings(".copilot/settings.json", '{\n   "theme":   "dark" }\n');
    const joined = await stage.cli("join", "copilot", "--ask-here");
    assert.equal(joined.code, 0, joined.stderr);
    await using server = await startServer(stage.home);
    await using peer = await enterWorld(server);
    await using terminal = stage.start();
    await terminal.shows(/Do you trust the files/);
    terminal.type("\r");
    await terminal.shows(/Manual Approval/);
    // It begins its session with the first prompt.
    await submit(terminal, "Run: touch allowed.txt");
    const came = await joinedAgent(peer, () => true);
    assert.equal(came.name, "Copilot CLI · project");
    assert.equal(came.joined.owner, "ann");
    assert.deepEqual(came.joined.answer_places, ["office"]);
    await answerInOffice(peer, "touch allowed.txt", "Allow");
    assert.ok(existsSync(join(project, "allowed.txt")));
    await submit(terminal, "Run: touch denied.txt");
    await answerInOffice(peer, "touch denied.txt", "Deny");
    assert.ok(!existsSync(join(project, "denied.txt")));
    await leaveWhileWorking(stage, peer, terminal);
    await submit(terminal, "/exit");
    await nobodyJoined(peer);
    const left = await stage.cli("leave");
    assert.equal(left.code, 0, left.stderr);
    assert.ok(settings.isAsBefore());
  },
);
