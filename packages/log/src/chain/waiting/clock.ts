/** Time for a node of the chain: handed in, so that a test can let hours pass, or let nothing happen. */

export interface ChainClock {
  /** Milliseconds that only grow. */
  now(): number;
  after(ms: number, work: () => void): Disposable;
  /** Once what is under way in this turn of the event loop is done. */
  soon(work: () => void): void;
}

export const chainClock: ChainClock = {
  now: () => performance.now(),
  after(ms, work) {
    // The thread of the copy keeps the process alive, and nothing else need.
    const timer = setTimeout(work, ms).unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
  soon: (work) => void setImmediate(work),
};

export function pause(clock: ChainClock, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.after(ms, resolve);
  return promise;
}
