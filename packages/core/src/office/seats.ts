/**
 * Who gets which place: a seat of the point of interest for one at a time, and room to stand nearby when all are taken.
 *
 * The chair at a desk is for those whose desk it is; others stand beside it.
 */
import { cellsNear, type Floor, type Footing } from "./floor.ts";
import { cellAt, centerOf } from "./geometry/grid.ts";
import { directionOf, distance } from "./geometry/point.ts";
import type { Point, Poi, PoiKind, Seat } from "./geometry/scene.ts";

export interface Place {
  /** Null when one just stands there. */
  readonly seatId: string | null;
  readonly footing: Footing;
  readonly facing: Point;
}

/** Where the others are or will be. A seat is taken when someone is on it or on the way there. */
export type TakenSpots = readonly Point[];

export interface SeatTaker {
  readonly from: Point;
  /** Whether the place they go to is their own. */
  readonly isAtHome: boolean;
}

/** Nearer than this, a person is on the spot. */
const SAME_SPOT = 0.25;

/** Undefined: there is no room left on the whole floor. */
export function takePlaceAt(
  floor: Floor,
  poi: Poi,
  guest: SeatTaker,
  taken: TakenSpots,
): Place | undefined {
  for (const seat of poi.seats) {
    const isTaken = taken.some((spot) => distance(spot, seat.pos) < SAME_SPOT);
    if (isTaken || !isFor(poi.kind, seat, guest)) continue;
    const footing = floor.footing(seat.pos, guest.from);
    if (footing !== undefined) return { seatId: seat.seat_id, footing, facing: seat.facing };
  }
  return takePlaceNear(floor, { around: poi.pos, keepOff: 0 }, guest.from, taken);
}

function isFor(kind: PoiKind, seat: Seat, guest: SeatTaker): boolean {
  const isSomeonesDesk = kind === "desk" || kind === "bd_desk";
  return guest.isAtHome || !isSomeonesDesk || seat.pose === "stand";
}

export interface SeatSearch {
  readonly around: Point;
  /** How far one stays away from it, at least. */
  readonly keepOff: number;
}

/** Places within this distance are near enough; of those the one that is least far to walk counts. */
const NEAR_ENOUGH = 1.25;

/** A free place to stand: apart from the others if there is room for that, else anywhere nobody stands. */
export function takePlaceNear(
  floor: Floor,
  surroundings: SeatSearch,
  from: Point,
  spots: TakenSpots,
): Place | undefined {
  const grid = floor.scene.navigation;
  const isClose = cellsNear(grid, spots);
  const isApart = (cell: number): boolean => isClose[cell] === 0 && floor.isSpokenFor[cell] === 0;
  const occupied = new Set(spots.map((spot) => cellAt(grid, spot)));
  const cell =
    findCell(floor, surroundings, from, isApart) ??
    findCell(floor, { ...surroundings, keepOff: 0 }, from, (one) => !occupied.has(one));
  if (cell === undefined) return undefined;
  const pos = centerOf(grid, cell);
  const facing = directionOf(pos, surroundings.around) ?? [0, 0, 1];
  return { seatId: null, footing: { pos, cell, isOpen: true }, facing };
}

function findCell(
  { centers, isOpen }: Floor,
  { around, keepOff }: SeatSearch,
  from: Point,
  isAllowed: (cell: number) => boolean,
): number | undefined {
  let best: number | undefined;
  let bestAway = Infinity;
  let bestWalk = Infinity;
  for (const [cell, center] of centers.entries()) {
    if (isOpen[cell] === 0 || !isAllowed(cell)) continue;
    const far = distance(center, around);
    if (far < keepOff) continue;
    const away = Math.max(far, NEAR_ENOUGH);
    if (away > bestAway) continue;
    const walk = distance(center, from);
    if (away === bestAway && walk >= bestWalk) continue;
    best = cell;
    bestAway = away;
    bestWalk = walk;
  }
  return best;
}
