/**
 * One peer that publishes and a crowd that listens. An event is through when everybody has it; then
 * the next is published, so that always `window` of them are on the way.
 */
import { maskedFrame } from "./masked-frame.ts";
import type { FrameTest, RawSocket } from "./raw-socket.ts";

export interface Crowd {
  readonly publisher: RawSocket;
  readonly listeners: readonly RawSocket[];
  readonly publication: string;
  readonly isEvent: FrameTest;
}

export interface Delivered {
  readonly deliveries: number;
  /** Of one event, as a listener gets it. */
  readonly eventBytes: number;
}

const MAX_EVENTS = 100_000;
const PATIENCE_MS = 10_000;

export async function fanOut(
  { publisher, listeners, publication, isEvent }: Crowd,
  { window, forMs }: { readonly window: number; readonly forMs: number },
): Promise<Delivered> {
  const frame = maskedFrame(publication);
  const frames = Buffer.concat(Array.from({ length: window }, () => frame));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const until = performance.now() + forMs;
  const giveUp = (): void => {
    reject(new Error(`events did not come: ${completed} of ${published} reached everyone`));
  };
  const overdue = setTimeout(giveUp, forMs + PATIENCE_MS);
  /** By event, modulo the window: how many listeners have it. */
  const reached = new Uint32Array(window);
  let published = 0;
  let completed = 0;
  let deliveries = 0;
  let bytes = 0;

  const publish = (count: number): void => {
    published += count;
    publisher.write(frames.subarray(0, count * frame.length));
  };
  for (const listener of listeners) {
    let seen = 0;
    listener.isCounted = isEvent;
    listener.onGone = reject;
    listener.onFrames = (count, size) => {
      const before = completed;
      deliveries += count;
      bytes += size;
      for (let left = count; left > 0; left--) {
        const slot = seen++ % window;
        reached[slot] = (reached[slot] ?? 0) + 1;
        if (reached[slot] < listeners.length) continue;
        reached[slot] = 0;
        completed++;
      }
      if (completed === before) return;
      if (performance.now() < until && published < MAX_EVENTS) publish(completed - before);
      else if (completed === published) resolve();
    };
  }
  publisher.onGone = reject;
  publish(window);
  try {
    await promise;
  } finally {
    clearTimeout(overdue);
  }
  return { deliveries, eventBytes: bytes / deliveries };
}
