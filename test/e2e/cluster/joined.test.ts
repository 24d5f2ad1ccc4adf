/** Sessions that people start in their terminals, where several nodes serve one log: they report to one of them. */
import assert from "node:assert/strict";
import { mkdir, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestCluster, untilMet, type TestNode } from "../../kit/atrium-cluster.ts";
import { openHookedSession } from "../../kit/hooked-session.ts";
import { joinedAgent, joinedIn } from "../../kit/joined-office.ts";
import { openSightedHome } from "../../kit/sighted-session.ts";
import { openToolSession } from "../../kit/tool-session.ts";
import { makeBusyRepository, writeSettings } from "../../kit/workshop.ts";
import { enterWorld, type WorldPeer } from "../../kit/world-peer.ts";

const noCurl = skipWithout("curl");
const skip = noCurl || skipWithout("git");
const ENV = { PATH: process.env["PATH"] ?? "" };
const BASH = { tool_name: "Bash", tool_input: { command: "touch tide.txt" }, tool_use_id: "t1" };

async function untilHere(peer: WorldPeer, ...names: readonly string[]): Promise<void> {
  const isIt = (message: Parameters<typeof joinedIn>[0]): boolean =>
    message.type === "snapshot" &&
    JSON.stringify(joinedIn(message).map(({ name }) => name)) === JSON.stringify(names);
  const last = peer.told("snapshot").at(-1);
  if (last === undefined || !isIt(last)) await peer.next(isIt);
}

async function sessionEntries({ log }: TestNode): Promise<readonly string[]> {
  const entries = await Array.fromAsync(log.read());
  return entries
    .filter(({ stream }) => stream.startsWith("joined-session/"))
    .map(({ type, data }) => {
      const { details } = data as { details?: { node?: string } };
      return details === undefined ? type : `${type} ${details.node}`;
    });
}

test(
  "[JOIN-75] [JOIN-77] a session is the same at every node, and leaves when its process ends at the one that it reports to",
  { skip: noCurl },
  async () => {
    await using cluster = await openTestCluster({ nodes: 2 });
    await untilMet(cluster);
    const [director, other] = [await cluster.director(), await cluster.other()];
    await using peer = await enterWorld(director);
    // Of a node whose processes nobody sees from here.
    const details = { program: "codex", folder: "/home/eve/far", process: "999999:1", node: "z" };
    const rest = { model: null, owner: "eve", branch: null, canAsk: true };
    const far = { type: "joined-session.joined", at: Date.now() };
    await other.log.append("joined-session/far", 0, [
      { ...far, data: { details: { ...details, ...rest } } },
    ]);
    await using session = await openHookedSession({ home: other.home });
    await session.hook("SessionStart", { model: "fake-model" });
    await untilHere(peer, "Codex · far", "Claude Code · shop");
    await session.hook("UserPromptSubmit", { prompt: "Note the tide" });
    await session.hook("PreToolUse", BASH);
    const isWorking = (status: string): boolean => status === "working";
    const { joined } = await joinedAgent(
      peer,
      ({ status, joined: { doing } }) => isWorking(status) && doing !== undefined,
    );
    assert.equal(joined.doing, "Bash: touch tide.txt");
    await using late = await enterWorld(director);
    const seenLate = await joinedAgent(late, ({ name }) => name.startsWith("Claude"));
    assert.equal(seenLate.joined.doing, "Bash: touch tide.txt");
    session.kill();
    await untilHere(peer, "Codex · far");
    assert.deepEqual(await sessionEntries(director), [
      "joined-session.joined z",
      `joined-session.joined ${other.name}`,
      "joined-session.activity_changed",
      "joined-session.left",
    ]);
  },
);

test(
  "[JOIN-75] a turn that was cancelled is seen at the node of its session",
  { skip: noCurl || (process.platform === "linux" ? false : "reads /proc") },
  async () => {
    await using home = openSightedHome();
    const listed = await home.open();
    await using cluster = await openTestCluster({ nodes: 2, env: home.env });
    await untilMet(cluster);
    const [director, other] = [await cluster.director(), await cluster.other()];
    await using peer = await enterWorld(director);
    const pid = { CLAUDE_PID: String(listed.pid) };
    await using session = await openHookedSession({ home: other.home, env: pid });
    await session.hook("SessionStart");
    listed.says("busy");
    await session.hook("UserPromptSubmit", { prompt: "Note the tide" });
    await joinedAgent(peer, ({ status }) => status === "working");
    listed.says("idle");
    await peer.next((message) => joinedIn(message).some(({ status }) => status === "idle"));
  },
);

