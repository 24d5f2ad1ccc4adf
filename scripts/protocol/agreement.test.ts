/** The exported schema and the compiled declarations, asked the same questions. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { buildDocument, type ProtocolDocument } from "./document.ts";
import { arbitraryFor } from "./testing/arbitrary.ts";
import { changesOf, replacementsFor } from "./testing/changes.ts";
import {
  declaredValidators,
  definitionValidator,
  openAjv,
  resolverOf,
  type Verdict,
} from "./testing/validators.ts";

const document = buildDocument();
const ajv = openAjv(document);
const declared = declaredValidators();

describe("exported schema and compiled declarations", () => {
  for (const name of Object.keys(document.definitions)) {
    test(`[WIRE-9] ${name} means the same to both`, () => {
      const verdicts = { valid: 0, invalid: 0 };
      const { ours, theirs, values, replacements } = readersOf(name, document);
      compare(values, (value) => {
        assert.ok(ours(value));
        assert.ok(theirs(value));
        for (const change of changesOf(value, replacements)) {
          const verdict = ours(change);
          if (theirs(change) !== verdict) assert.fail(JSON.stringify({ verdict, change }));
          verdicts[verdict ? "valid" : "invalid"] += 1;
        }
      });
      assert.ok(verdicts.valid > 0 && verdicts.invalid > 0, JSON.stringify(verdicts));
    });
  }

  test("[WIRE-9] a constraint that got lost in the export would be noticed", () => {
    const name = "ChatHistoryParams";
    const { [name]: node = {}, ...definitions } = document.definitions;
    const { maxChars = {}, sessionKey = {}, ...properties } = node.properties ?? {};
    const lossy = [
      { ...node, required: [] },
      { ...node, additionalProperties: true },
      {
        ...node,
        properties: { ...properties, maxChars, sessionKey: { ...sessionKey, maxLength: 513 } },
      },
      {
        ...node,
        properties: { ...properties, sessionKey, maxChars: { ...maxChars, type: "number" } },
      },
    ];
    for (const each of lossy) {
      const tampered = { ...document, definitions: { ...definitions, [name]: each } };
      const { ours, theirs, values, replacements } = readersOf(name, tampered, document);
      assert.throws(() =>
        compare(values, (value) => {
          for (const change of changesOf(value, replacements)) {
            assert.equal(theirs(change), ours(change));
          }
        }),
      );
    }
  });
});

test("[WIRE-9] lengths are counted in code points, whatever the script", () => {
  const { ours, theirs } = readersOf("ChatInjectParams", document);
  const family = "\u{1F468}\u200D\u{1F469}";
  for (const unit of ["x", "\u00E9", "e\u0301", "\u{1F600}", family, "\uD800"]) {
    const longest = Math.floor(100 / Array.from(unit).length);
    const withLabel = (repeats: number): unknown => ({
      sessionKey: "main",
      message: "hi",
      label: unit.repeat(repeats),
    });
    for (const reader of [ours, theirs]) {
      assert.equal(reader(withLabel(longest)), true, `${longest} times ${unit}`);
      assert.equal(reader(withLabel(longest + 1)), false, `${longest + 1} times ${unit}`);
    }
  }
});

function compare(values: fc.Arbitrary<unknown>, check: (value: unknown) => void): void {
  fc.assert(fc.property(values, check), { seed: 20_260_110, numRuns: 5, endOnFailure: true });
}

interface Readers {
  readonly ours: Verdict;
  readonly theirs: Verdict;
  readonly values: fc.Arbitrary<unknown>;
  readonly replacements: readonly unknown[];
}

/** Both readers of one definition, and what `source` says to ask them. */
function readersOf(name: string, exported: ProtocolDocument, source = exported): Readers {
  const ours = declared.get(name);
  const node = source.definitions[name];
  const resolve = resolverOf(source);
  assert.ok(ours !== undefined && node !== undefined, name);
  const values = arbitraryFor(node, resolve);
  assert.ok(values !== undefined, name);
  const reader = exported === document ? ajv : openAjv(exported);
  const validate = definitionValidator(reader, exported.$id, name);
  const replacements = replacementsFor(node, resolve);
  return { ours, values, replacements, theirs: (value) => validate(value) };
}
