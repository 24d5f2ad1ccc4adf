/** Whether one can walk straight from a point to another, through open cells only. */
import type { GridShape } from "./grid.ts";
import type { Point } from "./scene.ts";

/** Where the line meets a corner of cells it needs both cells beside it, so that nobody cuts corners. */
const CORNER = 1e-6;

export function canWalkStraight(
  grid: GridShape,
  isOpen: Uint8Array,
  from: Point,
  to: Point,
): boolean {
  const { origin, cell_size, cols, rows } = grid;
  const fromX = (from[0] - origin[0]) / cell_size;
  const fromZ = (from[2] - origin[1]) / cell_size;
  const alongX = axis(fromX, (to[0] - origin[0]) / cell_size);
  const alongZ = axis(fromZ, (to[2] - origin[1]) / cell_size);
  const isFree = (col: number, row: number): boolean =>
    col >= 0 && col < cols && row >= 0 && row < rows && isOpen[row * cols + col] === 1;
  let col = Math.floor(fromX);
  let row = Math.floor(fromZ);
  let { next: nextX, left: leftX } = alongX;
  let { next: nextZ, left: leftZ } = alongZ;
  if (!isFree(col, row)) return false;
  while (leftX > 0 || leftZ > 0) {
    const isAtCorner = leftX > 0 && leftZ > 0 && Math.abs(nextX - nextZ) < CORNER;
    if (isAtCorner && !(isFree(col + alongX.step, row) && isFree(col, row + alongZ.step))) {
      return false;
    }
    const goesX = isAtCorner || leftZ === 0 || (leftX > 0 && nextX < nextZ);
    const goesZ = isAtCorner || !goesX;
    if (goesX) {
      col += alongX.step;
      nextX += alongX.every;
      leftX -= 1;
    }
    if (goesZ) {
      row += alongZ.step;
      nextZ += alongZ.every;
      leftZ -= 1;
    }
    if (!isFree(col, row)) return false;
  }
  return true;
}

interface Axis {
  readonly step: number;
  /** At which share of the way the next border is met, and how much further each one after it. */
  readonly next: number;
  readonly every: number;
  /** How many borders there are. */
  readonly left: number;
}

function axis(from: number, to: number): Axis {
  const by = to - from;
  const start = Math.floor(from);
  const border = by > 0 ? start + 1 - from : from - start;
  return {
    step: Math.sign(by),
    next: by === 0 ? Infinity : border / Math.abs(by),
    every: by === 0 ? Infinity : 1 / Math.abs(by),
    left: Math.abs(Math.floor(to) - start),
  };
}
