import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog } from "@atrium/log";
import * as fc from "fast-check";
import { createDispatch } from "../engine/dispatch.ts";
import { createTestTime, given } from "../testing/index.ts";
import { coalesce } from "./coalesce.ts";
import { isRecent, noIds, remember, REMEMBERED_IDS, type RecentIds } from "./recent-ids.ts";
import { signalSource, type SignalsReceived } from "./signal-source.ts";
import { isEphemeral, type Signal } from "./signal.ts";

function signal(id: string, type = "tool_call", payload: object = { agentId: "a" }): Signal {
  return { id, type, timestamp: 1, source: "test", payload: { ...payload } };
}

const words = (id: string, content: string, agentId = "a", type = "text_delta"): Signal =>
  signal(id, type, { agentId, content });

function receive(history: readonly SignalsReceived[], ...signals: readonly Signal[]) {
  const outcome = given(signalSource, ...history).when({ type: "receive", signals, passed: [] });
  assert.ok(outcome.ok);
  return outcome.value;
}

test("[SIG-2] what one request brings is one event, and an id is kept once", () => {
  const first = receive([], signal("1"), signal("2"), signal("1"));
  assert.equal(first.length, 1);
  assert.deepEqual(
    first[0]?.signals.map(({ id }) => id),
    ["1", "2"],
  );
  assert.deepEqual(receive(first, signal("2"), signal("1")), []);
  assert.deepEqual(
    receive(first, signal("2"), signal("3"))[0]?.signals.map(({ id }) => id),
    ["3"],
  );
  assert.equal(receive([], signal(""), signal(""))[0]?.signals.length, 2);
});

test("[SIG-2] the ids of what was kept together are known too", () => {
  const first = receive([], words("1", "a"), words("2", "b"), words("3", "c"));
  assert.deepEqual(first[0]?.merged, ["2", "3"]);
  assert.deepEqual(receive(first, words("2", "b"), words("3", "c")), []);
});

test("[SIG-2] of ids at least so many are known, and at most twice as many", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 30 });
  const check = (counts: readonly number[]): void => {
    let recent: RecentIds = noIds;
    let last = 0;
    for (const count of counts) {
      const ids = Array.from({ length: count }, () => String(++last));
      recent = remember(recent, ids);
    }
    for (let n = Math.max(1, last - REMEMBERED_IDS + 1); n <= last; n++) {
      assert.ok(isRecent(recent, String(n)), `${n} of ${last}`);
    }
    const total = recent.reduce((sum, { size }) => sum + size, 0);
    assert.ok(total <= 2 * REMEMBERED_IDS + 700);
    assert.ok(recent.length < 20);
  };
  fc.assert(fc.property(sizes, check), { seed: 5, numRuns: 50 });
});

test("[SIG-2] after a restart the ids of the newest entries are known", async () => {
  await using log = openMemoryLog();
  const send = (id: string) =>
    createDispatch({ log, clock: createTestTime(), settled: () => undefined })(
      signalSource,
      "test",
      {
        type: "receive",
        signals: [signal(id)],
        passed: [],
      },
    );
  for (let n = 0; n < 300; n++) await send(`s${n}`);
  assert.equal(log.head, 300);
  for (let n = 299; n > 299 - 200; n--) await send(`s${n}`);
  assert.equal(log.head, 300);
  await send("s0");
  assert.equal(log.head, 301);
});

test("[SIG-3] words are kept together and a pointer where it rests", () => {
  const kept = coalesce([
    words("1", "one "),
    words("2", "uno ", "b"),
    words("3", "two"),
    words("4", "hm", "a", "thinking"),
    words("5", " three"),
    signal("6"),
    words("7", "four"),
    signal("8", "user.point", { position: { x: 1, y: 1 } }),
    signal("9", "user.point", { position: { x: 2, y: 2 } }),
  ]);
  assert.deepEqual(
    kept.map(({ id, payload, metadata }) => [
      id,
      payload["content"] ?? payload["position"],
      metadata,
    ]),
    [
      ["1", "one two", { coalesced: 2 }],
      ["2", "uno ", undefined],
      ["4", "hm", undefined],
      ["5", " three", undefined],
      ["6", undefined, undefined],
      ["7", "four", undefined],
      ["9", { x: 2, y: 2 }, { coalesced: 2 }],
    ],
  );
});

test("[SIG-3] whatever comes, no word is lost and none changes its place", () => {
  const kinds = fc.constantFrom("text_delta", "thinking", "tool_call");
  const stream = fc.array(fc.tuple(kinds, fc.constantFrom("a", "b"), fc.string({ maxLength: 3 })));
  const said = (signals: readonly Signal[], agentId: string): string =>
    signals
      .filter((each) => each.payload["agentId"] === agentId)
      // Where words of one kind follow each other, where they are cut says nothing.
      .map(({ type, payload }) => `\n${type}\n${String(payload["content"])}`)
      .join("")
      .replaceAll(/(\n(text_delta|thinking)\n[^\n]*)(?:\n\2\n)/g, "$1");
  const joined = (text: string): string => {
    const next = text.replaceAll(/(\n(text_delta|thinking)\n[^\n]*)\n\2\n/g, "$1");
    return next === text ? text : joined(next);
  };
  const check = (pieces: readonly (readonly [string, string, string])[]): void => {
    const signals = pieces.map(([type, agent, content], index) =>
      words(String(index), content.replaceAll("\n", ""), agent, type),
    );
    const kept = coalesce(signals);
    for (const agent of ["a", "b"]) {
      assert.equal(joined(said(kept, agent)), joined(said(signals, agent)));
    }
    assert.deepEqual(
      kept.filter((each) => !isEphemeral(each)),
      signals.filter((each) => !isEphemeral(each)),
    );
  };
  fc.assert(fc.property(stream, check), { seed: 7 });
});
