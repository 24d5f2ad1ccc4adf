/** How things stand with agents and projects, as whoever looks is told: also after something failed, and after a restart. */
import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { WorldAgent, WorldProject } from "@atrium/wire/world";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { enterWorld, type WorldPeer } from "../../kit/world-peer.ts";

interface Office {
  readonly agents: readonly WorldAgent[];
  readonly projects: readonly WorldProject[];
}

async function readOffice({ url, token }: TestAtrium): Promise<Office> {
  const headers = { authorization: `Bearer ${token}` };
  return (await (await fetch(new URL("/api/office", url), { headers })).json()) as Office;
}

const statuses = ({ agents }: Office): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(agents.map(({ name, status }) => [name, status]));

const nextEvent = (peer: WorldPeer, name: string): ReturnType<WorldPeer["next"]> =>
  peer.next(({ type, payload }) => type === "event" && payload.name === name);

/** What was asked for is planned, and its first task given to someone. */
async function give(peer: WorldPeer, text: string, agentId: string): Promise<void> {
  const plan = nextEvent(peer, "tasks_created");
  await peer.ask("submit_request", { text });
  const planned = await plan;
  const [task] = planned.payload.tasks as { task_id: string }[];
  await peer.ask("assign_task", { task_id: task?.task_id, agent_id: agentId });
}

test("[SIM-10] an agent is told to be working, to ask, to be in review, failed or idle, and is after a restart", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-standing-"));
  const options = { home: folder.path, args: ["--log", "sqlite"] };
  let before: Office;
  {
    await using atrium = await openTestAtrium(options);
    await using peer = await enterWorld(atrium);
    const failed = nextEvent(peer, "task_failed");
    await give(peer, "Sort the books [[fail: no shelf]]", "agent_eng_1");
    const reviewed = nextEvent(peer, "review_requested");
    await give(peer, "Write a note [[say: done]]", "agent_writer_1");
    // One failed answer in a chat is told there, and makes nobody fail.
    await using chat = await atrium.connect();
    const over = chat.first(({ event, payload }) => event === "chat" && payload.state === "error");
    await chat.ask("chat.send", {
      sessionKey: "main",
      message: "[[fail: no voice]]",
      idempotencyKey: "k1",
    });
    await Promise.all([over, failed, reviewed]);
    before = await readOffice(atrium);
    const seen = statuses(before);
    assert.deepEqual(
      [seen["Eng 1"], seen["Writer 1"], seen["BD"], seen["Eng 2"]],
      ["failed", "in_review", "idle", "idle"],
    );
    const poses = Object.fromEntries(before.agents.map(({ name, state }) => [name, state]));
    assert.ok(
      poses["BD"] !== "BlockedWaiting" && poses["Eng 1"] !== "BlockedWaiting",
      "none waits",
    );
  }
  await using again = await openTestAtrium(options);
  assert.deepEqual(statuses(await readOffice(again)), statuses(before));
});

test("[CORE-36] a plan that failed says why and what was asked for; it is planned again or cancelled by command", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-unplanned-"));
  const fail = `console.log(JSON.stringify({ type: "failed", reason: "the model is away" }))`;
  const settings = {
    runtimes: { away: { type: "command", command: [process.execPath, "-e", fail] } },
    agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "away" }],
  };
  writeFileSync(join(folder.path, "atrium.config.json"), JSON.stringify(settings));
  await using atrium = await openTestAtrium({ home: folder.path });
  await using peer = await enterWorld(atrium);
  const over = nextEvent(peer, "project_failed");
  const request = { text: "Plan a trip\nby train", constraints: { rules: ["cheap"] } };
  await peer.ask("submit_request", request);
  const { payload } = await over;
  assert.match(payload.reason, /the model is away/);
  const [project] = (await readOffice(atrium)).projects;
  assert.equal(project?.status, "failed");
  assert.equal(project?.reason, payload.reason);
  assert.deepEqual(project?.request, { text: request.text, rules: ["cheap"], attachments: 0 });
  const project_id = project?.project_id;

  const failedAgain = nextEvent(peer, "project_failed");
  await peer.ask("start_kickoff", { project_id });
  await failedAgain;
  const cancelled = nextEvent(peer, "project_cancelled");
  await peer.ask("cancel_project", { project_id, confirm: true });
  await cancelled;
  const { projects } = await readOffice(atrium);
  assert.deepEqual(
    projects.map(({ status, request: asked }) => [status, asked]),
    [["cancelled", undefined]],
  );
});
