/** The real Copilot CLI, started by hand in a terminal, with the plugin that `atrium join` installs. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { joinedAgent, nobodyJoined } from "../../kit/joined-office.ts";
import { startServer } from "../../kit/server-process.ts";
import { enterWorld } from "../../kit/world-peer.ts";
import { copilot } from "../kit/copilot-program.ts";
import { rememberFiles } from "../kit/folder-files.ts";
import { answerInOffice, leaveWhileWorking, openJoinedStage, submit } from "../kit/joined-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";
import { WRITTEN_BY_COPILOT } from "../kit/written-by-programs.ts";

const needed = findAgentProgram("copilot-1.0.102");
const { skip } = needed;

test(
  "[JOIN-35] [JOIN-70] Copilot CLI started by hand is in the office, is asked there if its user wants that, and takes a message",
  { skip },
  async () => {
    await using stage = await openJoinedStage(copilot(needed.path()));
    const { project } = stage;
    const settings = stage.settings(".copilot/settings.json", '{\n   "theme":   "dark" }\n');
    const files = rememberFiles(join(stage.userHome, ".copilot"), WRITTEN_BY_COPILOT);
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
    files.assertUnchanged();
    const state = readFileSync(join(stage.userHome, ".copilot/config.json"), "utf8");
    assert.ok(!state.includes("atrium@"), state);
  },
);
