/** The floor in square cells, numbered row by row: how cells and points relate, and which cells furniture takes. */
import { rounded } from "./point.ts";
import type { Navigation, Point, RoomSize, SceneObject } from "./scene.ts";
import { gapToRect, shapeOf, type Rect } from "./shape.ts";

export type GridShape = Pick<Navigation, "origin" | "cell_size" | "cols" | "rows">;

export const NO_CELL = -1;

export function cellAt({ origin, cell_size, cols, rows }: GridShape, [x, , z]: Point): number {
  const col = Math.floor((x - origin[0]) / cell_size);
  const row = Math.floor((z - origin[1]) / cell_size);
  return col >= 0 && col < cols && row >= 0 && row < rows ? row * cols + col : NO_CELL;
}

export function centerOf({ origin, cell_size, cols }: GridShape, cell: number): Point {
  const col = cell % cols;
  const row = (cell - col) / cols;
  return rounded(origin[0] + (col + 0.5) * cell_size, origin[1] + (row + 0.5) * cell_size);
}

/**
 * The grid of a room: a cell is blocked when some point of it is nearer to furniture or a wall than an agent's middle
 * may be. So whoever stays in free cells stays clear of everything.
 */
export function layGrid(
  { width, depth }: RoomSize,
  objects: readonly SceneObject[],
  cellSize: number,
  agentRadius: number,
): Navigation {
  const origin = [-width / 2, -depth / 2] as const;
  const cols = Math.floor(width / cellSize);
  const rows = Math.floor(depth / cellSize);
  const shapes = objects.flatMap((object) => shapeOf(object) ?? []);
  const blocked: (readonly [number, number])[] = [];
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const rect = rectOf(origin, cellSize, col, row);
      const isNearWall =
        Math.min(rect.minX - origin[0], -origin[0] - rect.maxX) < agentRadius ||
        Math.min(rect.minZ - origin[1], -origin[1] - rect.maxZ) < agentRadius;
      if (isNearWall || shapes.some((shape) => gapToRect(shape, rect) < agentRadius)) {
        blocked.push([col, row]);
      }
    }
  }
  return { origin, cell_size: cellSize, cols, rows, agent_radius: agentRadius, blocked };
}

function rectOf(origin: readonly [number, number], size: number, col: number, row: number): Rect {
  const minX = origin[0] + col * size;
  const minZ = origin[1] + row * size;
  return { minX, maxX: minX + size, minZ, maxZ: minZ + size };
}
