/** Tasks in the hands of sessions that people started in a terminal, with a small MCP client as the program. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { runCli } from "../../kit/cli-process.ts";
import { openHookedSession } from "../../kit/hooked-session.ts";
import { joinedAgent, type JoinedAgent } from "../../kit/joined-office.ts";
import { startServer } from "../../kit/server-process.ts";
import { patchSettings } from "../../kit/settings.ts";
import { openSightedHome } from "../../kit/sighted-session.ts";
import { openToolSession, type ToolSession } from "../../kit/tool-session.ts";
import { makeBusyRepository, openShop, writeSettings, type Shop } from "../../kit/workshop.ts";
import { enterWorld, type WorldMessage, type WorldPeer } from "../../kit/world-peer.ts";

const skip = skipWithout("curl") || skipWithout("git");
const AGENTS = [{ id: "agent_eng_1", runtime: "planner" }];
const OTHER = "7a8e1f00-0193-4ab1-8989-3a62caec5a6b";

const named =
  (name: string, of: object = {}) =>
  ({ type, payload }: WorldMessage): boolean =>
    type === "event" &&
    payload.name === name &&
    Object.entries(of).every(([key, value]) => payload[key] === value);

/** A project with one open task. */
async function plan(peer: WorldPeer): Promise<string> {
  const [taskId] = await planAll(peer);
  return taskId;
}

/** One with as many as there are agents. */
async function planAll(peer: WorldPeer): Promise<[string, string]> {
  const planned = peer.next(named("tasks_created"));
  const finished = peer.next(named("kickoff_finished"));
  await peer.ask("submit_request", { text: "Note the tide", repository: "shop" });
  const { payload } = await planned;
  await finished;
  return payload.tasks.map(({ task_id }: { task_id: string }) => task_id);
}

/** As `atrium join --tasks` does. */
async function allow(home: string): Promise<void> {
  await mkdir(join(home, "joined"), { recursive: true });
  await writeFile(join(home, "joined", "may-take-tasks"), "");
}

async function openSession(home: string, sessionId?: string): Promise<ToolSession> {
  const session = await openToolSession({ home, ...(sessionId !== undefined && { sessionId }) });
  await session.hooks.hook("SessionStart", { model: "fake-model" });
  return session;
}

function folderIn(text: string): string {
  const [, folder] = /You work in the folder (\S+),/.exec(text) ?? [];
  assert.ok(folder, text);
  return folder;
}

async function closing(shop: Shop): Promise<void> {
  assert.deepEqual(shop.atrium.faults, []);
}

test(
  "[JOIN-40] [JOIN-41] a session takes an open task, works in its worktree, and hands it over as a change",
  { skip },
  async () => {
    await using shop = await openShop({ agents: AGENTS });
    const { home, peer } = shop;
    await allow(home);
    const taskId = await plan(peer);
    await using session = await openSession(home);
    await using other = await openSession(home, OTHER);
    assert.match(await session.call("list_tasks"), new RegExp(`^${taskId}: Work of agent_eng_1`));
    assert.match(await session.call("my_task"), /^Error: .*no task/);
    const assigned = peer.first(named("task_assigned"));
    const brief = await session.call("take_task", { task_id: taskId });
    const { payload } = await assigned;
    assert.match(payload.agent_id, /^agent_joined_s/);
    assert.equal(payload.by, undefined);
    assert.match(brief, /Note the tide/);
    assert.match(brief, /hand_over_task/);
    assert.equal(await session.call("my_task"), brief);
    assert.match(await other.call("take_task", { task_id: taskId }), /^Error: Someone else has/);
    assert.equal(await other.call("list_tasks"), "No task is open.");
    const folder = folderIn(brief);
    await writeFile(join(folder, "tide.txt"), "high\n");
    const told = peer.first(named("task_progress", { preview_text: "Looking at the sea" }));
    await session.call("report_progress", { text: "Looking at the sea", percent: 40 });
    assert.equal((await told).payload.percent, 40);
    const made = peer.first(named("artifact_created"));
    const review = peer.first(named("review_requested"));
    const handed = await session.call("hand_over_task", { summary: "The tide is noted." });
    assert.match(handed, /^Handed over/);
    const { payload: artifact } = await made;
    assert.equal(artifact.type, "change");
    assert.equal(artifact.change.files, 1);
    await review;
    const done = peer.first(named("task_done", { task_id: taskId }));
    await peer.ask("approve_artifact", { artifact_id: artifact.artifact_id });
    await done;
    assert.match(await session.call("my_task"), /^Error: .*no task/);
    await closing(shop);
  },
);

