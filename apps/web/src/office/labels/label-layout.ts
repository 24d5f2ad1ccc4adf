/**
 * Where labels go so that none hides a head or another label, or lies under what the page has over the picture.
 *
 * Those that need a person choose first, then by how much it matters what they do, then those nearest to the viewer. Each
 * tries a few places close to its head; who finds none becomes a dot, which is small enough for anywhere. In a crowd only
 * so much of the picture is given to labels: a hundred names are read by no one.
 */
import type { Rectangle } from "../view/rectangle.ts";
import { createOccupied, type Occupied } from "./occupied.ts";

export interface LabelWish {
  readonly id: string;
  /** The top of the head, in pixels of the picture. */
  readonly head: { readonly x: number; readonly y: number; readonly radius: number };
  readonly width: number;
  readonly height: number;
  /** Smaller chooses earlier; at 0 it is a label at any cost, if need be further away. */
  readonly rank: number;
  /** The place it had: it keeps that while it can, so that labels do not flicker when people walk. */
  readonly last?: number | undefined;
}

export interface LabelPlace {
  readonly id: string;
  /** Of its middle. */
  readonly x: number;
  readonly y: number;
  readonly isDot: boolean;
  /** Which of the places around the head it has; undefined for a dot. */
  readonly place: number | undefined;
}

const GAP = 6;
const NEAR = 400;
const DOT = 14;
const SPARE = 5;
/** As shares of the label's own width and height, from its place above the head. */
const TRIES = [
  [0, 0],
  [-0.3, 0],
  [0.3, 0],
  [-0.52, 0.25],
  [0.52, 0.25],
  [0, -0.75],
  [-0.45, -0.7],
  [0.45, -0.7],
  [-0.72, 0.75],
  [0.72, 0.75],
] as const;
/** For those whose name must be seen. */
const FAR_TRIES = [
  ...TRIES,
  [0, -1.4],
  [-0.6, -1.3],
  [0.6, -1.3],
  [-0.72, 1.4],
  [0.72, 1.4],
  [-1, -0.4],
  [1, -0.4],
] as const;

/** Labels are kept within the free part of the picture and off what covers it. */
export interface LabelSpace {
  readonly free: Rectangle;
  readonly covers: readonly Rectangle[];
}

/** How much of the free part may be labels, besides those whose name must be seen. */
const MAX_COVERED_SHARE = 0.12;

export function placeLabels(
  wishes: readonly LabelWish[],
  { free, covers }: LabelSpace,
): readonly LabelPlace[] {
  const occupied = createOccupied();
  for (const cover of covers) occupied.add(cover);
  for (const { head } of wishes) {
    const { x, y, radius } = head;
    // Who needs a person may be far out of the picture; there is no label there.
    if (isNear(head, free)) occupied.add(around(x, y + radius, radius * 1.8, radius * 1.8));
  }
  let left = (free.right - free.left) * (free.bottom - free.top) * MAX_COVERED_SHARE;
  return wishes.toSorted(inOrder).map((wish) => {
    const { width, height, rank, last } = wish;
    const isNeeded = rank === 0;
    if (!isNeeded && left < width * height) return dotFor(wish, free);
    const tries = isNeeded ? FAR_TRIES : TRIES;
    const placeAt = (attempt: number): Rectangle => rectangleFor(wish, tries[attempt], free);
    const place = choosePlace(tries.length, last, placeAt, occupied);
    if (place === undefined) return dotFor(wish, free);
    const rectangle = placeAt(place);
    if (!isNeeded) left -= width * height;
    occupied.add(rectangle);
    const x = (rectangle.left + rectangle.right) / 2;
    const y = (rectangle.top + rectangle.bottom) / 2;
    return { id: wish.id, x, y, isDot: false, place };
  });
}

/** Who had a label keeps it before others of the same rank get one, or names would come and go as people walk. */
function inOrder(one: LabelWish, other: LabelWish): number {
  const had = Number(one.last === undefined) - Number(other.last === undefined);
  return one.rank - other.rank || had || other.head.y - one.head.y;
}

function dotFor({ id, head }: LabelWish, free: Rectangle): LabelPlace {
  const x = clamp(head.x, free.left + DOT / 2, free.right - DOT / 2);
  const y = clamp(head.y - DOT, free.top + DOT / 2, free.bottom - DOT / 2);
  return { id, x, y, isDot: true, place: undefined };
}

/** The best that is free; but where one is, is better than the best, unless the best has room to spare. */
function choosePlace(
  tries: number,
  last: number | undefined,
  placeAt: (attempt: number) => Rectangle,
  occupied: Occupied,
): number | undefined {
  let best = 0;
  while (best < tries && !occupied.isFree(placeAt(best))) best += 1;
  if (best === tries) return undefined;
  const isKept = last !== undefined && last < tries && occupied.isFree(placeAt(last));
  if (!isKept) return best;
  return occupied.isFree(grown(placeAt(best), SPARE)) ? best : last;
}

function isNear({ x, y }: LabelWish["head"], { left, top, right, bottom }: Rectangle): boolean {
  return x > left - NEAR && x < right + NEAR && y > top - NEAR && y < bottom + NEAR;
}

function grown({ left, right, top, bottom }: Rectangle, by: number): Rectangle {
  return { left: left - by, right: right + by, top: top - by, bottom: bottom + by };
}

function rectangleFor(
  { head, width, height }: LabelWish,
  [aside, down]: readonly [number, number] = TRIES[0],
  free: Rectangle,
): Rectangle {
  const [halfWide, halfTall] = [width / 2 + GAP, height / 2 + GAP];
  const x = clamp(head.x + aside * width, free.left + halfWide, free.right - halfWide);
  const y = clamp(head.y - halfTall + down * height, free.top + halfTall, free.bottom - halfTall);
  return around(x, y, width, height);
}

function around(x: number, y: number, width: number, height: number): Rectangle {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
