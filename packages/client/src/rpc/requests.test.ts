import assert from "node:assert/strict";
import { test } from "node:test";
import { chatHistory, systemEcho } from "@atrium/wire/gateway";
import {
  ConnectionLost,
  GatewayError,
  InvalidParams,
  InvalidResult,
  RequestAborted,
  RequestTimeout,
} from "../base/errors.ts";
import { Stage, refusal, reply, turn } from "../testing/stage.ts";

const echo = (text: string): { ok: true; text: string } => ({ ok: true, text });

test("[CLIENT-13] gives each reply to the request it answers, in whatever order they come", async () => {
  await using stage = new Stage();
  await stage.connect();
  const first = stage.client.request(systemEcho, { text: "one" });
  const firstId = stage.asked["id"];
  const second = stage.client.request(systemEcho, { text: "two" });
  const secondId = stage.asked["id"];
  assert.notEqual(firstId, secondId);
  assert.deepEqual(stage.asked, {
    type: "req",
    id: secondId,
    method: "system.echo",
    params: { text: "two" },
  });
  stage.socket
    .say(reply(secondId, echo("two")))
    .say(reply(firstId, echo("one")))
    .flush();
  assert.equal((await first).text, "one");
  assert.equal((await second).text, "two");
});

test("[CLIENT-14] rejects with all that the server's error says", async () => {
  await using stage = new Stage();
  await stage.connect();
  const request = stage.client.request(systemEcho, { text: "hi" });
  const error = {
    code: "UNAVAILABLE",
    message: "busy",
    details: { reason: "queue" },
    retryable: true,
    retryAfterMs: 250,
  };
  stage.socket.say(refusal(stage.asked["id"], error)).flush();
  await assert.rejects(request, (caught: unknown) => {
    assert.ok(caught instanceof GatewayError);
    assert.equal(caught.kind, "refused");
    assert.equal(caught.method, "system.echo");
    const { code, message, details, retryable, retryAfterMs } = caught;
    assert.deepEqual({ code, message, details, retryable, retryAfterMs }, error);
    return true;
  });
});

test("[CLIENT-15] rejects a request that is not answered in time; a reply that comes later is let go", async () => {
  await using stage = new Stage({ requestTimeoutMs: 1_000 });
  await stage.connect();
  const usual = stage.client.request(systemEcho, { text: "a" });
  const usualId = stage.asked["id"];
  const patient = stage.client.request(systemEcho, { text: "b" }, { timeoutMs: 5_000 });
  const patientId = stage.asked["id"];
  const endless = stage.client.request(systemEcho, { text: "c" }, { timeoutMs: Infinity });
  const endlessId = stage.asked["id"];
  stage.clock.advance(1_000);
  await assert.rejects(usual, RequestTimeout);
  stage.socket
    .say(reply(usualId, echo("a")))
    .say(reply(patientId, echo("b")))
    .flush();
  assert.equal((await patient).text, "b");
  stage.clock.advance(59_000);
  stage.socket.say(reply(endlessId, echo("c"))).flush();
  assert.equal((await endless).text, "c");
  assert.deepEqual(stage.problems, []);
});

test("[CLIENT-15] a signal ends the wait, and one that was aborted before keeps it from being sent", async () => {
  await using stage = new Stage();
  await stage.connect();
  const controller = new AbortController();
  const { signal } = controller;
  const request = stage.client.request(systemEcho, { text: "hi" }, { signal });
  const sent = stage.socket.heard.length;
  controller.abort("changed my mind");
  await assert.rejects(request, (error: unknown) => {
    assert.ok(error instanceof RequestAborted);
    assert.equal(error.cause, "changed my mind");
    return true;
  });
  await assert.rejects(
    stage.client.request(systemEcho, { text: "again" }, { signal }),
    RequestAborted,
  );
  assert.equal(stage.socket.heard.length, sent);
});

