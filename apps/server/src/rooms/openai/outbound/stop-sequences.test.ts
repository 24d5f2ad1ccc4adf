import assert from "node:assert/strict";
import { test } from "node:test";
import { createStopFilter } from "./stop-sequences.ts";

function cut(stops: readonly string[], pieces: readonly string[]): string {
  const through = createStopFilter(stops);
  const out = pieces.map((piece) => through.push(piece)).join("");
  return `${out}${through.end()}${through.isCut ? "|" : ""}`;
}

test("[OAI-9] a sequence is found however the words are cut up", () => {
  const text = "one two END three";
  for (let at = 0; at <= text.length; at++) {
    for (let next = at; next <= text.length; next++) {
      const pieces = [text.slice(0, at), text.slice(at, next), text.slice(next)];
      assert.equal(cut(["END", "three"], pieces), "one two |", pieces.join("/"));
    }
  }
});

test("[OAI-9] what only looks like the beginning of a sequence gets through", () => {
  assert.equal(cut(["END"], ["E", "N", "N", "EN"]), "ENNEN");
  assert.equal(cut(["aab"], ["aa", "aa", "b"]), "aa|");
  assert.equal(cut([], ["any", "thing"]), "anything");
});

test("[OAI-9] nothing is held back that cannot be the beginning of one", () => {
  const through = createStopFilter(["\n\nEND"]);
  assert.equal(through.push("some words"), "some words");
  assert.equal(through.push(" more\n"), " more");
  assert.equal(through.push("x"), "\nx");
});
