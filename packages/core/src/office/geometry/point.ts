/** Points and directions on the floor. */
import type { Point } from "./scene.ts";

export function distance(from: Point, to: Point): number {
  // Not Math.hypot, whose last digit differs between engines; the same log must give the same office everywhere.
  const x = to[0] - from[0];
  const z = to[2] - from[2];
  return Math.sqrt(x * x + z * z);
}

/** To the millimeter, on the floor. */
export function rounded(x: number, z: number): Point {
  return [round(x), 0, round(z)];
}

/** The way from one point to another; undefined when they are the same. */
export function directionOf(from: Point, to: Point): Point | undefined {
  const length = distance(from, to);
  if (length === 0) return undefined;
  return rounded((to[0] - from[0]) / length, (to[2] - from[2]) / length);
}

export function isSamePoint(one: Point, other: Point): boolean {
  return one[0] === other[0] && one[2] === other[2];
}

function round(meters: number): number {
  // Adding 0 makes -0 a 0, which JSON would do anyway.
  return Math.round(meters * 1000) / 1000 + 0;
}
