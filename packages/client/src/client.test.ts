import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { systemEcho } from "@atrium/wire/gateway";
import { ConnectionLost } from "./base/errors.ts";
import { Stage, TICK_MS, hello } from "./testing/stage.ts";

const tick = { type: "event", event: "tick", payload: { ts: 1 } };

test("tells of every state it passes through", async () => {
  await using stage = new Stage();
  const states: string[] = [];
  stage.client.onState(({ state }) => states.push(state));
  await stage.connect();
  stage.socket.hangUp(1006).flush();
  stage.clock.advance(1_000);
  await stage.greet();
  await stage[Symbol.asyncDispose]();
  const handshake = ["opening", "greeting", "authenticating", "ready"];
  assert.deepEqual(states, [...handshake, "waiting", ...handshake, "stopped"]);
});

test("[CLIENT-9] drops a server that is silent for more than two ticks, and comes back", async () => {
  await using stage = new Stage();
  await stage.connect();
  stage.clock.advance(2 * TICK_MS);
  stage.socket.say(tick).flush();
  stage.clock.advance(2 * TICK_MS);
  assert.equal(stage.client.state.state, "ready");
  stage.clock.advance(1);
  assert.deepEqual(stage.socket.closedWith, { code: 4000, reason: "tick timeout" });
  assert.deepEqual(stage.client.state, {
    state: "waiting",
    failures: 1,
    delayMs: 500,
    failure: { why: "silent" },
  });
  stage.clock.advance(500);
  await stage.greet();
  assert.deepEqual(stage.client.hello, hello);
});

test("[CLIENT-9] whatever is heard is a sign of life, even what cannot be read", async () => {
  await using stage = new Stage();
  await stage.connect();
  for (let ticks = 0; ticks < 6; ticks += 1) {
    stage.clock.advance(TICK_MS);
    stage.socket.say("noise").flush();
  }
  assert.equal(stage.client.state.state, "ready");
});

test("[CLIENT-17] a frame of a kind it does not know is handed over as it came, and is no problem", async () => {
  await using stage = new Stage();
  await stage.connect();
  const [frames, problems]: [unknown[], unknown[]] = [[], []];
  const stop = stage.client.onUnknownFrame((frame) => frames.push(frame));
  stage.client.onProblem((problem) => problems.push(problem));
  const newer = { type: "stream", id: "s1", chunk: { text: "hi" }, seq: 3 };
  const odd = JSON.parse('{"type":"__proto__","constructor":1,"__proto__":{"a":1}}') as object;
  stage.socket.say(newer).say(odd).flush();
  assert.deepEqual(frames, [newer, odd]);
  assert.deepEqual(problems, []);
  for (const junk of [{ type: 7 }, [1], null, { id: "x" }]) stage.socket.say(junk).flush();
  assert.equal(problems.length, 4);
  assert.equal(frames.length, 2);
  stop();
  stage.socket.say(newer).flush();
  assert.equal(frames.length, 2);
  assert.equal(stage.client.state.state, "ready");
});

test("[CLIENT-11] closing may be repeated, rejects what was asked, and leaves no timer behind", async () => {
  const stage = new Stage();
  await stage.connect();
  const request = stage.client.request(systemEcho, { text: "hi" });
  const closing = [stage.client.close(), stage.client.close()];
  await assert.rejects(request, ConnectionLost);
  stage.socket.flush();
  await Promise.all(closing);
  await stage.client.close();
  assert.deepEqual(stage.socket.closedWith, { code: 1000, reason: "" });
  assert.equal(stage.clock.waiting, 0);
  assert.equal(stage.network.sockets.length, 1);
});

test("[CLIENT-11] a client that never connected can be closed", async () => {
  const stage = new Stage();
  {
    await using client = stage.client;
    assert.equal(client.state.state, "idle");
  }
  assert.equal(stage.client.state.state, "stopped");
  assert.equal(stage.network.sockets.length, 0);
});

test("[CLIENT-12] works where code may not be made from strings", async () => {
  const script = `
    import { SchemaChecks } from "./src/rpc/schema-checks.ts";
    import { readFrame } from "./src/rpc/inbound.ts";
    let forbidden = false;
    try { new Function("return 1"); } catch { forbidden = true; }
    const checks = new SchemaChecks();
    const frame = JSON.stringify({ type: "event", event: "tick", payload: { ts: 1 } });
    const broken = JSON.stringify({ type: "event", event: "" });
    console.log(forbidden, readFrame(checks, frame).kind, readFrame(checks, broken).issue);
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--disallow-code-generation-from-strings", "--input-type=module", "--eval", script],
    { cwd: `${import.meta.dirname}/..` },
  );
  assert.equal(stdout, "true event at /event: must not have fewer than 1 characters\n");
});
