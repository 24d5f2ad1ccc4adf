/**
 * The resolution in use: lower when frames take long, higher again when they have been quick for a while.
 *
 * A change makes all buffers anew, so it is judged over many frames and steps are large; going up takes longer than
 * going down, so that it does not swing.
 */
export interface Resolution {
  readonly pixelRatio: number;
  readonly stands: "lowest" | "between" | "highest";
  /** Says whether the resolution is another one now. */
  frameTook(milliseconds: number): boolean;
}

export const LOWEST_PIXEL_RATIO = 0.85;
const STEP = 0.15;
const SLOW_MS = 30;
const QUICK_MS = 15;
const FRAMES_TO_FALL = 30;
const FRAMES_TO_RISE = 240;

export function createResolution(most: number): Resolution {
  const least = Math.min(LOWEST_PIXEL_RATIO, most);
  let pixelRatio = most;
  let usualMs = QUICK_MS;
  let slowFrames = 0;
  let quickFrames = 0;
  return {
    get pixelRatio() {
      return pixelRatio;
    },
    get stands() {
      if (pixelRatio <= least) return "lowest";
      return pixelRatio >= most ? "highest" : "between";
    },
    frameTook(milliseconds) {
      usualMs += (milliseconds - usualMs) * 0.1;
      slowFrames = usualMs > SLOW_MS ? slowFrames + 1 : 0;
      quickFrames = usualMs < QUICK_MS ? quickFrames + 1 : 0;
      let step = 0;
      if (slowFrames >= FRAMES_TO_FALL) step = -STEP;
      if (quickFrames >= FRAMES_TO_RISE) step = STEP;
      const next = Math.max(least, Math.min(most, pixelRatio + step));
      if (next === pixelRatio) return false;
      pixelRatio = next;
      slowFrames = 0;
      quickFrames = 0;
      return true;
    },
  };
}
