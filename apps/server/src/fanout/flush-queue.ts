/**
 * Runs what was put off to the end of this turn of the event loop: one `setImmediate` for everyone,
 * after all the sockets that were readable have been read.
 */
export interface Flushable {
  flush(): void;
}

export function createTurnEnd(): (item: Flushable) => void {
  let waiting: Flushable[] = [];
  const run = (): void => {
    const items = waiting;
    waiting = [];
    for (const item of items) item.flush();
  };
  return (item) => {
    if (waiting.length === 0) setImmediate(run);
    waiting.push(item);
  };
}