test("[CLIENT-16] checks params before it sends them, also of a method called by name", async () => {
  await using stage = new Stage();
  await stage.connect();
  const sent = stage.socket.heard.length;
  await assert.rejects(stage.client.request(systemEcho, { text: "" }), (error: unknown) => {
    assert.ok(error instanceof InvalidParams);
    assert.match(error.message, /^invalid system\.echo params: at \/text: /);
    return true;
  });
  await assert.rejects(stage.client.requestByName("system.echo", { text: 1 }), InvalidParams);
  await assert.rejects(stage.client.requestByName("other.method", { big: 1n }), InvalidParams);
  assert.equal(stage.socket.heard.length, sent);
});

test("[CLIENT-16] does not send a frame the server has said it will not take", async () => {
  await using stage = new Stage();
  const { policy } = await stage.connect();
  const sent = stage.socket.heard.length;
  const text = "é".repeat(policy.maxPayload / 2);
  await assert.rejects(
    stage.client.request(systemEcho, { text }),
    /larger than the server accepts/,
  );
  await assert.rejects(stage.client.request(systemEcho, { text: text + text }), InvalidParams);
  assert.equal(stage.socket.heard.length, sent);
});

test("[CLIENT-16] a result that breaks its schema rejects that request and no other", async () => {
  await using stage = new Stage();
  await stage.connect();
  const broken = stage.client.request(systemEcho, { text: "a" });
  const brokenId = stage.asked["id"];
  const named = stage.client.requestByName("system.echo", { text: "b" });
  const namedId = stage.asked["id"];
  const nameless = stage.client.request(chatHistory, { sessionKey: "main" });
  const namelessId = stage.asked["id"];
  const whole = stage.client.request(systemEcho, { text: "c" });
  stage.socket
    .say(reply(brokenId, { ok: true }))
    .say(reply(namedId, { ok: true, text: "b", extra: 1 }))
    .say({ type: "res", id: namelessId, ok: false })
    .say(reply(stage.asked["id"], echo("c")))
    .flush();
  await assert.rejects(broken, (error: unknown) => {
    assert.ok(error instanceof InvalidResult);
    assert.match(error.message, /^invalid system\.echo result: at root: /);
    return true;
  });
  await assert.rejects(named, InvalidResult);
  await assert.rejects(nameless, /an error reply without an error/);
  assert.equal((await whole).text, "c");
});

test("[CLIENT-17] a method the wire does not declare goes out and comes back unchecked", async () => {
  await using stage = new Stage();
  await stage.connect();
  const request = stage.client.requestByName("newer.method", { anything: [1] });
  assert.deepEqual(stage.asked["params"], { anything: [1] });
  stage.socket.say(reply(stage.asked["id"], "whatever")).flush();
  assert.equal(await request, "whatever");
});

test("[CLIENT-18] losing the socket rejects what was asked on it, and nothing is asked again", async () => {
  await using stage = new Stage();
  await stage.connect();
  const request = stage.client.request(systemEcho, { text: "hi" });
  stage.socket.hangUp(1012, "service restart").flush();
  await assert.rejects(request, (error: unknown) => {
    assert.ok(error instanceof ConnectionLost);
    assert.equal(error.sent, true);
    assert.match(error.message, /1012 service restart/);
    return true;
  });
  stage.clock.advance(1_000);
  await stage.greet();
  await turn();
  assert.deepEqual(
    stage.socket.heard.map((frame) => frame["method"]),
    ["connect"],
  );
});

test("[CLIENT-18] a request without a connection is rejected at once and was not sent", async () => {
  await using stage = new Stage();
  await assert.rejects(stage.client.request(systemEcho, { text: "hi" }), (error: unknown) => {
    assert.ok(error instanceof ConnectionLost);
    assert.equal(error.sent, false);
    return true;
  });
  void stage.client.connect().catch(() => undefined);
  await stage.challenge();
  await assert.rejects(stage.client.requestByName("health"), ConnectionLost);
});
