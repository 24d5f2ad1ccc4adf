import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { BuildLineReader, type Passage } from "./line-reader.ts";

function read(...deltas: readonly string[]): readonly Passage[] {
  const reader = new BuildLineReader();
  return [...deltas.flatMap((delta) => reader.push(delta)), ...reader.finish()];
}

const brief = (passages: readonly Passage[]): readonly string[] =>
  passages.map((each) => (each.kind === "event" ? each.event.type : `${each.kind}: ${each.text}`));

test("[BUILD-11] events are found on lines, over lines, in arrays and in fences, with text around", () => {
  const text = [
    "Sure, here we go.",
    '{"type":"a","payload":{}}',
    '  {"type":"b"}  ',
    "",
    "```json",
    "{",
    '  "type": "c",',
    '  "payload": { "text": "{ not [ a bracket" }',
    "}",
    '{"type":"d"}',
    "```",
    '[{"type":"e"},{"type":"f"}]',
    '{"type":"g"}',
  ].join("\n");
  assert.deepEqual(brief(read(text)), ["plain: Sure, here we go.", ..."abcdefg".split("")]);
});

test("[BUILD-11] an event is found as soon as its line has ended", () => {
  const reader = new BuildLineReader();
  assert.deepEqual(reader.push('{"type":'), []);
  assert.deepEqual(reader.push('"a"}'), []);
  assert.deepEqual(brief(reader.push("\n")), ["a"]);
});

test("[BUILD-11] what was meant as an event and is none is malformed; other JSON is text", () => {
  assert.deepEqual(brief(read('{"type":"a",}\n{"type":"b"}')), ['malformed: {"type":"a",}', "b"]);
  assert.deepEqual(brief(read('{"type":"a",\n{"type":"b"}')), ['malformed: {"type":"a",', "b"]);
  assert.deepEqual(brief(read('{"type":"a"')), ['malformed: {"type":"a"']);
  assert.deepEqual(brief(read('{type: "a"}')), ['malformed: {type: "a"}']);
  assert.deepEqual(brief(read('{"port":1}\n{ or not')), ['plain: {"port":1}', "plain: { or not"]);
  assert.deepEqual(brief(read("[1, 2]\n[x]")), ["plain: [1, 2]", "plain: [x]"]);
});

test("[BUILD-11] a bracket that never closes is not held for ever", () => {
  const [first] = read("{\n", ...Array.from({ length: 300 }, () => `${"x".repeat(1_000)}\n`));
  assert.ok(first?.kind === "plain" && first.text.length < 300_000);
});

test("[BUILD-11] how the text is cut into pieces does not matter", () => {
  const whole = 'Hi\n{"type":"a","payload":{"text":"ü\\n"}}\n```\n{\n"type":"b"\n}\n```\nbye';
  fc.assert(
    fc.property(fc.array(fc.nat({ max: whole.length })), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
      const pieces = places.slice(1).map((end, at) => whole.slice(places[at], end));
      assert.deepEqual(read(...pieces), read(whole));
    }),
  );
});
