/**
 * Draws when there is something to draw.
 *
 * While something moves, a frame follows a frame; when only hands move on keyboards, at a calmer rate; when nothing
 * does, none. A slow pulse looks whether time alone has changed the office, as when someone is no longer heard of.
 */
export interface Frames {
  request(callback: (nowMs: number) => void): number;
  cancel(handle: number): void;
  /** Calls every so often until it is stopped; returns how to stop it. */
  pulse(callback: () => void, everyMs: number): () => void;
}

export type Motion = "still" | "calm" | "lively";

export interface Drawing {
  /** Draws, and says what will go on moving. */
  draw(seconds: number, frameMs: number | undefined): Motion;
  /** Whether the office has changed since it was drawn. */
  hasChanged(): boolean;
}

export interface RenderLoop {
  wake(): void;
  stop(): void;
}

const CALM_FRAME_MS = 45;
const PULSE_MS = 1_000;
/** A longer pause is not a slow frame; the page was hidden, or nothing moved. */
const MAX_FRAME_MS = 400;

export function startRenderLoop(frames: Frames, drawing: Drawing): RenderLoop {
  let handle: number | undefined;
  let last: number | undefined;
  let motion: Motion = "lively";
  let isStopped = false;

  const onFrame = (nowMs: number): void => {
    handle = undefined;
    const passed = last === undefined ? MAX_FRAME_MS : nowMs - last;
    if (motion === "calm" && passed < CALM_FRAME_MS) return schedule();
    const wasBusy = last !== undefined && passed < MAX_FRAME_MS && motion === "lively";
    last = nowMs;
    motion = drawing.draw(Math.min(passed, 100) / 1000, wasBusy ? passed : undefined);
    if (motion !== "still") schedule();
  };
  const schedule = (): void => {
    if (!isStopped) handle ??= frames.request(onFrame);
  };
  const wake = (): void => {
    motion = "lively";
    schedule();
  };
  const endPulse = frames.pulse(() => {
    if (handle === undefined && drawing.hasChanged()) wake();
  }, PULSE_MS);
  schedule();
  return {
    wake,
    stop() {
      isStopped = true;
      endPulse();
      if (handle !== undefined) frames.cancel(handle);
    },
  };
}
