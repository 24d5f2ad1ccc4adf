/**
 * The part of the picture that is looked at: what the page's own cards and panels leave of it.
 *
 * Only what takes away a whole side counts. A small card in a corner lies where the picture of a room is empty, and giving
 * up a side for it would make the room smaller for nothing; labels keep clear of it by themselves.
 */
import type { PictureSize, Rectangle } from "./rectangle.ts";

/** From this share of a side on, a cover takes that side away. */
const TALL = 0.36;
const WIDE = 0.7;
/** Less than this share of the picture is no place for a room; then it is looked at as if nothing lay over it. */
const MIN_SHARE = 0.3;
/** Cards stand a little off the edge. */
const EDGE = 24;

export function freePart(size: PictureSize, covers: readonly Rectangle[]): Rectangle {
  const { width, height } = size;
  let [left, top, right, bottom] = [0, 0, width, height];
  for (const cover of covers) {
    const isTall = cover.bottom - cover.top >= height * TALL;
    const isWide = cover.right - cover.left >= width * WIDE;
    if (isTall && !isWide && cover.left <= EDGE) left = Math.max(left, cover.right);
    if (isTall && !isWide && cover.right >= width - EDGE) right = Math.min(right, cover.left);
    if (isWide && !isTall && cover.top <= EDGE) top = Math.max(top, cover.bottom);
    if (isWide && !isTall && cover.bottom >= height - EDGE) bottom = Math.min(bottom, cover.top);
  }
  if (right - left < width * MIN_SHARE) [left, right] = [0, width];
  if (bottom - top < height * MIN_SHARE) [top, bottom] = [0, height];
  return { left, top, right, bottom };
}