test(
  "[JOIN-41] what a reviewer wants changed comes back to the session, which is told of it",
  { skip },
  async () => {
    await using shop = await openShop({ agents: AGENTS });
    const { home, peer } = shop;
    await allow(home);
    const taskId = await plan(peer);
    await using session = await openSession(home);
    const folder = folderIn(await session.call("take_task", { task_id: taskId }));
    await writeFile(join(folder, "tide.txt"), "high\n");
    const review = peer.first(named("review_requested"));
    await session.call("hand_over_task", { summary: "The tide is noted." });
    const { payload } = await review;
    const [artifact_id] = payload.artifact_ids;
    const again = peer.next(named("task_started"));
    const left = peer.next(
      ({ type, payload: { agents = [] } }) =>
        type === "snapshot" &&
        agents.some(({ joined }: { joined?: { messages?: unknown } }) => joined?.messages),
    );
    await peer.ask("request_changes", { artifact_id, instructions: "Say low." });
    await again;
    await left;
    const message = JSON.parse(await session.hooks.hook("UserPromptSubmit", { prompt: "Hi" }));
    assert.match(message.hookSpecificOutput.additionalContext, /came back.*my_task/);
    assert.match(await session.call("my_task"), /Say low\./);
    await writeFile(join(folder, "tide.txt"), "low\n");
    const second = peer.next(named("artifact_created", { version: 2 }));
    await session.call("hand_over_task", { summary: "Low." });
    await second;
    await closing(shop);
  },
);

test(
  "[JOIN-42] a session takes nothing until its user agreed; a person can give it a task all the same",
  { skip },
  async () => {
    await using shop = await openShop({ agents: AGENTS });
    const { home, peer } = shop;
    const taskId = await plan(peer);
    await using session = await openSession(home);
    const refused = /^Error: Nobody has allowed sessions to take tasks.*atrium join --tasks/;
    assert.match(await session.call("list_tasks"), refused);
    assert.match(await session.call("take_task", { task_id: taskId }), refused);
    const snapshot = await peer.first(
      ({ type, payload: { agents = [] } }) =>
        type === "snapshot" && agents.some(({ joined }: { joined?: unknown }) => joined),
    );
    const { agent_id } = snapshot.payload.agents.find(({ joined }: { joined?: unknown }) => joined);
    const started = peer.first(named("task_started"));
    await peer.ask("assign_task", { task_id: taskId, agent_id });
    await started;
    const told = peer.first(
      ({ type, payload: { agents = [] } }) =>
        type === "snapshot" &&
        agents.some(({ joined }: { joined?: { messages?: unknown } }) => joined?.messages),
    );
    await told;
    const message = JSON.parse(await session.hooks.hook("UserPromptSubmit", { prompt: "Hi" }));
    assert.match(message.hookSpecificOutput.additionalContext, new RegExp(taskId));
    folderIn(await session.call("my_task"));
    const unknown = await peer.command("assign_task", {
      task_id: taskId,
      agent_id: "agent_joined_x",
    });
    assert.equal(unknown.type, "error");
    await closing(shop);
  },
);

