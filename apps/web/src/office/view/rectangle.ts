/** A part of the picture, in pixels from its upper left corner. */
export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export function overlaps(one: Rectangle, other: Rectangle): boolean {
  return (
    one.left < other.right &&
    other.left < one.right &&
    one.top < other.bottom &&
    other.top < one.bottom
  );
}

export function isWithin(
  { x, y }: { readonly x: number; readonly y: number },
  part: Rectangle,
): boolean {
  return x >= part.left && x <= part.right && y >= part.top && y <= part.bottom;
}
