/** An agent that is served over the bridge's frames alone, behind the whole server. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { BRIDGED_KEY, openBridgedStage } from "../../kit/bridge-program.ts";
import type { BridgeFrame } from "../../kit/bridge.ts";
import { createTestDevice } from "../../kit/device.ts";
import { openaiClient, saying } from "../../kit/openai.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/bridge-agent.mjs", import.meta.url));
const ours = { command: process.execPath, extraArgs: [EXAMPLE] };

test("[BRIDGE-14] the example serves a conversation whole: messages, answers, a permission", async () => {
  await using stage = await openBridgedStage(ours);
  await stage.send("r1", "good morning");
  assert.equal((await stage.ended("r1")).status, "ok");
  await stage.send("r2", "run make");
  const { payload } = await stage.peer.first(({ event }) => event === "exec.approval.requested");
  assert.match(payload.code, /^[a-km-z]{5}$/);
  await stage.send("answer", `yes ${payload.code}`);
  assert.equal((await stage.ended("r2")).status, "ok");
  assert.deepEqual(await stage.transcript(), [
    "user: good morning",
    "assistant: Ann, you said: good morning",
    "user: run make",
    "assistant: It was allowed.",
  ]);
  const { choices } = await openaiClient(stage.atrium).chat.completions.create(saying("hello"));
  assert.match(choices[0]?.message.content ?? "", /you said: hello/);
  assert.deepEqual(stage.atrium.faults, []);
});

test("[BRIDGE-14] a program started by hand comes in before anything was said, and again", async () => {
  await using stage = await openBridgedStage();
  const first = await stage.plugIn();
  const ack = await first.take("hello_ack");
  const names = ack.tools.map(({ name }: BridgeFrame) => name);
  assert.equal(names[0], "reply");
  assert.ok(names.includes("ask"), names.join(" "));
  assert.equal(ack.session_meta.transport, "bridge");
  await stage.send("r1", "one");
  assert.equal((await first.take("inbound_message")).content, "one");
  first.socket.terminate();
  await first.closed;
  const second = await stage.plugIn();
  await second.reply("got it");
  assert.equal((await stage.ended("r1")).status, "ok");
});

test("[BRIDGE-14] what is sent while it is away waits, and follows in order", async () => {
  await using stage = await openBridgedStage();
  for (const [n, text] of ["one", "two", "three"].entries()) await stage.send(`r${n}`, text);
  const program = await stage.plugIn();
  for (const text of ["one", "two", "three"]) {
    assert.equal((await program.take("inbound_message")).content, text);
  }
  await program.reply("all three");
  for (const runId of ["r0", "r1", "r2"]) assert.equal((await stage.ended(runId)).status, "ok");
});

test("[BRIDGE-8] beyond the buffer the oldest are dropped, and whoever sent them is told which", async () => {
  await using stage = await openBridgedStage(undefined, { limits: { bridgeBuffer: 2 } });
  for (const n of [0, 1, 2, 3]) await stage.send(`r${n}`, `message ${n}`);
  await stage.peer.first(
    ({ event, payload }) => event === "chat" && /message 1/.test(JSON.stringify(payload)),
  );
  const program = await stage.plugIn();
  assert.equal((await program.take("inbound_message")).content, "message 2");
  assert.equal((await program.take("inbound_message")).content, "message 3");
  await program.reply("what about the others?");
  assert.equal((await stage.ended("r0")).status, "ok");
  const lines = await stage.transcript();
  const answer = lines.at(-1) ?? "";
  assert.match(answer, /dropped: "message 0"/);
  assert.match(answer, /dropped: "message 1"/);
  assert.doesNotMatch(answer, /dropped: "message [23]"/);
  assert.match(answer, /what about the others\?$/);
  assert.ok(stage.atrium.faults.some(({ message }) => /dropped/.test(message)));
});

test("[BRIDGE-9] a message says who sent it, through which door, when, and what came with it", async () => {
  await using stage = await openBridgedStage();
  const program = await stage.plugIn();
  const before = Date.now();
  const content = Buffer.from("a,b\n1,2\n").toString("base64");
  const attachments = [{ type: "file", fileName: "../t.csv", mimeType: "text/csv", content }];
  await stage.send("r1", "look", { attachments });
  const { request_id: id, meta } = await program.take("inbound_message");
  assert.equal(meta.chat_id, BRIDGED_KEY);
  assert.equal(meta.message_id, id);
  assert.equal(meta.user, "Ann");
  assert.ok(meta.user_id.length > 0);
  assert.equal(meta.source_channel, "test");
  const at = Date.parse(meta.ts);
  assert.ok(at >= before - 1_000 && at <= Date.now() + 1_000, meta.ts);
  const [file] = meta.attachments;
  assert.deepEqual([file.name, file.media_type, file.bytes], ["../t.csv", "text/csv", 8]);
  assert.equal(readFileSync(file.path, "utf8"), "a,b\n1,2\n");
  await program.reply("seen");
  await stage.ended("r1");
  const asked = openaiClient(stage.atrium).chat.completions.create(
    Object.assign(saying("from a program"), { user: "bob" }),
    { headers: { "x-openclaw-session-key": BRIDGED_KEY } },
  );
  const next = await program.take("inbound_message");
  const { user, user_id: userId, source_channel: door, attachments: none } = next.meta;
  assert.deepEqual([user, userId, door, none], ["bob", "openai", "openai", undefined]);
  await program.reply("to a program");
  assert.equal((await asked).choices[0]?.message.content, "to a program");
  await stage.atrium.close();
  assert.ok(!existsSync(file.path), "gone with the server");
});

test("[BRIDGE-9] a device that has proven its key is known by its own id", async () => {
  await using stage = await openBridgedStage();
  const program = await stage.plugIn();
  const device = createTestDevice();
  const { token } = stage.atrium;
  const scopes = ["operator.read", "operator.write"];
  await using ann = await stage.atrium.connect({
    scopes,
    device: (challenge) => device.prove(challenge, { token, scopes }),
  });
  await ann.ask("chat.send", { sessionKey: "main", message: "hi", idempotencyKey: "r1" });
  const { meta } = await program.take("inbound_message");
  assert.equal(meta.user_id, device.id);
});

test("[BRIDGE-15] the first reply is the answer; whatever is said before or after it is said too", async () => {
  await using stage = await openBridgedStage();
  const program = await stage.plugIn();
  await program.reply("I am here");
  await stage.send("r1", "one");
  const { meta } = await program.take("inbound_message");
  await program.reply("on it", { more: true });
  await program.reply("done", { reply_to: meta.message_id });
  assert.equal((await stage.ended("r1")).status, "ok");
  await program.reply("and one more thing", { reply_to: meta.message_id });
  assert.deepEqual(await stage.transcript(), [
    "assistant: I am here",
    "user: one",
    "assistant: on it",
    "assistant: done",
    "assistant: and one more thing",
  ]);
});

test("[BRIDGE-15] a tool it calls for a message is told with the message; between messages it can only reply", async () => {
  await using stage = await openBridgedStage();
  const program = await stage.plugIn();
  const early = await program.call("now", {});
  assert.deepEqual([early.ok, /only reply/.test(early.error)], [false, true]);
  await stage.send("r1", "what time is it?");
  await program.take("inbound_message");
  assert.equal((await program.call("now", {})).ok, true);
  await program.reply("late");
  await stage.ended("r1");
  const lines = await stage.transcript();
  assert.deepEqual(
    lines.filter((line) => !line.startsWith("toolResult")),
    ["user: what time is it?", "assistant: now", "assistant: late"],
  );
});

test("[BRIDGE-15] its secret is in nothing that it says or asks", async () => {
  await using stage = await openBridgedStage();
  const program = await stage.plugIn();
  const secret = "secret-of-a-program-started-by-hand";
  await program.reply(`between runs: ${secret}`);
  await stage.send("r1", "tell me");
  await program.take("inbound_message");
  await program.call("deliver_artifact", { name: "a.txt", content: secret });
  const args = { command: `echo ${secret}` };
  program.send({ type: "permission_request", request_id: "abxyz", tool: "Bash", args });
  const asked = await stage.peer.first(({ event }) => event === "exec.approval.requested");
  await program.reply(`in a run: ${secret}`);
  await stage.ended("r1");
  const lines = await stage.transcript();
  for (const place of [...lines, JSON.stringify(asked), JSON.stringify(stage.peer.frames)]) {
    assert.ok(!place.includes(secret), place);
  }
  assert.ok(lines.some((line) => line.startsWith("assistant: in a run:")));
});

test("[BRIDGE-15] a message whose run was stopped is not delivered any more, and its answer not shown", async () => {
  await using stage = await openBridgedStage();
  await stage.send("r1", "never mind");
  await stage.peer.first(({ event, payload }) => event === "agent" && payload.runId === "r1");
  await stage.peer.ask("chat.abort", { sessionKey: "main", runId: "r1" });
  await stage.ended("r1");
  const program = await stage.plugIn();
  await stage.send("r2", "this one");
  assert.equal((await program.take("inbound_message")).content, "this one");
  await stage.peer.ask("chat.abort", { sessionKey: "main", runId: "r2" });
  await stage.ended("r2");
  const late = await program.call("reply", { text: "too late" });
  assert.deepEqual([late.ok, /stopped/.test(late.error)], [false, true]);
  assert.doesNotMatch((await stage.transcript()).join("\n"), /too late/);
});

test("a program of ours that does not run is started again, and says why in the end", async () => {
  await using stage = await openBridgedStage({
    command: process.execPath,
    extraArgs: ["-e", "console.error('no config'); process.exit(3)"],
  });
  await stage.send("r1", "hello");
  const { status, error } = await stage.ended("r1");
  assert.equal(status, "error");
  assert.match(error, /could not be started.*with code 3: no config/);
});

test("[BRIDGE-10] what it asks of people waits for them, longer than a tool may take", async () => {
  await using stage = await openBridgedStage(undefined, { limits: { bridgeToolTimeoutMs: 20 } });
  const program = await stage.plugIn();
  await stage.send("r1", "choose");
  await program.take("inbound_message");
  const asked = program.call("ask", { question: "Which color?", options: ["Red", "Blue"] });
  const { payload } = await stage.peer.first(({ event }) => event === "question.requested");
  // Another tool would have been cut off by now.
  await setTimeout(100);
  await stage.peer.ask("question.answer", { id: payload.id, text: "Blue" });
  assert.match((await asked).result.text, /Blue/);
  await program.reply("Blue it is");
  assert.equal((await stage.ended("r1")).status, "ok");
});
