import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { placeLabels, type LabelPlace, type LabelWish } from "./label-layout.ts";

const PICTURE = { width: 1440, height: 900 };
const wish = (id: string, x: number, y: number, rank = 1): LabelWish => ({
  id,
  head: { x, y, radius: 16 },
  width: 110,
  height: 36,
  rank,
});

const wishes = fc
  .array(
    fc.tuple(
      fc.integer({ min: 60, max: 1380 }),
      fc.integer({ min: 60, max: 840 }),
      fc.integer({ min: 0, max: 1 }),
    ),
    { maxLength: 60 },
  )
  .map((points) => points.map(([x, y, rank], at) => wish(`agent_${at}`, x, y, rank)));

function overlap(one: LabelPlace, other: LabelPlace): boolean {
  return Math.abs(one.x - other.x) < 110 && Math.abs(one.y - other.y) < 36;
}

test("[WEB-12] a label alone stands over its head, in the middle", () => {
  const [place] = placeLabels([wish("agent_a", 400, 300)], PICTURE);
  assert.deepEqual(place, { id: "agent_a", x: 400, y: 276, isDot: false, place: 0 });
});

test("[WEB-12] no label hides another", () => {
  fc.assert(
    fc.property(wishes, (all) => {
      const shown = placeLabels(all, PICTURE).filter(({ isDot }) => !isDot);
      for (const [at, one] of shown.entries()) {
        for (const other of shown.slice(at + 1)) {
          assert.ok(!overlap(one, other), `${one.id} ${other.id}`);
        }
      }
    }),
  );
});

test("[WEB-12] no label hides a head, its own or another's", () => {
  fc.assert(
    fc.property(wishes, (all) => {
      for (const label of placeLabels(all, PICTURE)) {
        if (label.isDot) continue;
        for (const { head } of all) {
          const isOver =
            Math.abs(label.x - head.x) < 55 + head.radius * 0.9 &&
            Math.abs(label.y - head.y - head.radius) < 18 + head.radius * 0.9;
          assert.ok(!isOver, label.id);
        }
      }
    }),
  );
});

test("[WEB-12] everyone keeps a label or a dot, and labels stay in the picture", () => {
  fc.assert(
    fc.property(wishes, (all) => {
      const places = placeLabels(all, PICTURE);
      assert.deepEqual(new Set(places.map(({ id }) => id)), new Set(all.map(({ id }) => id)));
      for (const { x, y, isDot } of places) {
        if (!isDot) assert.ok(x >= 55 && x <= 1385 && y >= 18 && y <= 882);
      }
    }),
  );
});

test("[WEB-12] a label stays where it is until its best place has room to spare", () => {
  const other = wish("agent_b", 400, 330);
  const near = (x: number): LabelWish[] => [other, { ...wish("agent_a", x, 300), last: 5 }];
  const placeAt = (x: number): number | undefined =>
    placeLabels(near(x), PICTURE).find(({ id }) => id === "agent_a")?.place;
  const fresh = (x: number): number | undefined =>
    placeLabels([other, wish("agent_a", x, 300)], PICTURE).find(({ id }) => id === "agent_a")
      ?.place;
  const tight = Array.from({ length: 300 }, (_, at) => 400 + at).find((x) => fresh(x) === 0);
  assert.ok(tight !== undefined);
  assert.equal(placeAt(tight), 5);
  assert.equal(placeAt(tight + 20), 0);
});

test("[WEB-12] who needs a person chooses first", () => {
  const crowd = Array.from({ length: 30 }, (_, at) =>
    wish(`agent_${at}`, 700 + (at % 6) * 8, 400 + Math.floor(at / 6) * 6),
  );
  const asker = wish("agent_asker", 715, 410, 0);
  const place = placeLabels([...crowd, asker], PICTURE).find(({ id }) => id === "agent_asker");
  assert.equal(place?.isDot, false);
});
