/** Shelves: the tall one for trophies and books, the low one where work is delivered. What stands on them comes later. */
import { ACCENTS, PAPER, WOOD } from "./palette.ts";
import { seeded } from "./seeded.ts";
import { box, matte, wood, type Part } from "./shape.ts";

const THICK = 0.045;
const BOOK_COLORS = [...Object.values(ACCENTS), PAPER, "#d9cbb0", "#2d8a4e", "#f0d46a", "#1c5f8a"];

export interface ShelfSize {
  readonly width: number;
  readonly depth: number;
}

/** The boards that trophies stand on are those of the scene's anchors; books fill what lies under and between. */
export function bookshelf({ width, depth }: ShelfSize, boards: readonly number[]): Part[] {
  const height = Math.max(...boards);
  const deep = Math.min(depth, 0.42);
  const back = -depth / 2;
  const side = (x: number): Part =>
    box([THICK, height, deep], wood(WOOD.warm, [x, height / 2, back + deep / 2]), 0.012);
  const board = (y: number): Part =>
    box([width, THICK, deep], wood(WOOD.warm, [0, y - THICK / 2, back + deep / 2]), 0.012);
  const floorBoard = 0.12;
  return [
    side(-width / 2 + THICK / 2),
    side(width / 2 - THICK / 2),
    side(0),
    box([width, height, 0.02], wood(WOOD.dark, [0, height / 2, back + 0.012]), 0.004),
    ...[floorBoard, ...boards].map(board),
    ...[-width / 4, width / 4].flatMap((x, column) => [
      ...books([x, floorBoard, back + deep / 2], width / 2 - 0.14, `low ${column}`),
    ]),
  ];
}

/** A row of books, some leaning. */
export function books(
  [x, y, z]: readonly [number, number, number],
  length: number,
  seed: string,
): Part[] {
  const roll = seeded(seed);
  const row: Part[] = [];
  let at = x - length / 2;
  while (at < x + length / 2 - 0.05) {
    const thick = 0.028 + roll() * 0.035;
    const tall = 0.24 + roll() * 0.12;
    const color = BOOK_COLORS[Math.floor(roll() * BOOK_COLORS.length)] ?? PAPER;
    const lean = roll() > 0.86 ? 9 : 0;
    row.push(
      box(
        [thick, tall, 0.2 + roll() * 0.06],
        matte(color, [at + thick / 2, y + tall / 2, z], [0, 0, lean]),
        0.006,
      ),
    );
    at += thick + (lean > 0 ? 0.05 : 0.004);
  }
  return row;
}

/** Knee-high, open at the front, with a top that finished work lies on. */
export function lowShelf({ width, depth }: ShelfSize): Part[] {
  const tall = LOW_SHELF_TOP - THICK;
  const columns = [-width / 2 + THICK / 2, -width / 6, width / 6, width / 2 - THICK / 2];
  return [
    box([width + 0.06, THICK, depth], wood(WOOD.light, [0, LOW_SHELF_TOP - THICK / 2, 0]), 0.015),
    box([width, 0.08, depth - 0.06], wood(WOOD.deep, [0, 0.04, 0]), 0.01),
    box([width, THICK, depth - 0.04], wood(WOOD.warm, [0, 0.1, 0]), 0.012),
    box([width, THICK, depth - 0.04], wood(WOOD.warm, [0, 0.42, 0]), 0.012),
    box([width, tall, 0.025], wood(WOOD.dark, [0, tall / 2, -depth / 2 + 0.03]), 0.006),
    ...columns.map((x) =>
      box([THICK, tall, depth - 0.04], wood(WOOD.warm, [x, tall / 2, 0]), 0.012),
    ),
  ];
}

export const LOW_SHELF_TOP = 0.78;
