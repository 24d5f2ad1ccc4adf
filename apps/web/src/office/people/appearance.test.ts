import assert from "node:assert/strict";
import { test } from "node:test";
import { HAIR_APART, appearanceOf, colorDistance } from "./appearance.ts";

const ids = Array.from({ length: 500 }, (_, at) => `agent_${at}`);

test("a person looks the same for the same id", () => {
  for (const id of ids) assert.deepEqual(appearanceOf(id), appearanceOf(id));
});

test("hair can be told from skin, and a top from trousers", () => {
  for (const { skin, hair, top, trousers } of ids.map(appearanceOf)) {
    assert.ok(colorDistance(skin, hair) >= HAIR_APART, `${hair} on ${skin}`);
    assert.ok(colorDistance(top, trousers) > 30, `${top} over ${trousers}`);
  }
});

test("people differ: of 500, no look is shared by more than a handful, and every choice occurs", () => {
  const looks = ids.map((id) => JSON.stringify(appearanceOf(id)));
  const most = Math.max(
    ...Map.groupBy(looks, (look) => look)
      .values()
      .map((same) => same.length),
  );
  assert.ok(most <= 5, `${most} share a look`);
  const counts = (["skin", "hair", "hairStyle", "top", "trousers"] as const).map(
    (part) => new Set(ids.map((id) => appearanceOf(id)[part])).size,
  );
  assert.deepEqual(counts, [6, 8, 6, 10, 5]);
});
