import assert from "node:assert/strict";
import { test } from "node:test";
import { createAnswerText } from "./answer-text.ts";

test("[OPENCLAW-1] deltas alone, wholes alone and both give the same answer", () => {
  const parts = ["At ", "noon", "."];
  for (const [withDelta, withWhole] of [
    [true, false],
    [false, true],
    [true, true],
  ]) {
    const spoken = createAnswerText();
    let whole = "";
    const told = parts.map((part) => {
      whole += part;
      return spoken.merge(withDelta ? part : undefined, withWhole ? whole : undefined);
    });
    assert.deepEqual(told, parts);
    assert.equal(spoken.concluded(whole), "");
  }
});

test("[OPENCLAW-1] what was missed is made up for, and what comes twice is told once", () => {
  const spoken = createAnswerText();
  assert.equal(spoken.merge("At ", "At "), "At ");
  assert.equal(spoken.merge("!", "At noon!"), "noon!");
  assert.equal(spoken.merge("noon", "At noon"), "");
  assert.equal(spoken.concluded("At noon! Boots."), " Boots.");
  assert.equal(createAnswerText().concluded("Whole."), "Whole.");
});

test("[OPENCLAW-1] an answer that turns out otherwise is told again, as a paragraph", () => {
  const spoken = createAnswerText();
  spoken.merge("At noon.", "At noon.");
  assert.equal(spoken.merge("At six", "At six"), "\n\nAt six");
  assert.equal(spoken.merge(".", "At six."), ".");
  assert.equal(spoken.concluded("At six."), "");
});

test("[OPENCLAW-1] paragraphs of a turn that the end writes as one are not told again", () => {
  const spoken = createAnswerText();
  spoken.merge("Let me look.", "Let me look.");
  spoken.merge("High.", "High.");
  assert.equal(spoken.concluded("Let me look.\nHigh."), "");
});
