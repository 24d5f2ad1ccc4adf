import assert from "node:assert/strict";
import { test } from "node:test";
import { isFault } from "../../contract/log-steps.ts";
import type { Tick } from "./decide.ts";
import { encodeFrame, hashIn } from "./frame.ts";
import { decodeMessage, encodeMessage, NO_HASH, type ChainMessage } from "./message.ts";
import { decodeTick, encodeTick } from "./tick-frame.ts";

const author = { node: "n", life: "l" };
const base = { author, previous: NO_HASH, first: 4 };
const text = JSON.stringify({ half: "\ud83d", line: "a\nb", emoji: "😀", __proto__key: 1 });

const MESSAGES: readonly ChainMessage[] = [
  { ...base, body: { kind: "genesis", epoch: "e", keyRetentionMs: 5 } },
  {
    ...base,
    body: {
      kind: "erase",
      rewrites: [
        { seq: 2, text },
        { seq: 3, text: "null" },
      ],
    },
  },
  {
    ...base,
    body: {
      kind: "ticks",
      ticks: [
        {
          author: { node: "other\n", life: "__proto__" },
          counter: 7,
          appends: [
            {
              stream: "desk / ünïcode: 机",
              key: { id: "constructor", digest: "d" },
              entries: [
                { type: "😀", at: 1.5, text },
                { type: "t", at: -1, text: '"ü"' },
              ],
            },
            { stream: "s", key: undefined, entries: [] },
          ],
          refusals: [{ index: 1, reason: "repeated", seq: 3, count: 2 }],
        },
      ],
    },
  },
];

test("[CHAIN-12] a message reads back as it was written, and carries its own hash", () => {
  for (const message of MESSAGES) {
    const bytes = encodeMessage(message);
    assert.deepEqual(decodeMessage(bytes), { message, hash: hashIn(bytes) });
  }
});

test("[CHAIN-12] a message with one bit changed, or cut anywhere, is recognized as damaged", () => {
  for (const message of MESSAGES) {
    const bytes = encodeMessage(message);
    for (let at = 0; at < bytes.length; at++) {
      const flipped = Uint8Array.from(bytes);
      flipped[at] = flipped[at]! ^ (1 << (at % 8));
      assert.throws(() => decodeMessage(flipped), isFault("corrupt"));
      assert.throws(() => decodeMessage(bytes.subarray(0, at)), isFault("corrupt"));
    }
  }
});

test("[CHAIN-12] fields of a later step are left alone, and a newer format is refused", () => {
  const header = { format: 1, author: ["n", "l"], previous: NO_HASH, first: 1, later: { x: [1] } };
  const later = encodeFrame(() => ({ ...header, genesis: ["e", 5, 0, "more"] }));
  assert.equal(decodeMessage(later).message.body.kind, "genesis");
  const newer = encodeFrame(() => ({ ...header, format: 2, genesis: ["e", 5] }));
  assert.throws(() => decodeMessage(newer), isFault("foreign"));
  for (const strange of [
    { ...header },
    { ...header, ticks: [[["n", "l"], 1, [["s"]], []]] },
    { ...header, ticks: {} },
    { ...header, author: ["n"], genesis: ["e", 5] },
    { ...header, erase: [[1, 10]] },
  ]) {
    assert.throws(() => decodeMessage(encodeFrame(() => strange)), isNoMessage);
  }
});

test("a tick reads back as it was sent", () => {
  const key = { id: "k", digest: "d" };
  const entries = [{ seq: 0, stream: "s", type: "t", at: 1, data: undefined }];
  const plain = { stream: "s", key: undefined, guard: undefined, bytes: 0 };
  const tick: Tick = {
    author,
    counter: 3,
    previous: { stream: "s", version: 9 },
    appends: [
      { ...plain, expected: 12, entries, texts: [text] },
      { ...plain, expected: "any", key, guard: { stream: "g", version: 2 }, entries, texts: ["1"] },
      { ...plain, expected: "after-previous", entries: [], texts: [] },
    ],
    bytes: 0,
  };
  for (const sent of [tick, { ...tick, previous: undefined }]) {
    const bytes = encodeTick(sent);
    assert.deepEqual(decodeTick(bytes), { ...sent, bytes: bytes.length });
  }
});

function isNoMessage(error: unknown): boolean {
  return isFault("foreign")(error) || isFault("corrupt")(error);
}
