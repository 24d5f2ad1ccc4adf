import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse, type Outcome } from "@atrium/core";
import { DeferredResult, type CallMethod } from "./method-router.ts";
import {
  openSession,
  UnreadableMessage,
  type SessionCaller,
  type SessionProtocol,
} from "./session-loop.ts";

/** `id method`, answered with `id method value` or `id method code`; anything else cannot be read. */
const protocol: SessionProtocol<{ readonly words: readonly string[] }> = {
  read(text) {
    const words = text.split(" ");
    return words.length === 2 ? { words } : new UnreadableMessage("not two words");
  },
  route: ({ words: [id, method = ""] }) => ({ id, method, params: {} }),
  encode(id = "?", method = "?", outcome) {
    if (!outcome.ok) return `${id} ${method} ${outcome.code}`;
    return typeof outcome.value === "string" ? `${id} ${method} ${outcome.value}` : undefined;
  },
  tooManyErrors: { code: 1008, reason: "enough" },
};

function openPeer(call: CallMethod<SessionCaller>) {
  const sent: string[] = [];
  const errorBudget = { allowsDetail: () => true, isExhausted: false };
  const who: SessionCaller = {
    principal: { credential: { kind: "local" }, address: "", isLocal: true },
    scopes: new Set<string>(),
    errorBudget,
  };
  const session = openSession(
    {
      send: (text) => void sent.push(text),
      close: (code, reason) => void sent.push(`closed ${code} ${reason}`),
    },
    protocol,
    who,
    call,
  );
  return { session, sent, errorBudget };
}

test("[GW-30] a refusal is answered, and closes the connection once there were too many", () => {
  const { session, sent, errorBudget } = openPeer(() => refuse("method.unknown"));
  void session.receive("nonsense");
  void session.receive("1 paint");
  errorBudget.isExhausted = true;
  void session.receive("2 paint");
  assert.deepEqual(sent, [
    "? ? frame.malformed",
    "1 paint method.unknown",
    "2 paint method.unknown",
    "closed 1008 enough",
  ]);
});

test("[GW-30] each frame has its answers in the order of the calls, and none after the close", async () => {
  const late = Promise.withResolvers<Outcome<unknown>>();
  const { session, sent } = openPeer((name) => {
    if (name === "defer") return accept(new DeferredResult("begun", late.promise));
    return name === "silent" ? accept(undefined) : Promise.resolve(accept("done"));
  });
  void session.receive("1 silent");
  await session.receive("2 paint");
  await session.receive("3 defer");
  late.resolve(accept("over"));
  await late.promise;
  assert.deepEqual(sent, ["2 paint done", "3 defer begun", "3 defer over"]);
  const last = session.receive("4 paint");
  session.closed();
  await last;
  void session.receive("5 paint");
  assert.equal(sent.length, 3);
});