test(
  "[JOIN-75] a session in files that several nodes read is seen by one of them, and goes with its process",
  { skip: process.platform === "linux" ? false : "reads /proc" },
  async () => {
    await using home = openSightedHome();
    const session = await home.open();
    const settings = { sightings: { "claude-code": true } };
    await using cluster = await openTestCluster({ nodes: 2, env: home.env, settings });
    await untilMet(cluster);
    const director = await cluster.director();
    await using peer = await enterWorld(director);
    await untilHere(peer, "Claude Code · shop");
    session.says("busy");
    await joinedAgent(peer, ({ status }) => status === "working");
    await session.kill();
    await untilHere(peer);
    const entries = await sessionEntries(director);
    const named = new Set(entries.flatMap((entry) => entry.split(" ")[1] ?? []));
    assert.equal(named.size, 1, entries.join(", "));
    assert.equal(entries.filter((entry) => entry.startsWith("joined-session.joined")).length, 1);
  },
);

test(
  "[JOIN-78] a session takes, reads, reports and hands over a task at a node that does not direct",
  { skip },
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-shop-"));
    const repository = makeBusyRepository(join(folder.path, "repository"));
    await writeSettings(folder.path, {
      repository,
      agents: [{ id: "agent_eng_1", runtime: "planner" }],
    });
    const file = await readFile(join(folder.path, "atrium.config.json"), "utf8");
    const settings = JSON.parse(file) as unknown;
    await using cluster = await openTestCluster({ nodes: 2, settings, env: ENV });
    await untilMet(cluster);
    const [director, other] = [await cluster.director(), await cluster.other()];
    await using peer = await enterWorld(director);
    const planned = peer.event("tasks_created");
    const finished = peer.event("kickoff_finished");
    await peer.ask("submit_request", { text: "Note the tide", repository: "shop" });
    const [{ task_id: taskId }] = (await planned).payload.tasks;
    await finished;
    await using session = await openToolSession({ home: other.home });
    await session.hooks.hook("SessionStart");
    assert.match(await session.call("take_task", { task_id: taskId }), /^Error: .*join --tasks/);
    // As `atrium join --tasks` does, on the machine of the session only.
    await mkdir(join(other.home, "joined"), { recursive: true });
    await writeFile(join(other.home, "joined", "may-take-tasks"), "");
    assert.match(await session.call("list_tasks"), new RegExp(`^${taskId}: `));
    const brief = await session.call("take_task", { task_id: taskId });
    const [, place] = /You work in the folder (\S+),/.exec(brief) ?? [];
    assert.ok(place !== undefined && place.startsWith(cluster.shared), brief);
    assert.equal(await session.call("my_task"), brief);
    await writeFile(join(place, "tide.txt"), "high\n");
    const told = peer.event("task_progress");
    await session.call("report_progress", { text: "Looking at the sea", percent: 40 });
    assert.equal((await told).payload.preview_text, "Looking at the sea");
    const review = peer.event("review_requested");
    assert.match(await session.call("hand_over_task", { summary: "Noted." }), /^Handed over/);
    const [artifact_id] = (await review).payload.artifact_ids;
    await peer.ask("request_changes", { artifact_id, instructions: "Say low." });
    while (!(await session.call("my_task")).includes("Say low.")) await setTimeout(50);
    // The message reaches the session where its hooks are.
    const hook = await session.hooks.hook("UserPromptSubmit", { prompt: "Hi" });
    assert.match(JSON.parse(hook).hookSpecificOutput.additionalContext, /came back.*my_task/);
    assert.match(await session.call("release_task", { reason: "No time" }), /^Given back/);
    // And a person gives it to the session, at the node that directs.
    const { agent_id } = await joinedAgent(peer, ({ joined }) => joined.takes_tasks === true);
    await peer.ask("assign_task", { task_id: taskId, agent_id });
    let given = "";
    while (given === "") given = await session.hooks.hook("UserPromptSubmit", { prompt: "Hi" });
    assert.match(JSON.parse(given).hookSpecificOutput.additionalContext, new RegExp(taskId));
    for (const { faults } of [director, other]) assert.deepEqual(faults, []);
  },
);
