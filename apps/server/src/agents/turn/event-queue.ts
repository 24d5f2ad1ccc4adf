/** Things that come when they will, for someone who takes them one by one. */
export interface EventQueue<T extends object> {
  push(item: T): void;
  /** Nothing is taken in after this; what is there can still be taken. */
  end(): void;
  /** Undefined when there will be no more. */
  next(): Promise<T | undefined>;
}

export function createEventQueue<T extends object>(): EventQueue<T> {
  const items: T[] = [];
  let hasEnded = false;
  let wake = Promise.withResolvers<void>();
  return {
    push(item) {
      if (hasEnded) return;
      items.push(item);
      wake.resolve();
    },
    end() {
      hasEnded = true;
      wake.resolve();
    },
    async next() {
      for (;;) {
        const item = items.shift();
        if (item !== undefined || hasEnded) return item;
        wake = Promise.withResolvers<void>();
        await wake.promise;
      }
    },
  };
}
