import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { newSessionSecret } from "../../access/session-secret.ts";
import { maskDeep, maskText, secretBegun } from "./mask.ts";

const KNOWN = ["tk-0123456789abcdef", "tk-tk-tk-tk-tk-tk-x", "aatr_atr_aaaaaaaaaa", "é".repeat(16)];
const ofBrowser = newSessionSecret();
const ofController = `qpc_${"0af9".repeat(16)}`;
const MASK = "[key]";

/** Without looking first whether there is anything to mask. */
function maskPlainly(text: string): string {
  let masked = text;
  for (const secret of KNOWN) masked = masked.split(secret).join(MASK);
  return masked.replace(/atr_[\w-]{43}/g, MASK).replace(/qpc_[0-9a-f]{64}/g, MASK);
}

/** By trying every length. */
function secretBegunPlainly(text: string): number {
  for (let length = text.length; length > 0; length--) {
    const end = text.slice(-length);
    if (KNOWN.some((secret) => secret.length > length && secret.startsWith(end))) return length;
    if (/^(?:a|at|atr|atr_[\w-]{0,42})$/.test(end)) return length;
    if (/^(?:q|qp|qpc|qpc_[0-9a-f]{0,63})$/.test(end)) return length;
  }
  return 0;
}

const piece = fc.oneof(
  fc.constantFrom("a", "at", "atr", "atr_", "q", "qpc_", "tk-", "-", " ", "é", "x", "[key]"),
  fc
    .constantFrom(...KNOWN, ofBrowser, ofController)
    .chain((secret) => fc.nat({ max: secret.length }).map((length) => secret.slice(0, length))),
  fc.constantFrom(...KNOWN, ofBrowser, ofController),
);
const texts = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

test("[AGENT-12] looking first for what may be a secret masks what looking at everything would", () => {
  fc.assert(
    fc.property(texts, (text) => {
      assert.equal(maskText(text, KNOWN), maskPlainly(text));
    }),
    { numRuns: 2_000 },
  );
});

test("[AGENT-11] where a secret may have begun is found as trying every length would find it", () => {
  fc.assert(
    fc.property(texts, (text) => {
      assert.equal(secretBegun(text, KNOWN), secretBegunPlainly(text));
    }),
    { numRuns: 2_000 },
  );
});

test("[AGENT-12] values are masked through and through, names too, and are themselves where nothing is secret", () => {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(texts, fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(texts, fc.constant("__proto__")), tie("tree"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const before = JSON.stringify(value);
      const masked = maskDeep(value, KNOWN);
      assert.deepEqual(masked, walkPlainly(value));
      assert.equal(JSON.stringify(value), before);
      if (JSON.stringify(masked) === before && isPlain(value)) assert.equal(masked, value);
    }),
    { numRuns: 1_000 },
  );
});

test("[AGENT-12] what is more than its members comes out as its members alone", () => {
  class Sly {
    readonly shown = "nothing here";
    toJSON(): string {
      return KNOWN[0] ?? "";
    }
  }
  assert.equal(JSON.stringify(maskDeep([new Sly()], KNOWN)), '[{"shown":"nothing here"}]');
});

function walkPlainly(value: unknown): unknown {
  if (typeof value === "string") return maskPlainly(value);
  if (Array.isArray(value)) return value.map(walkPlainly);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [maskPlainly(name), walkPlainly(part)]),
  );
}

function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every(isPlain);
}
