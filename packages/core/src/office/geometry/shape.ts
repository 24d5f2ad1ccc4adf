/** What furniture covers of the floor: boxes along the walls' directions, and discs. */
import type { Point, SceneObject } from "./scene.ts";

export interface Rect {
  readonly minX: number;
  readonly maxX: number;
  readonly minZ: number;
  readonly maxZ: number;
}

export type Shape =
  | ({ readonly shape: "box" } & Rect)
  | { readonly shape: "disc"; readonly x: number; readonly z: number; readonly radius: number };

export function shapeOf({ pos, rotation, footprint }: SceneObject): Shape | undefined {
  if (footprint === null) return undefined;
  const [x, , z] = pos;
  if (footprint.shape === "disc") return { shape: "disc", x, z, radius: footprint.radius };
  const isTurned = rotation === 90 || rotation === 270;
  const halfX = (isTurned ? footprint.depth : footprint.width) / 2;
  const halfZ = (isTurned ? footprint.width : footprint.depth) / 2;
  return { shape: "box", minX: x - halfX, maxX: x + halfX, minZ: z - halfZ, maxZ: z + halfZ };
}

/** How much floor is between the two; 0 when they touch or overlap. */
export function gapToRect(shape: Shape, rect: Rect): number {
  if (shape.shape === "disc") {
    return Math.max(
      0,
      lengthOf(outside(shape.x, rect.minX, rect.maxX), outside(shape.z, rect.minZ, rect.maxZ)) -
        shape.radius,
    );
  }
  return lengthOf(
    Math.max(0, shape.minX - rect.maxX, rect.minX - shape.maxX),
    Math.max(0, shape.minZ - rect.maxZ, rect.minZ - shape.maxZ),
  );
}

export function gapToPoint(shape: Shape, [x, , z]: Point): number {
  return gapToRect(shape, { minX: x, maxX: x, minZ: z, maxZ: z });
}

/** Touching is not overlapping; a hair's breadth is rounding. */
export function doOverlap(one: Shape, other: Shape): boolean {
  if (other.shape === "box") return overlapsRect(one, other);
  if (one.shape === "box") return overlapsRect(other, one);
  return lengthOf(one.x - other.x, one.z - other.z) < one.radius + other.radius - HAIR;
}

/** Whether the straight line between two points passes over it. */
export function isCrossed(shape: Shape, from: Point, to: Point): boolean {
  const dx = to[0] - from[0];
  const dz = to[2] - from[2];
  if (shape.shape === "disc") {
    const along = (shape.x - from[0]) * dx + (shape.z - from[2]) * dz;
    const share = Math.min(1, Math.max(0, along / (dx * dx + dz * dz || 1)));
    const beside = lengthOf(from[0] + share * dx - shape.x, from[2] + share * dz - shape.z);
    return beside < shape.radius - HAIR;
  }
  const [enterX, leaveX] = within(from[0], dx, shape.minX + HAIR, shape.maxX - HAIR);
  const [enterZ, leaveZ] = within(from[2], dz, shape.minZ + HAIR, shape.maxZ - HAIR);
  return Math.max(enterX, enterZ, 0) < Math.min(leaveX, leaveZ, 1);
}

const HAIR = 1e-6;

function overlapsRect(shape: Shape, rect: Rect): boolean {
  const smaller = {
    minX: rect.minX + HAIR,
    maxX: rect.maxX - HAIR,
    minZ: rect.minZ + HAIR,
    maxZ: rect.maxZ - HAIR,
  };
  return gapToRect(shape, smaller) === 0;
}

/** Between which shares of its way something that starts at `from` and goes `by` is between the two. */
function within(from: number, by: number, min: number, max: number): readonly [number, number] {
  if (by === 0) return from > min && from < max ? [-Infinity, Infinity] : [Infinity, -Infinity];
  const one = (min - from) / by;
  const other = (max - from) / by;
  return one < other ? [one, other] : [other, one];
}

function outside(value: number, min: number, max: number): number {
  return Math.max(0, min - value, value - max);
}

function lengthOf(x: number, z: number): number {
  return Math.sqrt(x * x + z * z);
}
