import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultDeps } from "../base/deps.ts";
import { InvalidParams, InvalidResult } from "../base/errors.ts";
import { Stage, turn } from "../testing/stage.ts";

test("[CLIENT-13] what goes into a call and comes out of it follows from its name", async () => {
  await using stage = new Stage();
  await stage.connect();
  const call = stage.client.call("system.echo", { text: "hi" });
  await stage.answer("system.echo", { ok: true, text: "hi" });
  const { text }: { ok: true; text: string } = await call;
  assert.equal(text, "hi");
  // @ts-expect-error -- the name says that there must be a text
  await assert.rejects(stage.client.call("system.echo", {}), InvalidParams);
  // @ts-expect-error -- nobody declares this one, so it needs requestByName
  const undeclared = stage.client.call("system.nothing", {});
  await stage.answer("system.nothing", {});
  await undeclared;
  const wrong = stage.client.call("system.echo", { text: "hi" });
  await Promise.all([
    assert.rejects(wrong, InvalidResult),
    stage.answer("system.echo", { ok: true, text: 7 }),
  ]);
});

test("[CLIENT-13] a call that must carry a key gets one of its own, unless it has one", async () => {
  await using stage = new Stage();
  await stage.connect();
  const keyOf = async (idempotencyKey?: string): Promise<unknown> => {
    const given = idempotencyKey === undefined ? {} : { idempotencyKey };
    const call = stage.client.call("chat.send", { sessionKey: "main", message: "hi", ...given });
    await stage.answer("chat.send", { runId: "r", status: "started" });
    await call;
    return (stage.asked["params"] as Record<string, unknown>)["idempotencyKey"];
  };
  assert.deepEqual([await keyOf(), await keyOf(), await keyOf("mine")], ["key-1", "key-2", "mine"]);
  void stage.client.call("chat.history", { sessionKey: "main" }).catch(() => undefined);
  assert.deepEqual(stage.asked["params"], { sessionKey: "main" });
});

test("[CLIENT-13] keys are long and never the same", () => {
  const { newKey } = defaultDeps();
  const keys = new Set(Array.from({ length: 1_000 }, newKey));
  assert.equal(keys.size, 1_000);
  for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/);
});

test("[CLIENT-22] subscriptions are taken up again before anyone hears that the client is back", async () => {
  await using stage = new Stage();
  await stage.connect();
  const all = stage.client.subscribeSessions();
  await stage.answer("sessions.subscribe", { subscribed: true });
  const one = stage.client.subscribeMessages("main");
  const followed = { subscribed: true, key: "agent:main:main" };
  await stage.answer("sessions.messages.subscribe", followed);
  const [leaveAll] = await Promise.all([all, one]);
  const before: unknown[] = [];
  stage.client.onState(({ state }) => {
    if (state === "ready") before.push(...stage.socket.heard.map((frame) => frame["method"]));
  });
  await stage.comeBack();
  assert.deepEqual(before, ["connect", "sessions.subscribe", "sessions.messages.subscribe"]);
  leaveAll();
  leaveAll();
  assert.equal(stage.askedBy("sessions.unsubscribe").length, 1);
  await stage.comeBack();
  assert.deepEqual(stage.askedBy("sessions.subscribe"), []);
  assert.deepEqual(stage.askedBy("sessions.messages.subscribe").at(-1)?.["params"], {
    key: "main",
  });
});

test("[CLIENT-22] what two have subscribed to ends when both have left", async () => {
  await using stage = new Stage();
  await stage.connect();
  const leave: (() => void)[] = [];
  for (const _ of ["first", "second"]) {
    const subscribed = stage.client.subscribeSessions();
    await stage.answer("sessions.subscribe", { subscribed: true });
    leave.push(await subscribed);
  }
  leave[0]?.();
  assert.equal(stage.askedBy("sessions.unsubscribe").length, 0);
  leave[1]?.();
  assert.equal(stage.askedBy("sessions.unsubscribe").length, 1);
});

test("[CLIENT-22] a refused subscription is not kept; one refused on return is reported", async () => {
  const { refusal } = await import("../testing/stage.ts");
  const error = { code: "FORBIDDEN", message: "missing scope: operator.read" };
  await using stage = new Stage();
  await stage.connect();
  const refused = stage.client.subscribeSessions();
  stage.socket.say(refusal(stage.asked["id"], error)).flush();
  await assert.rejects(refused, /missing scope/);
  await stage.comeBack();
  assert.deepEqual(stage.askedBy("sessions.subscribe"), []);
  const kept = stage.client.subscribeSessions();
  await stage.answer("sessions.subscribe", { subscribed: true });
  await kept;
  await stage.comeBack();
  stage.socket.say(refusal(stage.askedBy("sessions.subscribe")[0]?.["id"], error)).flush();
  await turn();
  assert.deepEqual(
    stage.problems.map(({ kind }) => kind),
    ["subscription"],
  );
});
