/** The real Qwen Code, started by hand in a terminal, with the plugin that `atrium join` installs. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { joinedAgent, nobodyJoined } from "../../kit/joined-office.ts";
import { startServer } from "../../kit/server-process.ts";
import { enterWorld } from "../../kit/world-peer.ts";
import { rememberFiles } from "../kit/folder-files.ts";
import { answerInOffice, leaveWhileWorking, openJoinedStage, submit } from "../kit/joined-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";
import { qwen } from "../kit/qwen-program.ts";
import { WRITTEN_BY_QWEN } from "../kit/written-by-programs.ts";

const needed = findAgentProgram("qwen-code-0.24.4");
const { skip } = needed;

test(
  "[JOIN-34] [JOIN-70] Qwen Code started by hand is in the office, is asked there if its user wants that, and takes a message",
  { skip },
  async () => {
    await using stage = await openJoinedStage(qwen(needed.path()));
    const { project } = stage;
    const settings = stage.settings(
      ".qwen/settings.json",
      '{\n   "ui": {"theme":  "Qwen Dark"} }\n',
    );
    const files = rememberFiles(join(stage.userHome, ".qwen"), WRITTEN_BY_QWEN);
    const joined = await stage.cli("join", "qwen", "--ask-here");
    assert.equal(joined.code, 0, joined.stderr);
    await using server = await startServer(stage.home);
    await using peer = await enterWorld(server);
    await using terminal = stage.start("--approval-mode", "default");
    const came = await joinedAgent(peer, () => true);
    assert.equal(came.name, "Qwen Code · project");
    assert.equal(came.joined.owner, "ann");
    assert.deepEqual(came.joined.answer_places, ["office"]);
    await terminal.shows(/Type your message[\s\S]*Ask permissions/);
    await submit(terminal, "Run: touch allowed.txt");
    await answerInOffice(peer, "touch allowed.txt", "Allow");
    assert.ok(existsSync(join(project, "allowed.txt")));
    await submit(terminal, "Run: touch denied.txt");
    await answerInOffice(peer, "touch denied.txt", "Deny");
    assert.ok(!existsSync(join(project, "denied.txt")));
    await leaveWhileWorking(stage, peer, terminal);
    await submit(terminal, "/quit");
    await nobodyJoined(peer);
    const left = await stage.cli("leave");
    assert.equal(left.code, 0, left.stderr);
    assert.ok(settings.isAsBefore());
    files.assertUnchanged();
    assert.ok(!existsSync(join(stage.userHome, ".qwen/extensions/atrium")));
    assert.ok(!existsSync(join(stage.userHome, ".qwen/extension-store/state.json")));
  },
);
