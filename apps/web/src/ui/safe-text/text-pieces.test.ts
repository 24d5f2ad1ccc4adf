import assert from "node:assert/strict";
import { test } from "node:test";
import { piecesOf } from "./text-pieces.ts";

/** As it is read, one piece below the other. */
function joined(text: string): string {
  const pieces = piecesOf(text);
  return pieces
    .map((piece, at) => {
      const next = pieces[at + 1]?.from ?? text.length;
      return next - piece.from > piece.text.length ? `${piece.text}\n` : piece.text;
    })
    .join("");
}

test("[WEB-23] a long text in pieces is all of it, and no line or sign is torn that need not be", () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => `line ${at}`).join("\n");
  assert.equal(joined(lines), lines);
  assert.ok(piecesOf(lines).length > 10);
  assert.ok(piecesOf(lines).every(({ text }) => /^line \d+(?:\n|$)/.test(text)));
  const endless = "🙂".repeat(60_000);
  assert.equal(joined(endless), endless);
  assert.ok(
    piecesOf(endless).every(({ text }) => text.length % 2 === 0),
    "no sign is torn",
  );
  assert.deepEqual(piecesOf("short\n"), [{ from: 0, text: "short", lines: 1 }]);
  assert.deepEqual(piecesOf(""), []);
});
