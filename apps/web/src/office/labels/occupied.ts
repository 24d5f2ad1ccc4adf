/** What is taken of the picture, in squares, so that a place is compared only with what is near it. */
import { overlaps, type Rectangle } from "../view/rectangle.ts";

export interface Occupied {
  add(taken: Rectangle): void;
  isFree(tried: Rectangle): boolean;
}

const SQUARE = 64;
/** More squares than a row of any screen has. */
const ROW = 4_096;

export function createOccupied(): Occupied {
  const squares = new Map<number, Rectangle[]>();
  const at = (pixels: number): number => Math.floor(pixels / SQUARE);
  return {
    add(taken) {
      for (let row = at(taken.top); row <= at(taken.bottom); row += 1) {
        for (let column = at(taken.left); column <= at(taken.right); column += 1) {
          const key = row * ROW + column;
          const known = squares.get(key);
          if (known === undefined) squares.set(key, [taken]);
          else known.push(taken);
        }
      }
    },
    isFree(tried) {
      for (let row = at(tried.top); row <= at(tried.bottom); row += 1) {
        for (let column = at(tried.left); column <= at(tried.right); column += 1) {
          const known = squares.get(row * ROW + column);
          if (known?.some((taken) => overlaps(tried, taken)) === true) return false;
        }
      }
      return true;
    },
  };
}