test(
  "[JOIN-65] a task is refused, by name and with the way out, for a session that could not take it or has one",
  { skip },
  async () => {
    await using sighted = openSightedHome();
    await using shop = await openShop({
      agents: [...AGENTS, { id: "agent_eng_2", runtime: "planner" }],
      options: { env: { ...sighted.env, PATH: process.env["PATH"] ?? "" } },
    });
    const { home, peer } = shop;
    const [taskId, other] = await planAll(peer);
    await using gemini = await openHookedSession({ home, program: "gemini" });
    await gemini.hook("SessionStart", { source: "startup" });
    const unable = await joinedAgent(peer, ({ name }) => name === "Gemini CLI · shop");
    assert.equal(unable.joined.takes_tasks, undefined);
    const refusalOf = async (agent_id: string, task_id = taskId, name = "assign_task") => {
      const { type, payload } = await peer.command(name, { task_id, agent_id });
      assert.equal(type, "error");
      return `${payload.reason}: ${payload.message}`;
    };
    assert.match(
      await refusalOf(unable.agent_id),
      /^joined-session.toolless: This session cannot be given tasks. Give the task to another session or to an agent. \(Gemini CLI has no tools of Atrium\)$/,
    );
    const [snapshot] = peer.told("snapshot").slice(-1);
    const [project] = snapshot?.payload.projects ?? [];
    const words = ["plan", "assign", project.project_id, "1", unable.agent_id];
    const typed = await runCli([...words, "--url", shop.atrium.url, "--token", shop.atrium.token]);
    assert.equal(typed.code, 1, typed.stderr);
    assert.match(typed.stderr, /Gemini CLI has no tools of Atrium/);
    if (process.platform === "linux") {
      await patchSettings(shop.atrium, { sightings: { "claude-code": true } });
      await sighted.open();
      const read = await joinedAgent(peer, ({ joined }) => joined.source === "transcript");
      assert.equal(read.joined.takes_tasks, undefined);
      assert.match(
        await refusalOf(read.agent_id),
        /has not joined: run atrium join claude-code, and start the session again/,
      );
    }
    await using session = await openSession(home, OTHER);
    const able = await joinedAgent(peer, ({ joined }) => joined.takes_tasks === true);
    const told = joinedAgent(peer, ({ joined }) => joined.messages?.length === 1);
    await peer.ask("assign_task", { task_id: taskId, agent_id: able.agent_id });
    await told;
    assert.match(
      await refusalOf(able.agent_id, other),
      /^joined-session.busy: .*has a task already/,
    );
    folderIn(await session.call("my_task"));
    assert.match(await refusalOf("agent_joined_x", other), /^agent.unknown/);
    assert.match(
      await refusalOf(unable.agent_id, taskId, "reassign_task"),
      /^joined-session.toolless/,
    );
    await closing(shop);
  },
);

test(
  "[JOIN-65] what comes back from a review while a session has another task waits for it, and neither is lost",
  { skip },
  async () => {
    await using shop = await openShop({
      agents: [...AGENTS, { id: "agent_eng_2", runtime: "planner" }],
    });
    const { home, peer } = shop;
    await allow(home);
    const [first, second] = await planAll(peer);
    await using session = await openSession(home);
    const early = folderIn(await session.call("take_task", { task_id: first }));
    await writeFile(join(early, "tide.txt"), "high\n");
    const review = peer.first(named("review_requested"));
    await session.call("hand_over_task", { summary: "Noted." });
    const [artifact_id] = (await review).payload.artifact_ids;
    const late = folderIn(await session.call("take_task", { task_id: second }));
    assert.notEqual(late, early);
    const again = peer.next(named("task_started", { task_id: first }));
    await peer.ask("request_changes", { artifact_id, instructions: "Say low." });
    assert.equal(folderIn(await session.call("my_task")), late);
    await writeFile(join(late, "moon.txt"), "new\n");
    const made = peer.next(named("artifact_created"));
    await session.call("hand_over_task", { summary: "The moon." });
    await made;
    await again;
    const told = ({ joined }: JoinedAgent): boolean =>
      JSON.stringify(joined.messages ?? []).includes("came back");
    await joinedAgent(peer, told);
    const brief = await session.call("my_task");
    assert.equal(folderIn(brief), early);
    assert.match(brief, /Say low\./);
    await closing(shop);
  },
);

