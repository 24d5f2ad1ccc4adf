import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { CellQueue } from "./cell-queue.ts";
import { createFloor, MAX_STEP } from "./floor.ts";
import { cellAt, layGrid } from "./geometry/grid.ts";
import { canWalkStraight } from "./geometry/line-of-sight.ts";
import { distance } from "./geometry/point.ts";
import type { Point } from "./geometry/scene.ts";
import { gapToPoint, isCrossed, shapeOf } from "./geometry/shape.ts";
import { findPath } from "./paths.ts";
import { cozyOffice } from "./scenes/cozy-office-v0.ts";
import { anyPlace, openPoint, seat } from "./testing/arbitrary.ts";
import { cozyFloor } from "./testing/office-under-test.ts";

const grid = cozyOffice.navigation;
const shapes = cozyOffice.objects.flatMap((object) => shapeOf(object) ?? []);

function pathBetween(from: Point, to: Point): readonly Point[] {
  const footing = cozyFloor.footing(to, from);
  assert.ok(footing, `no footing at ${String(to)}`);
  const path = findPath(cozyFloor, from, footing);
  assert.ok(path, `no path from ${String(from)}`);
  return path;
}

const legsOf = (path: readonly Point[]): (readonly [Point, Point])[] =>
  path.slice(1).map((to, at) => [path[at] ?? to, to] as const);

const lengthOf = (path: readonly Point[]): number =>
  legsOf(path).reduce((sum, [from, to]) => sum + distance(from, to), 0);

const isOnOpenFloor = (point: Point): boolean => cozyFloor.isOpen[cellAt(grid, point)] === 1;

/** Every few millimeters of the way. */
function* pointsOf([from, to]: readonly [Point, Point]): Generator<Point> {
  const count = Math.ceil(distance(from, to) / 0.005);
  for (let n = 1; n < count; n++) {
    const share = n / count;
    yield [from[0] + share * (to[0] - from[0]), 0, from[2] + share * (to[2] - from[2])];
  }
}

