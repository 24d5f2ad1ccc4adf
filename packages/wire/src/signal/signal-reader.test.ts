/** The protocol's own tables, field by field. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSignalReader, WELL_KNOWN_TYPES } from "./signal-reader.ts";

const read = createSignalReader();
const BASE = { id: "sig-1", timestamp: 1_700_000_000_000, source: "adapter:openclaw" };
const POSITION = { x: 1.5, y: -2 };

/** Required fields, then optional ones. */
const TABLE: Readonly<Record<string, readonly [object, object]>> = {
  task_dispatch: [{ taskId: "t1", from: "user", to: "agent-1" }, { description: "Do it" }],
  tool_call: [
    { toolName: "search", agentId: "a1" },
    { callId: "c1", input: { q: "x" } },
  ],
  tool_result: [
    { toolName: "search", agentId: "a1", success: true },
    { callId: "c1", output: { hits: 3 } },
  ],
  token_usage: [
    { agentId: "a1", promptTokens: 0, completionTokens: 12 },
    { model: "m", cost: 0.0012 },
  ],
  agent_state_change: [{ agentId: "a1", from: "idle", to: "thinking" }, { reason: "asked" }],
  error: [
    { message: "no", severity: "critical" },
    { agentId: "a1", code: "E1" },
  ],
  completion: [
    { taskId: "t1", success: false },
    { agentId: "a1", result: "none" },
  ],
  text_delta: [
    { agentId: "a1", content: "" },
    { contentType: "markdown", index: 0 },
  ],
  thinking: [{ agentId: "a1", content: "hm" }, {}],
  "user.click": [{ target: "desk" }, { position: POSITION }],
  "user.move": [{ entityId: "a1", toSlot: "s1" }, { toZone: "z1" }],
  "user.zone": [{ bounds: { x: 0, y: 0, w: 0, h: 10 } }, { intent: "group" }],
  "user.command": [{ entityId: "a1", action: "pause" }, { params: { now: true } }],
  "user.point": [{ position: POSITION }, { zone: "z1" }],
};

test("[SIG-1] the table has every well-known type", () => {
  assert.deepEqual(Object.keys(TABLE).toSorted(), WELL_KNOWN_TYPES.toSorted());
});

for (const [type, [required, optional]] of Object.entries(TABLE)) {
  test(`[SIG-1] ${type} is read with what it needs and what it may have, and no other way`, () => {
    const bare = { ...BASE, type, payload: required };
    const full = {
      ...BASE,
      type,
      correlationId: "run",
      metadata: { any: [1] },
      payload: { ...required, ...optional },
    };
    assert.equal(read(bare), bare);
    assert.equal(read(full), full);
    for (const name of Object.keys(required)) {
      const { [name]: _gone, ...rest } = required as Record<string, unknown>;
      assert.deepEqual(read({ ...bare, payload: rest }), {
        path: `/payload/${name}`,
        reason: "is required",
      });
    }
    for (const name of Object.keys({ ...required, ...optional })) {
      const found = read({ ...full, payload: { ...full.payload, [name]: null } });
      assert.ok("reason" in found && found.path === `/payload/${name}`, JSON.stringify(found));
    }
    const more = read({ ...bare, payload: { ...required, channel: "x" } });
    assert.deepEqual(more, { path: "/payload/channel", reason: "is not a key that belongs here" });
  });
}

test("[SIG-1] any text is a type, and its payload is any object", () => {
  for (const type of ["deploy.finished", "", "constructor", "__proto__", "TOOL_CALL"]) {
    const signal = { ...BASE, type, payload: { anything: [null] } };
    assert.equal(read(signal), signal);
    for (const payload of [null, [], "x", 7, undefined]) {
      assert.ok("reason" in read({ ...signal, payload }), String(payload));
    }
  }
});

test("[SIG-1] the envelope is closed, and nothing of it is made up", () => {
  const signal = { ...BASE, type: "x", payload: {} };
  for (const name of Object.keys(signal)) {
    const { [name]: _gone, ...rest } = signal as Record<string, unknown>;
    assert.deepEqual(read(rest), { path: `/${name}`, reason: "is required" });
  }
  for (const more of [
    { seq: 1 },
    { v: 1 },
    { correlationId: null },
    { metadata: [] },
    { timestamp: "1" },
  ]) {
    assert.ok("reason" in read({ ...signal, ...more }), JSON.stringify(more));
  }
  for (const timestamp of [-1, 0, 1.5]) assert.ok("id" in read({ ...signal, timestamp }));
});

test("[SIG-1] what is wrong is told by where it is and why", () => {
  const cases: readonly (readonly [unknown, string, RegExp])[] = [
    [7, "", /an object/],
    [null, "", /an object/],
    [[], "", /an object/],
    [{ ...BASE, type: "x", payload: {}, "a/b~c": 1 }, "/a~1b~0c", /not a key/],
    [{ ...BASE, type: 7, payload: {} }, "/type", /string/],
    [
      { ...BASE, type: "error", payload: { message: "m", severity: "bad" } },
      "/payload/severity",
      /one of "warning", "error", "critical"/,
    ],
    [
      {
        ...BASE,
        type: "token_usage",
        payload: { agentId: "a", promptTokens: -1, completionTokens: 0 },
      },
      "/payload/promptTokens",
      /0/,
    ],
    [
      { ...BASE, type: "user.point", payload: { position: { x: 1, y: "2" } } },
      "/payload/position/y",
      /number/,
    ],
  ];
  for (const [value, path, reason] of cases) {
    const found = read(value);
    assert.ok("reason" in found, JSON.stringify(value));
    assert.equal(found.path, path);
    assert.match(found.reason, reason);
  }
});
