/** What a hostile client can send to the world: an answer for each, and the office goes on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { enterWorld, openWorldPeer, plannedProject, SCENE } from "../../kit/world-peer.ts";

const NAMES = [
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "proj_boot",
  "\u0000",
  "‮x",
];

const remark = (path: string): object => ({ path, line: 1, side: "new", text: path });

test("[WORLD-5] names of any kind in any command get one answer each and leave no trace", async () => {
  await using atrium = await openTestAtrium({ limits: { worldCommandBurst: 1_000 } });
  await using peer = await enterWorld(atrium);
  const { seq } = peer.told("snapshot").at(-1)?.payload ?? {};
  for (const name of NAMES) {
    const ids = { task_id: name, project_id: name, artifact_id: name, decision_id: name };
    const { task_id, project_id, artifact_id, decision_id } = ids;
    const commands: readonly (readonly [string, object])[] = [
      [name, {}],
      ["assign_task", { task_id, agent_id: name }],
      ["reassign_task", { task_id, agent_id: name }],
      ["auto_assign", { project_id }],
      ["resolve_decision", { decision_id, choice: name, note: name }],
      ["approve_artifact", { artifact_id }],
      ["request_changes", { artifact_id, instructions: name }],
      ["split_into_tasks", { artifact_id, task_titles: [name] }],
      ["move_player_to", { poi_id: name }],
      ["start_kickoff", { project_id }],
      ["cancel_task", { task_id, confirm: true }],
      ["pause_project", { project_id, reason: name }],
      ["resume_project", { project_id }],
      ["rerun_task", { task_id }],
      ["request_changes", { artifact_id, instructions: "", comments: [remark(name)] }],
      ["resolve_comment", { artifact_id, comment_id: name }],
      ["revert_artifact", { artifact_id }],
      ["update_project", { project_id }],
      ["deliver_project", { project_id, how: "zip" }],
      ["apply_suggestions", { artifact_id, expected_version: 1, comments: [remark(name)] }],
      ["add_task", { project_id, title: name, after: [name], before: name }],
      ["edit_task", { task_id, after: [name], accept: [name], verify: [name] }],
      ["remove_task", { task_id }],
      ["reorder_tasks", { project_id, task_ids: [name] }],
    ];
    for (const [command, data] of commands) {
      const { type, payload } = await peer.command(command, data, `${name}:${command}`);
      assert.equal(type, "error", `${command} ${JSON.stringify(name)}`);
      assert.notEqual(payload.code, "INTERNAL", `${command} ${JSON.stringify(name)}`);
    }
  }
  await using after = await enterWorld(atrium);
  assert.equal(after.told("snapshot").at(-1)?.payload.seq, seq);
  assert.deepEqual(atrium.faults, []);
});

test("[WORLD-41] a comment that does not fit is refused, and what it was about stays in review", async () => {
  await using atrium = await openTestAtrium({ limits: { worldCommandBurst: 100 } });
  await using peer = await enterWorld(atrium);
  const { projectId } = await plannedProject(peer);
  await peer.ask("auto_assign", { project_id: projectId });
  const { artifact_id } = await peer.event("review_requested").then(({ payload }) => ({
    artifact_id: payload.artifact_ids[0],
  }));
  const request = { artifact_id, instructions: "Shorter" };
  const bad: readonly (readonly [unknown, RegExp])[] = [
    [[{ path: "a", line: 0, side: "new", text: "x" }], /line/],
    [[{ path: "a", line: 1, side: "left", text: "x" }], /side/],
    [[{ path: "", line: 1, side: "new", text: "x" }], /path/],
    [[{ path: "a", line: 1, side: "new", text: "" }], /text/],
    [[{ path: "a".repeat(5_000), line: 1, side: "new", text: "x" }], /path/],
    [Array.from({ length: 101 }, () => remark("a")), /comments/],
    [{ length: 1 }, /comments/],
  ];
  for (const [comments, says] of bad) {
    const { payload } = await peer.command("request_changes", { ...request, comments });
    assert.equal(payload.code, "VALIDATION_FAILED");
    assert.match(payload.message, says);
  }
  for (const name of NAMES) {
    const asked = { ...request, comments: [remark(name)] };
    const { type, payload } = await peer.command("request_changes", asked);
    assert.equal(type, "error", name);
    assert.notEqual(payload.code, "INTERNAL", name);
  }
  await peer.ask("approve_artifact", { artifact_id });
  assert.deepEqual(atrium.faults, []);
});

test("[WORLD-5] cursors that cannot be are answered, and the next client is served", async () => {
  await using atrium = await openTestAtrium();
  for (const last_seq of [-1, 1.5, null, "1", {}, "__proto__"]) {
    await using peer = await openWorldPeer(atrium.wsUrl, atrium.token);
    const { type, payload } = await peer.hello({ resume: { last_seq } });
    assert.deepEqual([type, payload.code], ["error", "VALIDATION_FAILED"]);
    assert.equal((await peer.closed).code, 4500);
  }
  for (const last_seq of [Number.MAX_SAFE_INTEGER, 1e300]) {
    await using peer = await openWorldPeer(atrium.wsUrl, atrium.token);
    const { payload } = await peer.hello({
      resume: { last_seq, last_snapshot_id: "x".repeat(200) },
    });
    assert.equal(payload.resume.reason, "CURSOR_UNKNOWN");
    const { type } = await peer.subscribe();
    assert.equal(type, "snapshot");
  }
  assert.deepEqual(atrium.faults, []);
});

test("[WORLD-5] a megabyte of a name, and a thousand subscriptions, cost only whoever sends them", async () => {
  await using atrium = await openTestAtrium();
  await using other = await enterWorld(atrium);
  await using loud = await enterWorld(atrium);
  const long = await loud.command("auto_assign", { project_id: "x".repeat(1_000_000) });
  assert.equal(long.payload.code, "VALIDATION_FAILED");
  assert.ok(JSON.stringify(long).length < 2_000);
  for (let count = 0; count < 1_000; count++) {
    loud.send("subscribe", { scene_id: SCENE, channels: { events: true, snapshots: true } });
  }
  const limited = await loud.first(({ payload }) => payload.code === "RATE_LIMITED");
  assert.match(limited.payload.in_reply_to, /^subscribe_/);
  assert.ok(loud.told("snapshot").length < 50);
  await other.ask("player_pos", { pos: [1, 0, 1] });
  const seen = await other.first(
    ({ type, payload }) => type === "snapshot" && payload.viewers?.length === 1,
  );
  assert.equal(seen.type, "snapshot");
  assert.deepEqual(atrium.faults, []);
});
