/** What is taken of the picture, in squares, so that a place is compared only with what is near it. */
import { overlaps, type Rectangle } from "../view/rectangle.ts";

export interface Occupied {
  add(taken: Rectangle): void;
  isFree(tried: Rectangle): boolean;
}

const SQUARE = 64;
/** More squares than a row of any screen has. */
const ROW = 4_096;

/** The squares that a part of the picture lies in. */
function* squaresOf({ left, right, top, bottom }: Rectangle): Generator<number> {
  for (let row = squareAt(top); row <= squareAt(bottom); row += 1) {
    for (let column = squareAt(left); column <= squareAt(right); column += 1) {
      yield row * ROW + column;
    }
  }
}

function squareAt(pixels: number): number {
  return Math.floor(pixels / SQUARE);
}

export function createOccupied(): Occupied {
  const squares = new Map<number, Rectangle[]>();
  return {
    add(taken) {
      for (const key of squaresOf(taken)) {
        const known = squares.get(key);
        if (known === undefined) squares.set(key, [taken]);
        else known.push(taken);
      }
    },
    isFree: (tried) =>
      squaresOf(tried).every(
        (key) => squares.get(key)?.some((taken) => overlaps(tried, taken)) !== true,
      ),
  };
}
