import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { placeLabels, type LabelPlace, type LabelSpace, type LabelWish } from "./label-layout.ts";

const WHOLE = { left: 0, top: 0, right: 1440, bottom: 900 };
const PICTURE: LabelSpace = { free: WHOLE, covers: [] };
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

test("[WEB-13] a label alone stands over its head, in the middle", () => {
  const [place] = placeLabels([wish("agent_a", 400, 300)], PICTURE);
  assert.deepEqual(place, { id: "agent_a", x: 400, y: 276, isDot: false, place: 0 });
});

test("[WEB-13] no label hides another", () => {
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

test("[WEB-13] no label hides a head, its own or another's", () => {
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

test("[WEB-13] everyone keeps a label or a dot, and labels stay in the picture", () => {
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

test("[WEB-13] a label stays where it is until its best place has room to spare", () => {
  const other = wish("agent_b", 400, 330);
  const near = (x: number): LabelWish[] => [
    { ...other, last: 0 },
    { ...wish("agent_a", x, 300), last: 5 },
  ];
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

test("[WEB-13] who needs a person chooses first", () => {
  const crowd = Array.from({ length: 30 }, (_, at) =>
    wish(`agent_${at}`, 700 + (at % 6) * 8, 400 + Math.floor(at / 6) * 6),
  );
  const asker = wish("agent_asker", 715, 410, 0);
  const place = placeLabels([...crowd, asker], PICTURE).find(({ id }) => id === "agent_asker");
  assert.equal(place?.isDot, false);
});

test("[WEB-13] labels keep to the free part and off what covers the picture; whoever needs a person is named at its edge", () => {
  const space: LabelSpace = {
    free: { left: 320, top: 0, right: 1010, bottom: 900 },
    covers: [{ left: 500, top: 860, right: 900, bottom: 890 }],
  };
  fc.assert(
    fc.property(wishes, (all) => {
      for (const { id, x, y, isDot } of placeLabels(all, space)) {
        const [wide, tall] = isDot ? [6, 6] : [55, 18];
        assert.ok(x - wide >= 320 && x + wide <= 1010 && y >= tall && y <= 900 - tall, id);
        const isUnder = x + wide > 500 && x - wide < 900 && y + tall > 860 && y - tall < 890;
        assert.ok(isDot || !isUnder, id);
      }
    }),
  );
  const [hidden] = placeLabels([wish("agent_a", 90, 300, 0)], space);
  assert.deepEqual([hidden?.isDot, hidden?.x], [false, 320 + 55 + 6]);
});

test("[WEB-13] in a crowd names thin out by how much they matter, and stay close to their heads", () => {
  const crowd = Array.from({ length: 200 }, (_, at) =>
    wish(
      `agent_${at}`,
      60 + (at % 20) * 68,
      80 + Math.floor(at / 20) * 80,
      at % 11 === 0 ? 0 : 1 + (at % 3),
    ),
  );
  const places = placeLabels(crowd, PICTURE);
  const named = new Set(places.filter(({ isDot }) => !isDot).map(({ id }) => id));
  const share = (rank: number): number =>
    crowd.filter((one) => one.rank === rank && named.has(one.id)).length /
    crowd.filter((one) => one.rank === rank).length;
  const shares = [0, 1, 2, 3].map(share);
  assert.deepEqual(
    shares,
    shares.toSorted((one, other) => other - one),
  );
  assert.ok(share(0) > 0.9 && share(3) < 0.2, shares.join());
  for (const { id, x, y, isDot } of places) {
    const { head, rank } = crowd.find((one) => one.id === id)!;
    if (isDot || rank === 0) continue;
    assert.ok(Math.abs(x - head.x) <= 80 && Math.abs(y - head.y) <= 60, `${id} is far off`);
  }
});

test("[WEB-13] who had a name keeps it before others of the same rank get one", () => {
  const crowd = Array.from({ length: 120 }, (_, at) =>
    wish(`agent_${at}`, 60 + (at % 15) * 90, 100 + Math.floor(at / 15) * 95, 3),
  );
  const before = new Map(placeLabels(crowd, PICTURE).map((one) => [one.id, one]));
  const named = [...before.values()].filter(({ isDot }) => !isDot).map(({ id }) => id);
  assert.ok(named.length > 10 && named.length < 60, `${named.length}`);
  const moved = crowd.map((one, at) => ({
    ...one,
    head: { ...one.head, y: one.head.y + (at % 2) * 9 },
    last: before.get(one.id)?.place,
  }));
  const after = placeLabels(moved, PICTURE).filter(({ isDot }) => !isDot);
  const kept = after.filter(({ id }) => named.includes(id));
  assert.ok(kept.length >= named.length - 2, `${kept.length} of ${named.length}`);
});