test(
  "[JOIN-43] a session whose process dies gives its task back; what it changed stays for whoever takes it next",
  { skip },
  async () => {
    await using shop = await openShop({ agents: AGENTS });
    const { home, peer } = shop;
    await allow(home);
    const taskId = await plan(peer);
    await using session = await openSession(home);
    await using next = await openSession(home, OTHER);
    const folder = folderIn(await session.call("take_task", { task_id: taskId }));
    await writeFile(join(folder, "tide.txt"), "half\n");
    const released = peer.next(named("task_released", { task_id: taskId }));
    session.kill();
    await released;
    const brief = await next.call("take_task", { task_id: taskId });
    assert.equal(folderIn(brief), folder);
    assert.equal(await readFile(join(folder, "tide.txt"), "utf8"), "half\n");
    const given = peer.next(named("task_released", { task_id: taskId }));
    assert.match(await next.call("release_task", { reason: "No sea here." }), /^Given back/);
    assert.equal((await given).payload.reason, "No sea here.");
    await closing(shop);
  },
);

test(
  "[JOIN-44] a kill of Atrium in between changes nothing: the session has its task, and hands it over once",
  { skip },
  async () => {
    const root = await mkdtemp(join(tmpdir(), "atrium-tasks-"));
    const home = join(root, "home");
    const repository = makeBusyRepository(join(root, "repository"));
    await writeSettings(home, { agents: AGENTS, repository });
    await allow(home);
    const env = { PATH: process.env["PATH"] ?? "" };
    let server = await startServer(home, { env });
    try {
      const peer = await enterWorld(server);
      const taskId = await plan(peer);
      await using session = await openSession(home);
      const folder = folderIn(await session.call("take_task", { task_id: taskId }));
      await writeFile(join(folder, "tide.txt"), "high\n");
      await server.end("SIGKILL");
      assert.match(await session.call("my_task"), /^Error: Atrium is not running/);
      server = await startServer(home, { env });
      const later = await enterWorld(server);
      await later.first(named("task_started"));
      let brief = await session.call("my_task");
      while (brief.startsWith("Error")) {
        await later.nextOf("snapshot");
        brief = await session.call("my_task");
      }
      assert.equal(folderIn(brief), folder);
      const review = later.first(named("review_requested"));
      assert.match(await session.call("hand_over_task", { summary: "Done." }), /^Handed over/);
      assert.match(await session.call("hand_over_task", { summary: "Done." }), /^Error/);
      await review;
      assert.equal(later.messages.filter(named("artifact_created")).length, 1);
    } finally {
      await server.end();
      await rm(root, { recursive: true, force: true, maxRetries: 20 });
    }
  },
);

test(
  "[PLUGIN-10] without Atrium the plugin offers nothing and disturbs nobody; it comes back by itself",
  { skip },
  async () => {
    const home = await mkdtemp(join(tmpdir(), "atrium-away-"));
    await using session = await openToolSession({ home });
    assert.deepEqual(await session.mcp.toolNames(), []);
    assert.match(await session.call("my_task"), /^Error: Atrium is not running/);
    const server = await startServer(home, { args: ["--log", "memory"] });
    await session.mcp.until(() => session.mcp.notices.length > 0);
    assert.deepEqual(session.mcp.notices, ["notifications/tools/list_changed"]);
    assert.ok((await session.mcp.toolNames()).includes("take_task"));
    await using own = await openToolSession({ home, env: { ATRIUM_AGENT: "x" } });
    assert.deepEqual(await own.mcp.toolNames(), []);
    await server.end();
    assert.ok(!existsSync(join(home, "joined.curl")));
    assert.equal(session.mcp.stderr, "");
    await rm(home, { recursive: true, force: true });
  },
);
