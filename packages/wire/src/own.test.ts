import assert from "node:assert/strict";
import { test } from "node:test";
import { own } from "./own.ts";

const INHERITED = ["constructor", "__proto__", "hasOwnProperty", "toString", "valueOf"];

test("[WIRE-4] only what an object has itself is found by its name", () => {
  for (const name of INHERITED) {
    assert.equal(own<unknown>({}, name), undefined, name);
    assert.equal(own({ a: 1, [name]: 2 }, name), 2, name);
    assert.equal(own(JSON.parse(`{"${name}":3}`) as Record<string, number>, name), 3, name);
    assert.equal(JSON.stringify(Object.fromEntries([[name, 4]])), `{"${name}":4}`);
  }
});
