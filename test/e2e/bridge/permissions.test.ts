/** Permissions that are asked for over the bridge, from the frame to people and back, behind the whole server. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openBridgedStage, type BridgedStage, type RawProgram } from "../../kit/bridge-program.ts";
import type { BridgeFrame } from "../../kit/bridge.ts";
import type { RawPeer } from "../../kit/raw-peer.ts";

function ask(program: RawProgram, code: string, command: string): void {
  const args = { command };
  program.send({ type: "permission_request", request_id: code, tool: "Bash", args });
}

async function requested(peer: RawPeer, command: string): Promise<BridgeFrame> {
  const { payload } = await peer.first(
    ({ event, payload: told }) =>
      event === "exec.approval.requested" && JSON.stringify(told).includes(command),
  );
  return payload;
}

async function resolved(peer: RawPeer, id: string): Promise<BridgeFrame> {
  const { payload } = await peer.first(
    ({ event, payload: told }) => event === "exec.approval.resolved" && told.id === id,
  );
  return payload;
}

function openCount({ peer }: BridgedStage): number {
  const about = (event: string): number =>
    peer.frames.filter((frame) => frame.event === event).length;
  return about("exec.approval.requested") - about("exec.approval.resolved");
}

test("[BRIDGE-11] people are told the very code the program gave, and their answer goes back under it", async () => {
  await using stage = await openBridgedStage();
  const program = await stage.plugIn();
  await stage.send("r1", "go");
  await program.take("inbound_message");
  ask(program, "abxyz", "make install");
  const { code } = await requested(stage.peer, "make install");
  assert.equal(code, "abxyz");
  await stage.send("answer", "yes abxyz");
  assert.deepEqual(await program.take("permission_reply"), {
    type: "permission_reply",
    request_id: "abxyz",
    behavior: "allow",
  });
  ask(program, "mnopq", "make clean");
  const { id } = await requested(stage.peer, "make clean");
  await stage.peer.ask("exec.approval.resolve", { id, decision: "deny" });
  assert.equal((await program.take("permission_reply")).behavior, "deny");
  await program.reply("done");
  // Also when it goes on working after it has answered.
  ask(program, "stuvw", "make later");
  await requested(stage.peer, "make later");
  await stage.send("answer-2", "yes stuvw");
  assert.equal((await program.take("permission_reply")).request_id, "stuvw");
});

test("[BRIDGE-12] a code that is in use, or was used for something else, is not given to people again", async () => {
  await using stage = await openBridgedStage();
  const program = await stage.plugIn();
  const other = await stage.plugIn({ openclaw_session: "agent:main:other" });
  ask(program, "abxyz", "make one");
  assert.equal((await requested(stage.peer, "make one")).code, "abxyz");
  ask(other, "abxyz", "make two");
  const two = await requested(stage.peer, "make two");
  assert.notEqual(two.code, "abxyz");
  await stage.send("answer", `no ${two.code}`);
  assert.deepEqual(
    [(await other.take("permission_reply")).behavior, program.frames.some(isVerdict)],
    ["deny", false],
  );
  await stage.send("answer-2", "yes abxyz");
  assert.equal((await program.take("permission_reply")).behavior, "allow");
  // Whoever answers "make one" a moment too late must not allow this.
  ask(program, "abxyz", "rm -rf everything");
  assert.notEqual((await requested(stage.peer, "rm -rf")).code, "abxyz");
});

test("[BRIDGE-12] the same code for something else withdraws what it stood for, and no answer is mixed up", async () => {
  await using stage = await openBridgedStage();
  const program = await stage.plugIn();
  ask(program, "abxyz", "ls");
  const first = await requested(stage.peer, "ls");
  ask(program, "abxyz", "rm -rf everything");
  const second = await requested(stage.peer, "rm -rf");
  await resolved(stage.peer, first.id);
  await stage.peer.request("exec.approval.resolve", { id: first.id, decision: "allow-once" });
  await stage.peer.ask("exec.approval.resolve", { id: second.id, decision: "deny" });
  assert.equal((await program.take("permission_reply")).behavior, "deny");
  assert.equal(program.frames.filter(isVerdict).length, 1);
});

test("[BRIDGE-12] a request that is repeated after a cut is asked once, and answered where the program is", async () => {
  await using stage = await openBridgedStage();
  const first = await stage.plugIn();
  ask(first, "abxyz", "make install");
  await requested(stage.peer, "make install");
  first.socket.terminate();
  await first.closed;
  await stage.send("answer", "yes abxyz");
  const second = await stage.plugIn();
  ask(second, "abxyz", "make install");
  assert.equal((await second.take("permission_reply")).behavior, "allow");
  const asked = stage.peer.frames.filter(({ event }) => event === "exec.approval.requested");
  assert.equal(asked.length, 1);
});

test("[BRIDGE-12] after a restart of the server it is asked again, under the same code", async () => {
  const home = await mkdtemp(join(tmpdir(), "atrium-bridged-"));
  const args = ["--log", "sqlite"];
  {
    await using stage = await openBridgedStage(undefined, { home, args });
    const program = await stage.plugIn();
    ask(program, "abxyz", "make install");
    await requested(stage.peer, "make install");
  }
  {
    await using stage = await openBridgedStage(undefined, { home, args });
    const program = await stage.plugIn();
    ask(program, "abxyz", "make install");
    assert.equal((await requested(stage.peer, "make install")).code, "abxyz");
    await stage.send("answer", "yes abxyz");
    assert.equal((await program.take("permission_reply")).behavior, "allow");
  }
  await rm(home, { recursive: true, force: true });
});

test("[BRIDGE-11] what nobody answers in time, and what is asked in a run that is stopped, is denied", async () => {
  await using stage = await openBridgedStage(undefined, { limits: { answerTimeoutMs: 300 } });
  const program = await stage.plugIn();
  ask(program, "abxyz", "make late");
  assert.equal((await program.take("permission_reply")).behavior, "deny");
  await stage.send("r1", "go");
  await program.take("inbound_message");
  ask(program, "mnopq", "make stopped");
  const { id } = await requested(stage.peer, "make stopped");
  await stage.peer.ask("chat.abort", { sessionKey: "main", runId: "r1" });
  assert.equal((await program.take("permission_reply")).behavior, "deny");
  await resolved(stage.peer, id);
  assert.equal(openCount(stage), 0);
});

test("[BRIDGE-12] one program cannot fill the list of what is asked: beyond 32 it is told no", async () => {
  await using stage = await openBridgedStage();
  const program = await stage.plugIn();
  const letters = "abcdefghijkmnopqrstuvwxyz";
  const codes = Array.from({ length: 40 }, (_, n) => `aa${letters[n % 25]}${letters[n >> 3]}b`);
  for (const [n, code] of codes.entries()) ask(program, code, `make ${n}`);
  for (let n = 0; n < 8; n++) {
    const { behavior, request_id: code } = await program.take("permission_reply");
    assert.equal(behavior, "deny");
    assert.ok(codes.indexOf(code) >= 32, code);
  }
  const list = await stage.peer.ask("exec.approval.list", {});
  assert.ok(JSON.stringify(list).includes("make 31") && !JSON.stringify(list).includes("make 32"));
});

test("[BRIDGE-13] a preview says that it is one, and is never always allowed", async () => {
  await using stage = await openBridgedStage();
  const program = await stage.plugIn();
  const args = { input_preview: "npm publish" };
  program.send({ type: "permission_request", request_id: "abxyz", tool: "Bash", args });
  const { id, permission } = await requested(stage.peer, "npm publish");
  assert.match(permission.warning, /preview/);
  assert.equal(permission.may_always, false);
  const always = await stage.peer.request("exec.approval.resolve", {
    id,
    decision: "allow-always",
  });
  assert.equal(always.ok, false);
  await stage.peer.ask("exec.approval.resolve", { id, decision: "allow-once" });
  assert.equal((await program.take("permission_reply")).behavior, "allow");
});

const isVerdict = ({ type }: { readonly type: string }): boolean => type === "permission_reply";
