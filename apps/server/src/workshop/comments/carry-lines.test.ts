import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../workspaces/testing/random.ts";
import { carryLines, type LinePlace } from "./carry-lines.ts";
import { anchorAt, splitLines } from "./line-anchor.ts";
import { matchLines } from "./match-lines.ts";

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `const value${index} = ${index};`);

function carry(before: readonly string[], after: readonly string[], ...at: number[]): LinePlace {
  const [line = 1, endLine = line] = at;
  const anchor = anchorAt(before, line, endLine);
  assert.ok(anchor !== undefined);
  return carryLines(anchor, after, matchLines(before, after));
}

test("[FILES-14] a comment stays with its lines while others come and go", () => {
  const before = numbered(20);
  assert.deepEqual(carry(before, before, 7, 9), { line: 7, endLine: 9, state: "same" });
  const grown = before.toSpliced(2, 0, "import a;", "import b;");
  assert.deepEqual(carry(before, grown, 7, 9), { line: 9, endLine: 11, state: "moved" });
  assert.deepEqual(carry(before, grown, 1), { line: 1, endLine: 1, state: "same" });
  assert.deepEqual(carry(before, before.toSpliced(0, 6), 7), {
    line: 1,
    endLine: 1,
    state: "moved",
  });
});

test("[FILES-14] a line that was changed keeps its comment and says so; one that is gone does not", () => {
  const before = numbered(20);
  const renamed = before.with(9, "const total = 10;");
  assert.deepEqual(carry(before, renamed, 10), { line: 10, endLine: 10, state: "changed" });
  const short = ["a", "b", "c"];
  assert.deepEqual(carry(short, ["0", "a", "B!", "c"], 2), {
    line: 3,
    endLine: 3,
    state: "changed",
  });
  assert.deepEqual(carry(short, ["a", "b", "x", "y"], 3), {
    line: 3,
    endLine: 3,
    state: "changed",
  });
  assert.deepEqual(carry(short, ["x", "y", "b", "c"], 1), {
    line: 1,
    endLine: 1,
    state: "changed",
  });
  assert.equal(carry(short, ["a", "c"], 2).state, "outdated");
  assert.equal(carry(["a"], ["x"], 1).state, "outdated");
  const widened = before.toSpliced(9, 0, "added");
  assert.deepEqual(carry(before, widened, 9, 11), { line: 9, endLine: 12, state: "changed" });
  const narrowed = before.toSpliced(9, 1);
  assert.deepEqual(carry(before, narrowed, 9, 11), { line: 9, endLine: 10, state: "changed" });
  const elsewhere = [...before.slice(0, 5), ...before.slice(15), "}", ...before.slice(5, 15)];
  const place = carry(before, elsewhere, 8);
  assert.equal(elsewhere[place.line - 1], before[7]);
  assert.deepEqual(carry(before, ["nothing", "of it"], 10, 12), {
    line: 10,
    endLine: 12,
    state: "outdated",
  });
  assert.equal(carry(before, [], 10).state, "outdated");
});

test("[FILES-14] a block that went elsewhere takes its comment along, indented or not", () => {
  const before = numbered(60);
  const block = before.slice(10, 20).map((line) => `\t${line}`);
  const rest = before.toSpliced(10, 10);
  const after = [...rest, "function moved() {", ...block, "}"];
  const place = carry(before, after, 14, 16);
  assert.equal(place.state, "moved");
  assert.deepEqual(after.slice(place.line - 1, place.endLine), block.slice(3, 6));
});

test("[FILES-14] without the text that was commented on, what the comment remembers finds its place", () => {
  const before = numbered(30);
  const anchor = anchorAt(before, 12, 13);
  assert.ok(anchor !== undefined);
  const after = before.toSpliced(0, 3);
  assert.deepEqual(carryLines(anchor, after), { line: 9, endLine: 10, state: "moved" });
});

test("lines that are not there cannot be commented on", () => {
  const lines = splitLines("a\nb\n");
  assert.equal(lines.length, 2);
  for (const [line, endLine] of [
    [0, 1],
    [2, 1],
    [2, 3],
    [3, 3],
  ] as const) {
    assert.equal(anchorAt(lines, line, endLine), undefined);
  }
  const long = anchorAt(numbered(1_000), 1, 900);
  assert.equal(long?.code.length, 40);
  assert.equal(anchorAt(["x".repeat(100_000)], 1, 1)?.code[0]?.length, 400);
});

test("[FILES-14] random edits: a kept line is found exactly, and no match crosses another", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = createRandom(seed * 7919);
    // Few different lines make for many that are alike; many make each one findable.
    const kinds = seed % 2 === 0 ? 1_000_000 : 4;
    const line = (): string => `line ${random(kinds)}`;
    const before = Array.from({ length: random(120) }, line);
    const kept: number[] = [];
    const after = before.flatMap((text, index) => {
      const fate = random(10);
      if (fate === 0) return [];
      if (fate === 1) return [line()];
      kept.push(index);
      return fate === 2 ? [line(), text] : [text];
    });
    const matches = matchLines(before, after);
    let last = -1;
    for (const [index, match] of matches.entries()) {
      if (match === -1) continue;
      assert.ok(match > last, `seed ${seed}: matches rise`);
      assert.equal(after[match], before[index], `seed ${seed}: a match is the same line`);
      last = match;
    }
    const count = matches.filter((match) => match !== -1).length;
    assert.ok(count >= kept.length, `seed ${seed}: ${count} of ${kept.length} kept lines matched`);
    for (let index = 1; index <= before.length; index++) {
      const endLine = Math.min(before.length, index + random(4));
      const { state, ...place } = carry(before, after, index, endLine);
      if (state === "outdated") continue;
      assert.ok(place.line >= 1 && place.line <= place.endLine, `seed ${seed}`);
      assert.ok(place.endLine <= after.length, `seed ${seed}`);
      if (state === "changed") continue;
      const texts = after.slice(place.line - 1, place.endLine);
      assert.deepEqual(texts, before.slice(index - 1, endLine), `seed ${seed}: ${state}`);
    }
  }
});

test("[FILES-14] in a long file with edits all over, every line that stayed is found", () => {
  const before = numbered(3_000);
  const after = before.flatMap((line, index) =>
    index % 10 === 0 ? [`${line} // edited`] : index % 10 === 5 ? ["", line] : [line],
  );
  const matches = matchLines(before, after);
  const kept = before.map((line) => after.indexOf(line));
  assert.deepEqual([...matches], kept);
});

test("[FILES-14] 50,000 lines are compared in about the time it takes to read them, whatever they are", () => {
  const size = 50_000;
  const cases: Record<string, readonly [string[], string[]]> = {
    "every tenth line is another": [
      numbered(size),
      numbered(size).map((line, index) => (index % 10 === 0 ? `${line} //` : line)),
    ],
    "nothing is the same": [numbered(size), numbered(size).map((line) => `${line} //`)],
    "all are alike": [
      Array.from({ length: size }, (_, index) => (index % 2 === 0 ? "}" : "")),
      Array.from({ length: size }, (_, index) => (index % 3 === 0 ? "" : "}")),
    ],
    "the other way round": [numbered(size), numbered(size).toReversed()],
  };
  for (const [name, [before, after]] of Object.entries(cases)) {
    const started = performance.now();
    carry(before, after, 25_000, 25_010);
    const ms = performance.now() - started;
    // 0.1 s on a quiet machine; a table of all lines would take minutes.
    assert.ok(ms < 5_000, `${name}: ${Math.round(ms)} ms`);
  }
});
