import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { toChannelMessage } from "./channel-message.ts";
import { RecentIds } from "./recent-ids.ts";

const metaOf = (meta: object) =>
  toChannelMessage({
    type: "inbound_message",
    request_id: "m1",
    content: "hi",
    meta: { chat_id: "main", ...meta },
  }).meta;

test("[PLUGIN-2] names become identifiers and values text", () => {
  assert.deepEqual(
    metaOf({ "chat-id": "other", "2fast": true, n: 7, gone: null, list: [1], "ü x": "y" }),
    {
      chat_id: "main",
      n: "7",
      list: "[1]",
      _2fast: "true",
      __x: "y",
    },
  );
});

test("[PLUGIN-2] attachments are counted and given as text", () => {
  assert.deepEqual(metaOf({ attachments: [{ name: "a" }, "b"] }), {
    chat_id: "main",
    attachment_count: "2",
    attachments: '[{"name":"a"},"b"]',
  });
  assert.deepEqual(metaOf({ attachments: [] }), { chat_id: "main" });
});

test("[PLUGIN-2] whatever comes, Claude Code would take it whole", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), (meta) => {
      const { attachments: _none, ...rest } = meta;
      for (const [name, value] of Object.entries(metaOf(rest))) {
        assert.match(name, /^[a-zA-Z_][a-zA-Z0-9_]*$/);
        assert.equal(typeof value, "string");
      }
    }),
  );
});

test("[PLUGIN-2] an id counts once for as long as it is remembered", () => {
  const ids = new RecentIds(2);
  assert.deepEqual(
    ["a", "a", "b", "a", "c", "b", "a"].map((id) => ids.add(id)),
    [true, false, true, false, true, false, true],
  );
});
