/**
 * Ways across the floor: A* over its cells, then pulled straight wherever one can walk straight.
 *
 * The same floor, start and end give the same path, on every machine: costs are whole numbers and every tie is broken
 * by the number of the cell.
 */
import { CellQueue } from "./cell-queue.ts";
import type { Floor, Footing } from "./floor.ts";
import { centerOf } from "./geometry/grid.ts";
import { canWalkStraight } from "./geometry/line-of-sight.ts";
import { isSamePoint, rounded } from "./geometry/point.ts";
import type { Navigation, Point } from "./geometry/scene.ts";

const STRAIGHT = 1000;
const DIAGONAL = 1414;
const NEIGHBORS = [
  [0, -1],
  [-1, 0],
  [1, 0],
  [0, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const;

/** From where one is to a footing; undefined when one stands where there is no way from. Starts and ends there exactly. */
export function findPath(floor: Floor, from: Point, to: Footing): readonly Point[] | undefined {
  const start = rounded(from[0], from[2]);
  const end = rounded(to.pos[0], to.pos[2]);
  if (isSamePoint(start, end)) return [end];
  const off = floor.footing(start, end);
  if (off === undefined) return undefined;
  const { navigation } = floor.scene;
  const first = off.isOpen ? start : centerOf(navigation, off.cell);
  const last = to.isOpen ? end : centerOf(navigation, to.cell);
  const walked = walkBetween(floor, [off.cell, first], [to.cell, last]);
  const path = [...(off.isOpen ? [] : [start]), ...walked, ...(to.isOpen ? [] : [end])];
  return path.filter((point, at) => at === 0 || !isSamePoint(point, path[at - 1] ?? point));
}

type Stop = readonly [cell: number, point: Point];

function walkBetween(
  { scene: { navigation }, isOpen }: Floor,
  [fromCell, from]: Stop,
  [toCell, to]: Stop,
): readonly Point[] {
  if (canWalkStraight(navigation, isOpen, from, to)) return [from, to];
  const cells = searchCells(navigation, isOpen, fromCell, toCell);
  const points = [from, ...cells.map((cell) => centerOf(navigation, cell)), to];
  return pullStraight(points, (one, other) => canWalkStraight(navigation, isOpen, one, other));
}

/** Each corner is as far along as can still be walked to in a straight line. */
function pullStraight(
  points: readonly Point[],
  isStraight: (from: Point, to: Point) => boolean,
): readonly Point[] {
  const [first, ...rest] = points;
  if (first === undefined) return points;
  const kept = [first];
  let corner = first;
  let before = first;
  for (const point of rest) {
    if (before !== corner && !isStraight(corner, point)) {
      kept.push(before);
      corner = before;
    }
    before = point;
  }
  return [...kept, before];
}

/** The cells from one open cell to another, both included. */
function searchCells(
  grid: Navigation,
  isOpen: Uint8Array,
  from: number,
  to: number,
): readonly number[] {
  const { cols, rows } = grid;
  const costs = new Int32Array(cols * rows).fill(-1);
  const cameFrom = new Int32Array(cols * rows).fill(-1);
  const isDone = new Uint8Array(cols * rows);
  const queue = new CellQueue();
  costs[from] = 0;
  queue.push(from, estimate(cols, from, to));
  for (let cell = queue.pop(); cell !== undefined && cell !== to; cell = queue.pop()) {
    if (isDone[cell] === 1) continue;
    isDone[cell] = 1;
    const col = cell % cols;
    for (const [dx, dz] of NEIGHBORS) {
      const beside: number = cell + dx;
      const next: number = beside + dz * cols;
      // The outermost cells are open too in a scene without walls.
      if (col + dx < 0 || col + dx >= cols || next < 0 || next >= cols * rows) continue;
      if (isOpen[next] !== 1 || isDone[next] === 1) continue;
      const isDiagonal = dx !== 0 && dz !== 0;
      if (isDiagonal && !(isOpen[beside] === 1 && isOpen[cell + dz * cols] === 1)) continue;
      const cost = (costs[cell] ?? 0) + (isDiagonal ? DIAGONAL : STRAIGHT);
      const known = costs[next] ?? -1;
      if (known !== -1 && known <= cost) continue;
      costs[next] = cost;
      cameFrom[next] = cell;
      queue.push(next, cost + estimate(cols, next, to));
    }
  }
  const cells = [to];
  for (let cell = to; cell !== from; cells.push(cell)) cell = cameFrom[cell] ?? from;
  return cells.toReversed();
}

function estimate(cols: number, from: number, to: number): number {
  const dx = Math.abs((from % cols) - (to % cols));
  const dz = Math.abs(Math.floor(from / cols) - Math.floor(to / cols));
  const diagonal = Math.min(dx, dz);
  return diagonal * DIAGONAL + (Math.max(dx, dz) - diagonal) * STRAIGHT;
}
