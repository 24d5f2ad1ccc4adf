/** The exported bridge schema and the compiled declarations, asked the same questions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile, type TSchema } from "@atrium/schema";
import * as fc from "fast-check";
import { BRIDGE_FRAMES, buildBridgeDocument } from "./bridge-document.ts";
import type { SchemaNode } from "./draft07.ts";
import { arbitraryFor } from "./testing/arbitrary.ts";
import { changesOf, replacementsFor } from "./testing/changes.ts";
import { definitionValidator, openAjv, resolverOf } from "./testing/validators.ts";

const document = buildBridgeDocument();
const ajv = openAjv(document);

test("[BRIDGE-81] it is draft-07, and says who sends what", async () => {
  assert.equal(await ajv.validateSchema(document, true), true);
  const fromPlugin = definitionValidator(ajv, document.$id, "FromPlugin");
  const fromServer = definitionValidator(ajv, document.$id, "FromServer");
  const reply = { type: "permission_reply", request_id: "abxyz", behavior: "deny" };
  assert.deepEqual([fromPlugin(reply), fromServer(reply)], [false, true]);
  const call = { type: "tool_call", call_id: "c1", tool: "echo", args: {} };
  assert.deepEqual([fromPlugin(call), fromServer(call)], [true, false]);
  assert.equal(ajv.validate(document.$id, call), true);
  assert.equal(ajv.validate(document.$id, { ...call, extra: 1 }), false);
});

for (const [type, schema] of Object.entries<TSchema>(BRIDGE_FRAMES)) {
  test(`[BRIDGE-81] ${type} means the same to both`, () => {
    const node = document.definitions[type];
    assert.ok(node);
    const resolve = resolverOf(document);
    const values = arbitraryFor(shortened(node), resolve);
    assert.ok(values);
    const ours = Compile(schema);
    const theirs = definitionValidator(ajv, document.$id, type);
    const replacements = replacementsFor(node, resolve);
    const verdicts = { valid: 0, invalid: 0 };
    const check = (value: unknown): void => {
      assert.ok(ours.Check(value));
      assert.ok(theirs(value));
      verdicts.valid += 1;
      for (const change of changesOf(value, replacements)) {
        const verdict = ours.Check(change);
        if (theirs(change) !== verdict) assert.fail(JSON.stringify({ verdict, change }));
        verdicts[verdict ? "valid" : "invalid"] += 1;
      }
    };
    fc.assert(fc.property(values, check), { seed: 20_260_110, numRuns: 5, endOnFailure: true });
    assert.ok(verdicts.valid > 0 && verdicts.invalid > 0, JSON.stringify(verdicts));
  });
}

/** Without the limit of a million characters: made as often as others, such texts would take minutes. */
function shortened(node: SchemaNode): SchemaNode {
  const { content, ...properties } = node.properties ?? {};
  if (content === undefined) return node;
  return { ...node, properties: { ...properties, content: { type: "string" } } };
}
