/** Asks the exported schema and the declaration it came from the same questions, right and wrong ones. */
import assert from "node:assert/strict";
import { Compile, type TSchema } from "@atrium/schema";
import * as fc from "fast-check";
import type { SchemaNode } from "../draft07.ts";
import type { MessageDocument } from "../message-document.ts";
import { arbitraryFor } from "./arbitrary.ts";
import { changesOf, replacementsFor } from "./changes.ts";
import { definitionValidator, resolverOf, type openAjv } from "./validators.ts";

export interface SameMeaning {
  readonly document: MessageDocument;
  readonly ajv: ReturnType<typeof openAjv>;
  readonly seed: number;
}

export function assertSameMeaning(
  { document, ajv, seed }: SameMeaning,
  name: string,
  schema: TSchema,
): void {
  const node = document.definitions[name];
  assert.ok(node);
  const resolve = resolverOf(document);
  const values = arbitraryFor(shortened(node), resolve);
  assert.ok(values);
  const ours = Compile(schema);
  const theirs = definitionValidator(ajv, document.$id, name);
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
  fc.assert(fc.property(values, check), { seed, numRuns: 5, endOnFailure: true });
  assert.ok(verdicts.valid > 0 && verdicts.invalid > 0, JSON.stringify(verdicts));
}

/** Without the limits of many thousand characters: made as often as others, such texts would take minutes. */
function shortened(node: SchemaNode): SchemaNode {
  return JSON.parse(
    JSON.stringify(node, (name, value: unknown) =>
      name === "maxLength" && Number(value) > 1_000 ? undefined : value,
    ),
  ) as SchemaNode;
}
