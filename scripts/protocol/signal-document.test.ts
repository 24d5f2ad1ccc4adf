/** The exported signal schema and the check that runs, asked the same questions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSignalReader, SIGNAL_PAYLOADS } from "@atrium/wire/signal";
import * as fc from "fast-check";
import { buildSignalDocument } from "./signal-document.ts";
import { arbitraryFor } from "./testing/arbitrary.ts";
import { changesOf, replacementsFor } from "./testing/changes.ts";
import { openAjv, resolverOf } from "./testing/validators.ts";

const document = buildSignalDocument();
const ajv = openAjv(document);
const read = createSignalReader();
const ours = (value: unknown): boolean => !("reason" in read(value));
const theirs = (value: unknown): boolean => ajv.validate(document.$id, value);
const BASE = { id: "1", timestamp: 1, source: "s", correlationId: "c", metadata: { a: 1 } };

test("[WIRE-9] it is draft-07 and has a rule for every well-known type", async () => {
  assert.equal(await ajv.validateSchema(document, true), true);
  assert.deepEqual(Object.keys(document.definitions), Object.keys(SIGNAL_PAYLOADS));
  assert.equal(theirs({ ...BASE, type: "anything", payload: { any: 1 } }), true);
});

for (const type of Object.keys(SIGNAL_PAYLOADS)) {
  test(`[WIRE-9] ${type} means the same to both`, () => {
    const node = document.definitions[type];
    assert.ok(node);
    const resolve = resolverOf(document);
    const payloads = arbitraryFor(node, resolve);
    assert.ok(payloads);
    const replacements = replacementsFor(node, resolve);
    const verdicts = { valid: 0, invalid: 0 };
    const compare = (value: unknown): void => {
      const verdict = ours(value);
      if (theirs(value) !== verdict) assert.fail(JSON.stringify({ verdict, value }));
      verdicts[verdict ? "valid" : "invalid"] += 1;
    };
    const check = (payload: unknown): void => {
      const signal = { ...BASE, type, payload };
      assert.ok(ours(signal) && theirs(signal), JSON.stringify(signal));
      for (const change of changesOf(payload, replacements)) {
        compare({ ...signal, payload: change });
      }
      for (const change of changesOf(signal, replacements)) compare(change);
    };
    fc.assert(fc.property(payloads, check), { seed: 20_261_115, numRuns: 10, endOnFailure: true });
    assert.ok(verdicts.valid > 0 && verdicts.invalid > 0, JSON.stringify(verdicts));
  });
}
