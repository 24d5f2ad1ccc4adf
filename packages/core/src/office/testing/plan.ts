/**
 * A floor drawn in letters, to look at: one pair of letters per cell, north at the top.
 *
 *   ##  furniture or wall   ++  too near to it   ..  open   st  standing place   si  seat   sp  spawn   oo  path
 */
import { createFloor } from "../floor.ts";
import { cellAt, centerOf } from "../geometry/grid.ts";
import type { Point, Scene } from "../geometry/scene.ts";
import { gapToPoint, shapeOf } from "../geometry/shape.ts";

export function drawPlan(scene: Scene, path: readonly Point[] = []): string {
  const { navigation, objects, pois, spawns } = scene;
  const { isOpen } = createFloor(scene);
  const shapes = objects.flatMap((object) => shapeOf(object) ?? []);
  const marks = Array.from(isOpen, (open, cell): string => {
    if (open === 1) return "..";
    const center = centerOf(navigation, cell);
    return shapes.some((shape) => gapToPoint(shape, center) === 0) ? "##" : "++";
  });
  const put = (pos: Point, mark: string): void => {
    const cell = cellAt(navigation, pos);
    if (marks[cell] !== undefined) marks[cell] = mark;
  };
  for (const { seats } of pois) {
    for (const { pos, pose } of seats) put(pos, pose === "sit" ? "si" : "st");
  }
  for (const { pos } of spawns) put(pos, "sp");
  for (const pos of dotted(path)) put(pos, "oo");
  const rows = Array.from({ length: navigation.rows }, (_, row) =>
    marks.slice(row * navigation.cols, (row + 1) * navigation.cols).join(""),
  );
  return `${rows.join("\n")}\n`;
}

function* dotted(path: readonly Point[]): Generator<Point> {
  for (const [at, to] of path.entries()) {
    const from = path[at - 1] ?? to;
    for (let share = 0; share <= 1; share += 0.02) {
      yield [from[0] + share * (to[0] - from[0]), 0, from[2] + share * (to[2] - from[2])];
    }
  }
}
