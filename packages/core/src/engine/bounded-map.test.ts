import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedMap } from "./bounded-map.ts";

test("a bounded map forgets what was put in first", () => {
  const gone: string[] = [];
  const map = new BoundedMap<string, number>(2, { onEvict: (key) => void gone.push(key) });
  map.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  assert.deepEqual(
    [...map],
    [
      ["b", 2],
      ["c", 4],
    ],
  );
  assert.deepEqual(gone, ["a"]);
});

test("what is touched stays longer than what is not", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2);
  assert.equal(map.touch("a"), 1);
  assert.equal(map.touch("nobody"), undefined);
  map.set("c", 3);
  assert.deepEqual([...map.keys()], ["a", "c"]);
  map.setNewest("a", 4);
  map.set("d", 5);
  assert.deepEqual(
    [...map],
    [
      ["a", 4],
      ["d", 5],
    ],
  );
});

test("what must stay stays, and what was just put in too; the rest goes once it may", () => {
  const busy = new Set([1, 2]);
  const map = new BoundedMap<string, number>(1, { mayEvict: (value) => !busy.has(value) });
  map.set("a", 1).set("b", 2).set("c", 3);
  assert.deepEqual([...map.keys()], ["a", "b", "c"]);
  busy.clear();
  map.set("d", 4);
  assert.deepEqual([...map.keys()], ["d"]);
});
