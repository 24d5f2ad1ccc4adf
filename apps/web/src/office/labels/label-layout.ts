/**
 * Where labels go so that none hides a head or another label.
 *
 * Those that need a person choose first, then those nearest to the viewer. Each tries a few places around its head; who
 * finds none becomes a dot, which is small enough for anywhere.
 */
export interface LabelWish {
  readonly id: string;
  /** The top of the head, in pixels of the picture. */
  readonly head: { readonly x: number; readonly y: number; readonly radius: number };
  readonly width: number;
  readonly height: number;
  /** Smaller chooses earlier. */
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

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const GAP = 6;
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
  [0, -1.4],
  [-0.6, -1.3],
  [0.6, -1.3],
  [-0.72, 1.4],
  [0.72, 1.4],
  [-1, -0.4],
  [1, -0.4],
] as const;

export interface Picture {
  readonly width: number;
  readonly height: number;
}

export function placeLabels(wishes: readonly LabelWish[], picture: Picture): readonly LabelPlace[] {
  const heads = wishes.map(({ head: { x, y, radius } }) =>
    around(x, y + radius, radius * 1.8, radius * 1.8),
  );
  const placed: Rectangle[] = [];
  const isFree = (tried: Rectangle): boolean =>
    !placed.some((other) => overlaps(tried, other)) && !heads.some((head) => overlaps(tried, head));
  const ranked = wishes.toSorted(
    (one, other) => one.rank - other.rank || other.head.y - one.head.y,
  );
  return ranked.map((wish) => {
    const { id, head, last } = wish;
    const places = TRIES.map((attempt) => rectangleFor(wish, attempt, picture));
    const place = choosePlace(places, last, isFree);
    const rectangle = place === undefined ? undefined : places[place];
    if (rectangle === undefined) {
      return { id, x: head.x, y: head.y - DOT, isDot: true, place: undefined };
    }
    placed.push(rectangle);
    const { left, right, top, bottom } = rectangle;
    return { id, x: (left + right) / 2, y: (top + bottom) / 2, isDot: false, place };
  });
}

/** The best that is free; but where one is, is better than the best, unless the best has room to spare. */
function choosePlace(
  places: readonly Rectangle[],
  last: number | undefined,
  isFree: (tried: Rectangle) => boolean,
): number | undefined {
  const best = places.findIndex(isFree);
  if (best === -1) return undefined;
  const [kept, better] = [last === undefined ? undefined : places[last], places[best]];
  if (kept === undefined || better === undefined || !isFree(kept)) return best;
  return isFree(grown(better, SPARE)) ? best : last;
}

function grown({ left, right, top, bottom }: Rectangle, by: number): Rectangle {
  return { left: left - by, right: right + by, top: top - by, bottom: bottom + by };
}

function rectangleFor(
  { head, width, height }: LabelWish,
  [aside, down]: readonly [number, number],
  picture: Picture,
): Rectangle {
  const half = width / 2;
  const x = clamp(head.x + aside * width, half + GAP, picture.width - half - GAP);
  const y = clamp(
    head.y - GAP - height / 2 + down * height,
    height / 2 + GAP,
    picture.height - height / 2 - GAP,
  );
  return around(x, y, width, height);
}

function around(x: number, y: number, width: number, height: number): Rectangle {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

function overlaps(one: Rectangle, other: Rectangle): boolean {
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  );
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
