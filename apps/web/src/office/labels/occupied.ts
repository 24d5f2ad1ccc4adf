/** What is taken of the picture, in squares, so that a place is compared only with what is near it. */
import { overlaps, type Rectangle } from "../view/rectangle.ts";

export interface Occupied {
  add(taken: Rectangle): void;
  isFree(tried: Rectangle): boolean;
}

const SQUARE = 64;
/** More squares than a row of any screen has. */
const ROW = 4_096;

function squareAt(pixels: number): number {
  return Math.floor(pixels / SQUARE);
}

export function createOccupied(): Occupied {
  const squares = new Map<number, Rectangle[]>();
  return {
    add(taken) {
      for (let row = squareAt(taken.top); row <= squareAt(taken.bottom); row += 1) {
        for (let column = squareAt(taken.left); column <= squareAt(taken.right); column += 1) {
          const key = row * ROW + column;
          const known = squares.get(key);
          if (known === undefined) squares.set(key, [taken]);
          else known.push(taken);
        }
      }
    },
    isFree(tried) {
      for (let row = squareAt(tried.top); row <= squareAt(tried.bottom); row += 1) {
        for (let column = squareAt(tried.left); column <= squareAt(tried.right); column += 1) {
          const known = squares.get(row * ROW + column);
          if (known?.some((taken) => overlaps(tried, taken)) === true) return false;
        }
      }
      return true;
    },
  };
}
