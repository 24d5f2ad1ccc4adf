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
}

export interface LabelPlace {
  readonly id: string;
  /** Of its middle. */
  readonly x: number;
  readonly y: number;
  readonly isDot: boolean;
}

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const GAP = 6;
const DOT = 14;
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
  const ranked = wishes.toSorted(
    (one, other) => one.rank - other.rank || other.head.y - one.head.y,
  );
  return ranked.map((wish) => {
    const place = TRIES.map((attempt) => rectangleFor(wish, attempt, picture)).find(
      (tried) =>
        !placed.some((other) => overlaps(tried, other)) &&
        !heads.some((head) => overlaps(tried, head)),
    );
    if (place === undefined) {
      return { id: wish.id, x: wish.head.x, y: wish.head.y - DOT, isDot: true };
    }
    placed.push(place);
    return {
      id: wish.id,
      x: (place.left + place.right) / 2,
      y: (place.top + place.bottom) / 2,
      isDot: false,
    };
  });
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
