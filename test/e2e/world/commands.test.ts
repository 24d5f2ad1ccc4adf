/** What people ask of the world, and the one answer they get. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { enterWorld, type WorldMessage, codeOf, plannedProject } from "../../kit/world-peer.ts";

test("[WORLD-6] bad input is answered once, with the right code and what is wrong, and changes nothing", async () => {
  await using atrium = await openTestAtrium({ limits: { worldCommandBurst: 100 } });
  await using peer = await enterWorld(atrium);
  const { tasks, projectId } = await plannedProject(peer);
  const [task = ""] = tasks;
  const cases: readonly (readonly [string, unknown, string, RegExp])[] = [
    ["teleport", {}, "VALIDATION_FAILED", /payload\/name/],
    ["assign_task", { task_id: task }, "VALIDATION_FAILED", /agent_id/],
    ["assign_task", { task_id: task, agent_id: 7 }, "VALIDATION_FAILED", /\/agent_id/],
    ["assign_task", { task_id: "task_1", agent_id: "agent_eng_1" }, "NOT_FOUND", /task_1/],
    ["assign_task", { task_id: task, agent_id: "agent_x" }, "NOT_FOUND", /agent_x/],
    ["assign_task", { task_id: task, agent_id: "agent_eng_1", x: 1 }, "VALIDATION_FAILED", /'x'/],
    ["reassign_task", { task_id: task, agent_id: "agent_eng_1" }, "CONFLICT", /assign/],
    ["rerun_task", { task_id: task }, "CONFLICT", /possible now: assign, cancel/],
    ["cancel_task", { task_id: task }, "VALIDATION_FAILED", /confirm/],
    ["cancel_project", { project_id: projectId }, "VALIDATION_FAILED", /confirm/],
    ["cancel_project", { project_id: "proj_none", confirm: true }, "NOT_FOUND", /proj_none/],
    ["auto_assign", { project_id: "proj_none" }, "NOT_FOUND", /proj_none/],
    ["resume_project", { project_id: projectId }, "CONFLICT", /possible now/],
    ["start_kickoff", { project_id: projectId }, "CONFLICT", /possible now/],
    ["approve_artifact", { artifact_id: "art_1" }, "NOT_FOUND", /art_1/],
    ["resolve_decision", { decision_id: "dec_1", choice: "x" }, "NOT_FOUND", /dec_1/],
    ["submit_request", { text: " \u0000\u202E\n" }, "VALIDATION_FAILED", /no text/i],
    ["submit_request", {}, "VALIDATION_FAILED", /text/],
    ["chat", { text: "hi", thread_id: "other" }, "NOT_FOUND", /other/],
    ["move_player_to", { poi_id: "poi_moon" }, "NOT_FOUND", /poi_moon/],
    ["move_player_to", { pos: [99, 0, 99] }, "VALIDATION_FAILED", /99/],
    ["player_pos", { pos: [99, 0, 0] }, "VALIDATION_FAILED", /pos/],
    ["player_pos", { pos: [1, 2] }, "VALIDATION_FAILED", /pos/],
  ];
  const before = peer.told("event").length;
  for (const [name, data, code, says] of cases) {
    const answer = await peer.command(name, data);
    assert.equal(codeOf(answer), code, `${name} ${JSON.stringify(data)}`);
    assert.match(answer.payload.message, says, name);
  }
  assert.equal(peer.told("event").length, before);
  const answers = peer.messages.filter(({ type }) => type === "ack" || type === "error");
  const ids = answers.map(({ payload }) => payload.in_reply_to);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(atrium.faults, []);
});

test("[WORLD-10] what the sender took for granted is checked first, and nothing happens when it is not so", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const { projectId, tasks } = await plannedProject(peer);
  const wrong = { project_id: projectId, expected_project_status: "executing" };
  const broken = await peer.command("auto_assign", wrong);
  assert.equal(codeOf(broken), "CONFLICT");
  assert.match(broken.payload.message, /is planned, not executing/);
  const [task_id] = tasks;
  const assign = { task_id, agent_id: "agent_eng_1" };
  const other = await peer.command("assign_task", { ...assign, expected_task_status: "blocked" });
  assert.equal(codeOf(other), "CONFLICT");
  await peer.ask("assign_task", { ...assign, expected_task_status: "planned" });
});

test("[WORLD-10] of two clients that give one task to two agents, one is taken and one is told of it", async () => {
  await using atrium = await openTestAtrium();
  await using one = await enterWorld(atrium);
  await using two = await enterWorld(atrium);
  const { tasks } = await plannedProject(one);
  const [task_id] = tasks;
  const answers = await Promise.all([
    one.command("assign_task", { task_id, agent_id: "agent_eng_1" }),
    two.command("assign_task", { task_id, agent_id: "agent_eng_2" }),
  ]);
  assert.deepEqual(answers.map(codeOf).toSorted(), ["CONFLICT", "ok"]);
  const refused = answers.find(({ type }) => type === "error");
  assert.match(refused?.payload.message, /already assigned to .*; reassign it/);
  await two.event("task_started");
  const assigned = two
    .told("event")
    .filter(({ payload }) => payload.name === "task_assigned" && payload.task_id === task_id);
  assert.equal(assigned.length, 1);
});

test("[WORLD-7] the same command again gets the same answer and has no second effect, from any connection", async () => {
  await using atrium = await openTestAtrium();
  await using one = await enterWorld(atrium);
  await using two = await enterWorld(atrium);
  const request = { text: "Only once", constraints: { tone: "friendly" } };
  const answers = [
    ...(await Promise.all([
      one.command("submit_request", request, "cmd_001"),
      two.command("submit_request", request, "cmd_001"),
    ])),
    await one.command("submit_request", request, "cmd_001"),
  ];
  assert.deepEqual(answers.map(codeOf), ["ok", "ok", "ok"]);
  const projects = new Set(answers.map(({ payload }) => payload.project_id));
  assert.deepEqual([projects.size, projects.has(undefined)], [1, false]);
  await two.command("submit_request", { text: "Another" }, "cmd_002");
  await two.first(
    ({ payload }) => payload.name === "request_submitted" && payload.text === "Another",
  );
  const submitted = two.told("event").filter(({ payload }) => payload.name === "request_submitted");
  assert.deepEqual(
    submitted.map(({ payload }) => payload.text),
    ["Only once", "Another"],
  );
});

test("[WORLD-7] another command under an id that this connection has used is CONFLICT", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  assert.equal(codeOf(await peer.command("submit_request", { text: "One" }, "cmd_001")), "ok");
  assert.equal(
    codeOf(await peer.command("submit_request", { text: "Two" }, "cmd_001")),
    "CONFLICT",
  );
  await using fresh = await enterWorld(atrium);
  assert.equal(codeOf(await fresh.command("submit_request", { text: "Two" }, "cmd_001")), "ok");
});

test("[WORLD-8] too many commands at once are RATE_LIMITED, player_pos by a measure of its own", async () => {
  const slow = { worldCommandRefillMs: 3_600_000, worldPlayerPosRefillMs: 3_600_000 };
  await using atrium = await openTestAtrium({ limits: { ...slow, worldPlayerPosBurst: 5 } });
  await using peer = await enterWorld(atrium);
  const flood = Array.from({ length: 50 }, (_, n) =>
    peer.command("player_pos", { pos: [n / 50, 0, 0] }),
  );
  const seen = (await Promise.all(flood)).map(codeOf);
  assert.equal(seen.filter((code) => code === "ok").length, 5);
  assert.equal(seen.filter((code) => code === "RATE_LIMITED").length, 45);
  const asked = Array.from({ length: 20 }, () =>
    peer.command("auto_assign", { project_id: "proj_x" }),
  );
  const codes = (await Promise.all(asked)).map(codeOf);
  assert.equal(codes.filter((code) => code === "NOT_FOUND").length, 12);
  assert.equal(codes.filter((code) => code === "RATE_LIMITED").length, 8);
  await using other = await enterWorld(atrium);
  assert.equal(codeOf(await other.command("submit_request", { text: "Me too" })), "ok");
});

test("[WORLD-9] text comes out as it went in but for what cannot be seen; the title is its first line", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  await peer.ask("submit_request", { text: "\u202E<b>Bold</b>\u0007\nsecond line  " });
  const { payload } = await peer.event("request_submitted");
  assert.deepEqual([payload.title, payload.text], ["<b>Bold</b>", "<b>Bold</b>\nsecond line"]);
  assert.match(payload.project_id, /^proj_[a-z][a-z0-9]{7}$/);
});

test("attachments are kept as files, and what is no base64 is refused", async () => {
  await using atrium = await openTestAtrium({ limits: { maxFileBytes: 1_000 } });
  await using peer = await enterWorld(atrium);
  const file = (data: string): object => ({ name: "a.txt", media_type: "text/plain", data });
  const send = (data: string): Promise<WorldMessage> =>
    peer.command("submit_request", { text: "With a file", attachments: [file(data)] });
  assert.equal(codeOf(await send("not base64!")), "VALIDATION_FAILED");
  const big = await send(Buffer.alloc(2_000).toString("base64"));
  assert.equal(codeOf(big), "VALIDATION_FAILED");
  assert.match(big.payload.message, /a\.txt has 2000 bytes/);
  assert.equal(codeOf(await send(Buffer.from("hello").toString("base64"))), "ok");
});

test("[WORLD-6] a verdict on what has one already is CONFLICT with what is possible", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const { projectId } = await plannedProject(peer);
  await peer.ask("auto_assign", { project_id: projectId });
  const { artifact_id } = (await peer.event("artifact_delivered")).payload;
  await peer.ask("approve_artifact", { artifact_id });
  const late = await peer.command("request_changes", { artifact_id, instructions: "Shorter" });
  assert.equal(codeOf(late), "CONFLICT");
  assert.match(late.payload.message, /is approved; nothing more can be done with it/);
});

test("[WORLD-10] [WORLD-6] whoever approves what they saw does not approve what came after it", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await enterWorld(atrium);
  const { projectId } = await plannedProject(peer, "A page [[say: here]]");
  await peer.ask("auto_assign", { project_id: projectId });
  const { artifact_id } = (await peer.event("artifact_delivered")).payload;
  const seen = { artifact_id, expected_version: 1 };
  await peer.ask("request_changes", { ...seen, instructions: "Shorter" });
  await peer.first(
    ({ payload }) =>
      payload.name === "artifact_delivered" &&
      payload.artifact_id === artifact_id &&
      payload.version === 2,
  );
  const stale = await peer.command("approve_artifact", seen);
  assert.equal(codeOf(stale), "CONFLICT");
  assert.match(stale.payload.message, /version 2 is there by now/);
  assert.equal(stale.payload.reason, "artifact.superseded");
  const shown = async (status: string): Promise<WorldMessage["payload"]> => {
    for (;;) {
      const { payload } = peer.told("snapshot").at(-1) ?? assert.fail("no snapshot");
      const found = payload.artifacts.find(
        (each: WorldMessage["payload"]) => each.artifact_id === artifact_id,
      );
      if (found?.status === status) return found;
      await peer.nextOf("snapshot");
    }
  };
  assert.equal((await shown("delivered")).reviewer, undefined);
  await peer.ask("approve_artifact", { artifact_id, expected_version: 2 });
  assert.equal((await shown("approved")).reviewer, "tester");
});
