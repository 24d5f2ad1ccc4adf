/** A browser's own frames and timers. */
import type { Frames } from "./render-loop.ts";

export function browserFrames(window: Window): Frames {
  return {
    request: (callback) => window.requestAnimationFrame(callback),
    cancel: (handle) => window.cancelAnimationFrame(handle),
    pulse(callback, everyMs) {
      const handle = window.setInterval(callback, everyMs);
      return () => window.clearInterval(handle);
    },
  };
}
