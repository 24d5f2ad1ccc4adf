import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Point, Rotation } from "./scene.ts";
import { doOverlap, gapToPoint, isCrossed, shapeOf, type Shape } from "./shape.ts";

const box: Shape = { shape: "box", minX: -1, maxX: 1, minZ: -0.5, maxZ: 0.5 };
const disc: Shape = { shape: "disc", x: 0, z: 0, radius: 0.5 };

test("[SIM-1] furniture covers the floor as it is turned", () => {
  const desk = (rotation: Rotation): Shape | undefined =>
    shapeOf({
      object_id: "desk",
      kind: "desk",
      pos: [2, 0, 1],
      rotation,
      footprint: { shape: "box", width: 2, depth: 1 },
    });
  const lengthwise = { shape: "box", minX: 1, maxX: 3, minZ: 0.5, maxZ: 1.5 };
  const crosswise = { shape: "box", minX: 1.5, maxX: 2.5, minZ: 0, maxZ: 2 };
  assert.deepEqual([desk(0), desk(180)], [lengthwise, lengthwise]);
  assert.deepEqual([desk(90), desk(270)], [crosswise, crosswise]);
});

test("[SIM-1] what touches does not overlap", () => {
  const beside: Shape = { shape: "box", minX: 1, maxX: 2, minZ: 0, maxZ: 1 };
  assert.equal(doOverlap(box, beside), false);
  assert.equal(doOverlap(box, { ...beside, minX: 0.99 }), true);
  assert.equal(doOverlap(disc, { shape: "disc", x: 1, z: 0, radius: 0.5 }), false);
  assert.equal(doOverlap(disc, { shape: "disc", x: 0.9, z: 0, radius: 0.5 }), true);
  assert.equal(doOverlap(disc, { ...beside, minX: 0.5 }), false);
  assert.equal(doOverlap({ ...beside, minX: 0.4 }, disc), true);
});

test("[SIM-2] a line crosses what some point of it lies on", () => {
  const coordinate = fc.integer({ min: -30, max: 30 }).map((tenths) => tenths / 10);
  const point = fc.tuple(coordinate, fc.constant(0), coordinate);
  fc.assert(
    fc.property(fc.constantFrom(box, disc), point, point, (shape, from, to) => {
      const points = Array.from({ length: 201 }, (_, n): Point => {
        const share = n / 200;
        return [from[0] + share * (to[0] - from[0]), 0, from[2] + share * (to[2] - from[2])];
      });
      const nearest = Math.min(...points.map((at) => gapToPoint(shape, at)));
      // Between two points of it the line may graze a corner or touch an edge.
      if (nearest > 0.03) assert.equal(isCrossed(shape, from, to), false);
      const inner: Shape =
        shape.shape === "disc"
          ? { ...shape, radius: 0.49 }
          : { shape: "box", minX: -0.99, maxX: 0.99, minZ: -0.49, maxZ: 0.49 };
      if (points.some((at) => gapToPoint(inner, at) === 0)) {
        assert.equal(isCrossed(shape, from, to), true);
      }
    }),
    { numRuns: 500 },
  );
});
