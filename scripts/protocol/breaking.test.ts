import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { findBreaks, type Schema } from "./breaking.ts";
import { readText } from "./files.ts";

const FROM_PLUGIN = new Set(["FromPlugin", "hello", "tool_call", "permission_request", "ping"]);
const PROTOCOLS: readonly (readonly [string, (definition: string) => boolean])[] = [
  ["world", (name) => /^(?:client_|command_|FromClient$)/.test(name)],
  ["bridge", (name) => FROM_PLUGIN.has(name)],
  ["signal", () => true],
];

/** The schema is what plugins read, from other servers too; ours still sends both, which the bridge's own tests show. */
const READ_LENIENTLY = new Set([
  "hello_ack/tools[]/description: is no longer always there",
  "hello_ack/tools[]/input_schema: is no longer always there",
]);

async function readSchema(path: string): Promise<Schema> {
  const text = await readText(path);
  assert.ok(text !== undefined, `there is no ${path}`);
  return JSON.parse(text) as Schema;
}

test("[WIRE-13] what is published breaks nobody who relies on what was published before", async () => {
  const versions = await readdir(join(import.meta.dirname, "baseline"));
  assert.deepEqual(versions.toSorted(), ["0.1.0", "0.2.0"]);
  for (const version of versions) {
    for (const [name, isReceived] of PROTOCOLS) {
      const before = await readSchema(`scripts/protocol/baseline/${version}/${name}.schema.json`);
      const after = await readSchema(`dist/${name}.schema.json`);
      const breaks = findBreaks({ before, after, isReceived });
      const found = breaks.filter((each) => !READ_LENIENTLY.has(each));
      assert.deepEqual(found, [], `${name} of ${version}`);
      assert.deepEqual(findBreaks({ before, after: before, isReceived }), []);
    }
  }
});

const string = { type: "string" };
const object = (properties: Schema, required: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const breaks = (side: "sent" | "received", before: Schema, after: Schema): readonly string[] =>
  findBreaks({
    before: { definitions: { it: before } },
    after: { definitions: { it: after } },
    isReceived: () => side === "received",
  });

test("[WIRE-13] each class of a breaking change is found, and additions are none", () => {
  const was = object({ a: string, b: string }, ["a"]);
  assert.deepEqual(
    breaks("sent", was, object({ a: string, b: string, c: string }, ["a", "c"])),
    [],
  );
  assert.deepEqual(breaks("received", was, object({ a: string, b: string, c: string }, ["a"])), []);
  assert.deepEqual(breaks("received", was, object({ a: string, b: string }, ["a", "b"])), [
    "it/b: is now required",
  ]);
  assert.deepEqual(breaks("sent", was, object({ a: string, b: string })), [
    "it/a: is no longer always there",
  ]);
  assert.deepEqual(breaks("sent", was, object({ a: string }, ["a"])), ["it/b: is gone"]);
  assert.deepEqual(breaks("received", was, object({ a: string }, ["a"])), [
    "it/b: is no longer taken",
  ]);
  assert.deepEqual(breaks("sent", was, object({ a: { type: "number" }, b: string }, ["a"])), [
    'it/a: was "string", is "number"',
  ]);
  assert.deepEqual(breaks("received", string, { ...string, maxLength: 9 }), [
    "it: maxLength is tighter",
  ]);
  assert.deepEqual(breaks("received", { enum: ["a", "b"] }, { enum: ["a"] }), [
    'it: "b" is no longer taken',
  ]);
  const tagged = (name: string): Schema => object({ name: { const: name } }, ["name"]);
  const both = { anyOf: [tagged("one"), tagged("two")] };
  assert.deepEqual(breaks("sent", both, { anyOf: [tagged("two"), tagged("three")] }), [
    "it<one>: is gone",
  ]);
  const gone = findBreaks({
    before: { definitions: { it: was } },
    after: { definitions: {} },
    isReceived: () => true,
  });
  assert.deepEqual(gone, ["it: is gone"]);
});
