/**
 * The floor of a scene, ready to walk on: which cells are open, and how one gets from a seat onto them.
 *
 * Open are the free cells that can be reached from the spawns, so between two open cells there always is a way. A
 * chair is furniture and its cells are blocked; whoever sits down or gets up takes one step over them, straight
 * between the seat and the open cell next to it.
 */
import { cellAt, centerOf, NO_CELL } from "./geometry/grid.ts";
import { distance } from "./geometry/point.ts";
import type { Navigation, Point, Poi, PoiKind, Scene } from "./geometry/scene.ts";
import { gapToPoint, isCrossed, shapeOf, type Shape } from "./geometry/shape.ts";

/** The longest step between a seat and the open floor, in meters. */
export const MAX_STEP = 1;

/** A point on the floor together with the open cell it is reached by. */
export interface Footing {
  readonly pos: Point;
  readonly cell: number;
  /** Whether the point itself lies in that cell; otherwise it is one step off. */
  readonly isOpen: boolean;
}

export interface Floor {
  readonly scene: Scene;
  /** The middle of every cell. */
  readonly centers: readonly Point[];
  readonly isOpen: Uint8Array;
  /** Cells in which someone at a standing seat is, or close by. */
  readonly isSpokenFor: Uint8Array;
  poi(poiId: string): Poi | undefined;
  firstOf(kind: PoiKind): Poi | undefined;
  poiOfSeat(seatId: string): Poi | undefined;
  /**
   * How this point is reached; undefined when it is not: outside, or too deep in the furniture. Where several cells
   * are as good, the one on the side of whoever comes `from` there.
   */
  footing(pos: Point, from?: Point): Footing | undefined;
}

export function createFloor(scene: Scene): Floor {
  const { navigation, pois, objects } = scene;
  const shapes = objects.flatMap((object) => shapeOf(object) ?? []);
  const isOpen = findOpenCells(scene);
  const poisById = new Map(pois.map((poi) => [poi.poi_id, poi]));
  const poisBySeat = new Map(
    pois.flatMap((poi) => poi.seats.map((seat): [string, Poi] => [seat.seat_id, poi])),
  );
  const standing = pois
    .flatMap((poi) => poi.seats)
    .filter(({ pose }) => pose === "stand")
    .map(({ pos }) => pos);
  return {
    scene,
    centers: Array.from(isOpen, (_, cell) => centerOf(navigation, cell)),
    isOpen,
    isSpokenFor: cellsNear(navigation, standing),
    poi: (poiId) => poisById.get(poiId),
    firstOf: (kind) => pois.find((poi) => poi.kind === kind),
    poiOfSeat: (seatId) => poisBySeat.get(seatId),
    footing(pos, from = pos) {
      const cell = cellAt(navigation, pos);
      if (cell === NO_CELL) return undefined;
      if (isOpen[cell] === 1) return { pos, cell, isOpen: true };
      const steps = stepsFrom(navigation, isOpen, shapes, pos);
      const [best] = steps.toSorted((one, other) => distance(one, from) - distance(other, from));
      return best && { pos, cell: cellAt(navigation, best), isOpen: false };
    },
  };
}

/** People stand half a meter apart where there is room. */
const ELBOW_ROOM = 0.5;

/** Marks the cells in which someone would be too close to one who is at one of the points. */
export function cellsNear(grid: Navigation, points: readonly Point[]): Uint8Array {
  const { cols, rows, cell_size } = grid;
  const isNear = new Uint8Array(cols * rows);
  const reach = ELBOW_ROOM / cell_size;
  const last = Math.ceil(reach) - 1;
  for (const point of points) {
    const cell = cellAt(grid, point);
    if (cell === NO_CELL) continue;
    const col = cell % cols;
    for (let down = -last; down <= last; down++) {
      for (let right = -last; right <= last; right++) {
        const isInside = col + right >= 0 && col + right < cols;
        if (isInside && down * down + right * right < reach * reach) {
          // Above the first row and below the last there is nothing to mark, and nothing is.
          isNear[cell + down * cols + right] = 1;
        }
      }
    }
  }
  return isNear;
}

/** Four neighbors are enough: a diagonal step needs both cells beside it. */
function findOpenCells({ navigation, spawns }: Scene): Uint8Array {
  const { cols, rows, blocked } = navigation;
  const isFree = new Uint8Array(cols * rows).fill(1);
  for (const [col, row] of blocked) isFree[row * cols + col] = 0;
  const isOpen = new Uint8Array(cols * rows);
  const [first] = spawns;
  const queue = first === undefined ? [] : [cellAt(navigation, first.pos)];
  for (let cell = queue.pop(); cell !== undefined; cell = queue.pop()) {
    if (isFree[cell] !== 1 || isOpen[cell] === 1) continue;
    isOpen[cell] = 1;
    const col = cell % cols;
    if (col > 0) queue.push(cell - 1);
    if (col < cols - 1) queue.push(cell + 1);
    queue.push(cell - cols, cell + cols);
  }
  return isOpen;
}

/** Steps that differ by less than this are as good as each other. */
const SAME_STEP = 0.05;

/** Where the shortest steps to open cells end that lead over no other furniture than what one sits on. */
function stepsFrom(
  grid: Navigation,
  isOpen: Uint8Array,
  shapes: readonly Shape[],
  pos: Point,
): readonly Point[] {
  const others = shapes.filter((shape) => gapToPoint(shape, pos) > 0);
  const ends = [...cellsAround(grid, pos, MAX_STEP)]
    .filter((cell) => isOpen[cell] === 1)
    .map((cell) => centerOf(grid, cell))
    .filter((end) => distance(pos, end) <= MAX_STEP)
    .filter((end) => !others.some((shape) => isCrossed(shape, pos, end)));
  const shortest = Math.min(...ends.map((end) => distance(pos, end)));
  return ends.filter((end) => distance(pos, end) < shortest + SAME_STEP);
}

function* cellsAround(grid: Navigation, [x, , z]: Point, reach: number): Generator<number> {
  const { origin, cell_size, cols, rows } = grid;
  const first = Math.max(0, Math.floor((x - reach - origin[0]) / cell_size));
  const last = Math.min(cols - 1, Math.floor((x + reach - origin[0]) / cell_size));
  const top = Math.max(0, Math.floor((z - reach - origin[1]) / cell_size));
  const bottom = Math.min(rows - 1, Math.floor((z + reach - origin[1]) / cell_size));
  for (let row = top; row <= bottom; row++) {
    for (let col = first; col <= last; col++) yield row * cols + col;
  }
}