test("[SIM-2] paths stay on the open floor, but for the step from and to a seat", () => {
  fc.assert(
    fc.property(anyPlace, anyPlace, (from, to) => {
      const path = pathBetween(from, to);
      assert.deepEqual([path[0], path.at(-1)], [from, to]);
      for (const coordinate of path.flat()) {
        assert.equal(coordinate, Math.round(coordinate * 1000) / 1000);
      }
      const legs = legsOf(path);
      for (const [at, leg] of legs.entries()) {
        assert.equal(leg[0][1] + leg[1][1], 0);
        const seatEnd = [at === 0 ? from : undefined, at === legs.length - 1 ? to : undefined].find(
          (end) => end !== undefined && !isOnOpenFloor(end),
        );
        if (seatEnd === undefined) {
          for (const point of pointsOf(leg)) assert.ok(isOnOpenFloor(point), String(point));
          // Between the points, a corner may be cut that none of them shows.
          assert.ok(canWalkStraight(grid, cozyFloor.isOpen, ...leg));
        } else {
          assert.ok(distance(...leg) <= MAX_STEP);
          const others = shapes.filter((shape) => gapToPoint(shape, seatEnd) > 0);
          assert.ok(!others.some((shape) => isCrossed(shape, ...leg)));
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("[SIM-2] one gets up on the side one is going to, and over no other furniture", () => {
  const chair: Point = [-4, 0, -3];
  const [east, west] = [-2, -5.3].map((x) => cozyFloor.footing(chair, [x, 0, -3]));
  assert.ok(east && west);
  const sides = [east, west].map(({ cell }) => (cozyFloor.centers[cell]?.[0] ?? 0) - chair[0]);
  assert.deepEqual(sides, [0.625, -0.625]);

  const size = { width: 4, depth: 4, height: 3 };
  const stool = { object_id: "stool", kind: "stool", pos: [0, 0, 0], rotation: 0 } as const;
  const screen = { object_id: "screen", kind: "screen", pos: [0, 0, -0.27], rotation: 0 } as const;
  const objects = [
    { ...stool, footprint: { shape: "box", width: 0.5, depth: 0.5 } },
    { ...screen, footprint: { shape: "box", width: 0.5, depth: 0.04 } },
  ] as const;
  const spawns = [
    { spawn_id: "door", kind: "visitor", pos: [1.5, 0, 1.5], facing: [0, 0, 1] },
  ] as const;
  const navigation = layGrid(size, objects, 0.25, 0.2);
  const nook = createFloor({ ...cozyOffice, size, objects, spawns, pois: [], navigation });
  const seated = nook.footing([0, 0, 0], [0, 0, -1.5]);
  assert.ok(seated);
  // The nearest floor is behind the screen.
  assert.equal(nook.isOpen[cellAt(navigation, [0.125, 0, -0.625])], 1);
  assert.ok((nook.centers[seated.cell]?.[2] ?? -1) > -0.25);
});

test("[SIM-2] from every seat and spawn there is a way to every seat", () => {
  const seats = cozyOffice.pois.flatMap((poi) => poi.seats.map(({ pos }) => pos));
  for (const from of [...seats, ...cozyOffice.spawns.map(({ pos }) => pos)]) {
    for (const to of seats) assert.ok(pathBetween(from, to).length > 0);
  }
  fc.assert(fc.property(openPoint, seat, (from, { pos }) => pathBetween(from, pos).length > 0));
});

test("[SIM-2] from nowhere there is no way", () => {
  const door = cozyFloor.footing([-5.625, 0, 0.625]);
  assert.ok(door);
  const nowhere: readonly Point[] = [
    [7, 0, 0],
    [0, 0, -4.6],
    [Number.NaN, 0, 0],
    [Infinity, 0, 0],
  ];
  for (const from of nowhere) {
    assert.equal(findPath(cozyFloor, from, door), undefined);
    assert.equal(cozyFloor.footing(from), undefined);
  }
  // A room whose floor is one block has nowhere to step to.
  const { cols, rows } = grid;
  const blocked = Array.from(
    { length: cols * rows },
    (_, cell) => [cell % cols, Math.floor(cell / cols)] as const,
  );
  const full = createFloor({ ...cozyOffice, navigation: { ...grid, blocked } });
  assert.equal(full.footing([0, 0, 0]), undefined);
  assert.equal(findPath(full, [0, 0, 0], door), undefined);
});

test("[SIM-3] the same two points give the same path, straight where one can walk straight", () => {
  assert.deepEqual(pathBetween([-5, 0, 0.4], [5, 0, 0.4]), [
    [-5, 0, 0.4],
    [5, 0, 0.4],
  ]);
  assert.deepEqual(pathBetween([1, 0, 0.4], [1, 0, 0.4]), [[1, 0, 0.4]]);
  const again = createFloor(structuredClone(cozyOffice));
  fc.assert(
    fc.property(anyPlace, anyPlace, (from, to) => {
      const path = pathBetween(from, to);
      const footing = again.footing(to, from);
      assert.ok(footing);
      assert.deepEqual(findPath(again, from, footing), path);
      assert.ok(lengthOf(path) <= longestWay(from, to) + 0.001);
    }),
  );
});

/** By whole cells: the number of steps of a search that goes ring by ring bounds every shortest way. */
function longestWay(from: Point, to: Point): number {
  const start = cozyFloor.footing(from, to)?.cell ?? -1;
  const end = cozyFloor.footing(to, from)?.cell ?? -1;
  const steps = new Map([[start, 0]]);
  for (const [cell, count] of steps) {
    for (const next of [cell - 1, cell + 1, cell - grid.cols, cell + grid.cols]) {
      if (cozyFloor.isOpen[next] === 1 && !steps.has(next)) steps.set(next, count + 1);
    }
  }
  const ends = [start, end].map((cell) => cozyFloor.centers[cell] ?? from);
  const toCells = distance(from, ends[0] ?? from) + distance(to, ends[1] ?? to);
  return (steps.get(end) ?? 0) * grid.cell_size + toCells;
}

test("cells leave the queue by cost, then by number", () => {
  const cells = fc.array(fc.record({ cell: fc.nat({ max: 50 }), cost: fc.nat({ max: 9 }) }));
  fc.assert(
    fc.property(cells, (items) => {
      const queue = new CellQueue();
      for (const { cell, cost } of items) queue.push(cell, cost);
      const sorted = items.toSorted((a, b) => a.cost - b.cost || a.cell - b.cell);
      for (const { cell } of sorted) assert.equal(queue.pop(), cell);
      assert.equal(queue.pop(), undefined);
    }),
  );
});
