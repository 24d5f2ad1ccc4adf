/** The exported world schema and the compiled declarations, asked the same questions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TSchema } from "@atrium/schema";
import { assertSameMeaning } from "./testing/same-meaning.ts";
import { definitionValidator, openAjv } from "./testing/validators.ts";
import { buildWorldDocument, WORLD_DEFINITIONS } from "./world-document.ts";

const document = buildWorldDocument();
const ajv = openAjv(document);
const { server, client, command } = WORLD_DEFINITIONS;

test("[WIRE-9] it is draft-07, and says who sends what", async () => {
  assert.equal(await ajv.validateSchema(document, true), true);
  const fromServer = definitionValidator(ajv, document.$id, "FromServer");
  const fromClient = definitionValidator(ajv, document.$id, "FromClient");
  const head = { id: "x_1", ts: 1, v: 1 };
  const ack = { ...head, type: "ack", payload: { in_reply_to: "cmd_001", status: "ok" } };
  assert.deepEqual([fromServer(ack), fromClient(ack)], [true, false]);
  const ping = { ...head, type: "ping", payload: {} };
  assert.deepEqual([fromServer(ping), fromClient(ping)], [false, true]);
  assert.equal(ajv.validate(document.$id, ack), true);
  assert.equal(ajv.validate(document.$id, { ...ack, extra: 1 }), false);
});

test("[WIRE-10] it has the protocol's thirteen types of message and all commands", () => {
  const types = [...Object.keys(server), ...Object.keys(client)].map((name) =>
    name.replace(/^[a-z]+_/, ""),
  );
  assert.deepEqual(
    [...new Set(types)].toSorted(),
    "ack agent_goal agent_stream chat command error event hello hello_ack ping pong snapshot subscribe".split(
      " ",
    ),
  );
  assert.equal(Object.keys(command).length, 29);
});

for (const [name, schema] of Object.entries<TSchema>({ ...server, ...client, ...command })) {
  test(`[WIRE-9] ${name} means the same to both`, () => {
    assertSameMeaning({ document, ajv, seed: 20_260_214 }, name, schema);
  });
}
