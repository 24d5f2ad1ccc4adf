/** A life of a few seconds that leaves something of every kind in a home. */
import assert from "node:assert/strict";
import { BuildApi, asked } from "./builds.ts";
import { createTestDevice } from "./device.ts";
import { connectApprovedNode, connectNode } from "./node.ts";
import { introduce, openPeer, type Connected } from "./raw-peer.ts";
import type { ServerProcess } from "./server-process.ts";
import { post, signalOf } from "./signals.ts";
import { enterWorld } from "./world-peer.ts";

const WEEK_MS = 7 * 24 * 60 * 60_000;

export interface Lived {
  readonly pollIds: readonly string[];
  readonly approvalIds: readonly string[];
}

export async function liveABit(server: ServerProcess): Promise<Lived> {
  await using peer = await server.connect({ client: { displayName: "Ann" } });
  await converse(peer);
  const approvalIds = await decide(peer);
  const pollIds = await poll(peer);
  await pair(server, peer);
  await build(server);
  await runProject(server);
  await signal(server);
  return { pollIds, approvalIds };
}

async function converse(peer: Connected): Promise<void> {
  await peer.ask("sessions.create", { key: "agent:main:a/ü-?#%&__proto", label: "Tide tables" });
  for (const [sessionKey, message, key] of [
    ["agent:main:main", "Hello there", "hello"],
    ["agent:main:main", "[[say: The tests pass.]]", "say"],
    ["agent:main:main", "[[say: Almost there.]] [[fail: the disk is full]]", "fail"],
    ["agent:main:main", "Write a launch plan for the tide app", "write"],
    ["agent:eng_1:main", "[[tokens: 5000]] Draft a plan", "draft"],
    ["agent:main:a/ü-?#%&__proto", "[[tool: now {}]] [[say: It is late.]]", "tool"],
    ["agent:main:名前", "مرحبا \u{202e}desrever\u{202c} 👩‍💻", "odd words"],
  ] as const) {
    await converseOnce(peer, sessionKey, message, key);
  }
  await peer.ask("sessions.patch", { key: "agent:main:main", label: "The front desk" });
  await peer.ask("sessions.create", { key: "agent:main:gone" });
  await converseOnce(peer, "agent:main:gone", "[[say: Soon gone.]]", "gone");
  await peer.ask("sessions.delete", { key: "agent:main:gone", deleteTranscript: true });
}

async function converseOnce(
  peer: Connected,
  sessionKey: string,
  message: string,
  idempotencyKey: string,
): Promise<void> {
  const { runId } = await peer.ask("chat.send", { sessionKey, message, idempotencyKey });
  await peer.ask("agent.wait", { runId, timeoutMs: 30_000 });
}

/** An "always" for everywhere, one as short as it gets, one for its conversation, a no, and one that nobody has decided yet. */
async function decide(peer: Connected): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [command, decision, scope] of [
    ["npm test", "allow-always", "everywhere"],
    ["git status", "allow-always", undefined],
    ["ls -l", "allow-always", "conversation"],
    ["rm -rf /", "deny", undefined],
    ["cat notes.txt", "allow-once", undefined],
    ["npm publish", undefined, undefined],
  ] as const) {
    const told = peer.event("exec.approval.requested");
    const where = { sessionKey: "agent:main:main", agentId: "main", cwd: "/srv", host: "gateway" };
    const asking = { command, ...where, timeoutMs: WEEK_MS, twoPhase: true };
    await peer.ask("exec.approval.request", asking);
    const { id } = (await told).payload;
    ids.push(id);
    if (decision === undefined) continue;
    const said = { id, decision, ...(scope !== undefined && { scope }) };
    await peer.ask("exec.approval.resolve", said);
  }
  // What a run asks for, decided for good by a person.
  const told = peer.event("exec.approval.requested");
  const message = "[[approve: shell npm run build]] [[say: Built.]]";
  const { runId } = await peer.ask("chat.send", {
    sessionKey: "agent:main:main",
    message,
    idempotencyKey: "approve",
  });
  const { id } = (await told).payload;
  await peer.ask("exec.approval.resolve", { id, decision: "allow-always" });
  await peer.ask("agent.wait", { runId, timeoutMs: 30_000 });
  return [...ids, id];
}

async function poll(peer: Connected): Promise<readonly string[]> {
  const asking = { to: "main", options: ["Pizza", "Soup"], durationHours: 167 };
  const open = await peer.ask("poll", { ...asking, question: "Lunch?", idempotencyKey: "p1" });
  await peer.ask("poll.vote", { pollId: open.pollId, options: ["Soup"], voter: "Eve" });
  const over = await peer.ask("poll", { ...asking, question: "Dinner?", idempotencyKey: "p2" });
  await peer.ask("poll.vote", { pollId: over.pollId, options: ["Pizza"] });
  await peer.ask("poll.close", { pollId: over.pollId });
  return [open.pollId, over.pollId];
}

/** A device from elsewhere that was let in, one that waits, a node that was approved, and one that waits. */
async function pair(server: ServerProcess, peer: Connected): Promise<void> {
  const elsewhere = { headers: { "x-forwarded-for": "203.0.113.7" } };
  for (const isLetIn of [true, false]) {
    const device = createTestDevice();
    const scopes = ["operator.read"];
    const { token } = server;
    await using knocking = await openPeer(server.wsUrl, elsewhere);
    const { error } = await introduce(knocking, {
      scopes,
      auth: { token },
      device: (challenge) => device.prove(challenge, { token, scopes }),
    });
    const { requestId } = error?.details ?? {};
    assert.ok(requestId);
    if (isLetIn) await peer.ask("device.pair.approve", { requestId });
  }
  await using _approved = await connectApprovedNode(server, peer, { displayName: "workbench" });
  await using _waiting = await connectNode(server, { displayName: "stranger" });
}

async function build(server: ServerProcess): Promise<void> {
  const api = new BuildApi(server);
  await api.see(await api.start("A tide table for sailors"));
  await asked(api, await api.start("A page about knots"));
}

async function runProject(server: ServerProcess): Promise<void> {
  await using peer = await enterWorld(server);
  await peer.ask("submit_request", { text: "Create a landing page plan" });
  const { project_id } = (await peer.event("kickoff_finished")).payload;
  await peer.ask("auto_assign", { project_id });
  const { decision_id, options } = (await peer.event("decision_requested")).payload;
  await peer.ask("resolve_decision", { decision_id, choice: options[0] });
  const delivered = await peer.event("artifact_delivered");
  await peer.ask("approve_artifact", { artifact_id: delivered.payload.artifact_id });
  await peer.event("task_done");
  const { tasks } = (await peer.event("tasks_created")).payload;
  for (const { task_id, after } of tasks as { task_id: string; after?: string[] }[]) {
    // What comes after another is not begun before that is approved.
    if (after !== undefined) continue;
    await peer.first(
      ({ payload }) => payload.name === "artifact_delivered" && payload.task_id === task_id,
    );
  }
  await peer.ask("submit_request", { text: "A second project that was only planned" });
  await peer.first(
    ({ payload }) => payload.name === "kickoff_finished" && payload.project_id !== project_id,
  );
}

async function signal(server: ServerProcess): Promise<void> {
  const { status } = await post(server, [
    signalOf("tool_call", { toolName: "search", agentId: "scout", input: { q: "tides" } }),
    signalOf("agent_state_change", { agentId: "scout", from: "thinking", to: "done" }),
    signalOf("something.new", { agentId: "constructed", any: ["thing"] }),
    signalOf("completion", { taskId: "job-7", success: true }, { correlationId: "job-7" }),
  ]);
  assert.equal(status, 202);
}
