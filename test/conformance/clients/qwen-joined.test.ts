/** The real Qwen Code, started by hand in a terminal, with the plugin that `atrium join` installs. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { joinedAgent, nobodyJoined, type JoinedAgent } from "../../kit/joined-office.ts";
import { startServer, type ServerProcess } from "../../kit/server-process.ts";
import { enterWorld } from "../../kit/world-peer.ts";
import { rememberFiles } from "../kit/folder-files.ts";
import { answerInOffice, leaveWhileWorking, openJoinedStage, submit } from "../kit/joined-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";
import { qwen } from "../kit/qwen-program.ts";
import { WRITTEN_BY_QWEN } from "../kit/written-by-programs.ts";

const needed = findAgentProgram("qwen-code-0.24.4");
const { skip } = needed;
/** A server that was started again looks at its sessions within two seconds. */
const SENT_AGAIN_MS = 4_000;

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

test(
  "[CONF-47] Qwen Code in a terminal, idle, is woken by a message over its socket, and has its folder back when it leaves",
  { skip },
  async () => {
    await using stage = await openJoinedStage(qwen(needed.path()));
    const folder = join(stage.userHome, ".qwen");
    stage.settings(".qwen/settings.json", '{\n   "ui": {"theme":  "Qwen Dark"} }\n');
    const files = rememberFiles(folder, WRITTEN_BY_QWEN);
    const added = await stage.cli("join", "qwen", "--wake");
    assert.equal(added.code, 0, added.stderr);
    assert.match(added.stdout, /Messages wake idle ones/);
    const kept = readFileSync(join(stage.home, "joined", "qwen-controller.json"), "utf8");
    const { token } = JSON.parse(kept);
    assert.ok(!`${added.stdout}${added.stderr}`.includes(token));
    await using opened = new AsyncDisposableStack();
    const start = async (): Promise<ServerProcess> => opened.use(await startServer(stage.home));
    let server = await start();
    let peer = opened.use(await enterWorld(server));
    await using terminal = stage.start("--approval-mode", "default");
    await terminal.shows(/Type your message/);
    const canWake = ({ joined: { message_moments: moments }, status }: JoinedAgent): boolean =>
      status === "idle" && moments.includes("wake");
    const { agent_id } = await joinedAgent(peer, canWake);
    const leave = (text: string): Promise<unknown> => peer.ask("leave_message", { agent_id, text });
    const isWoken = (at: number) => (agent: JoinedAgent) =>
      canWake(agent) && agent.joined.messages?.[at]?.moment === "wake";
    await leave("Mind the tides.");
    await joinedAgent(peer, isWoken(0));
    // While it cannot read, one server sends it, is killed, and the next one sends it again.
    const [name = ""] = readdirSync(join(folder, "sessions"));
    const pid = Number.parseInt(name, 10);
    process.kill(pid, "SIGSTOP");
    await leave("Mind the wind.");
    await joinedAgent(peer, ({ joined }) => joined.messages?.[1]?.offered_at !== undefined);
    await server.end("SIGKILL");
    server = await start();
    peer = opened.use(await enterWorld(server));
    await setTimeout(SENT_AGAIN_MS);
    process.kill(pid, "SIGCONT");
    await joinedAgent(peer, isWoken(1));
    await submit(terminal, "What was it?");
    await terminal.shows(/Done\./);
    const last: unknown = JSON.parse(stage.model.heard()).at(-1);
    for (const text of ["Mind the tides.", "Mind the wind."]) {
      assert.equal(JSON.stringify(last).split(text).length - 1, 1, text);
    }
    for (const place of [terminal.drawn(), stage.model.heard()]) assert.ok(!place.includes(token));
    await submit(terminal, "/quit");
    await nobodyJoined(peer);
    const left = await stage.cli("leave");
    assert.equal(left.code, 0, left.stderr);
    files.assertUnchanged();
    assert.ok(!existsSync(join(stage.home, "joined", "qwen-controller.json")));
  },
);
