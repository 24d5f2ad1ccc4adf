/** The exported bridge schema and the compiled declarations, asked the same questions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TSchema } from "@atrium/schema";
import { BRIDGE_FRAMES, buildBridgeDocument } from "./bridge-document.ts";
import { assertSameMeaning } from "./testing/same-meaning.ts";
import { definitionValidator, openAjv } from "./testing/validators.ts";

const document = buildBridgeDocument();
const ajv = openAjv(document);

test("[WIRE-9] it is draft-07, and says who sends what", async () => {
  assert.equal(await ajv.validateSchema(document, true), true);
  const fromPlugin = definitionValidator(ajv, document.$id, "FromPlugin");
  const fromServer = definitionValidator(ajv, document.$id, "FromServer");
  const reply = { type: "permission_reply", request_id: "abxyz", behavior: "deny" };
  assert.deepEqual([fromPlugin(reply), fromServer(reply)], [false, true]);
  const call = { type: "tool_call", call_id: "c1", tool: "echo", args: {} };
  assert.deepEqual([fromPlugin(call), fromServer(call)], [true, false]);
  assert.equal(ajv.validate(document.$id, call), true);
  assert.equal(ajv.validate(document.$id, { ...call, extra: 1 }), true);
  assert.equal(ajv.validate(document.$id, { ...call, call_id: 1 }), false);
});

for (const [type, schema] of Object.entries<TSchema>(BRIDGE_FRAMES)) {
  test(`[WIRE-9] ${type} means the same to both`, () => {
    assertSameMeaning({ document, ajv, seed: 20_260_110 }, type, schema);
  });
}
