/**
 * What happened, then what happens, without a gap and without a repeat.
 *
 *   listen (keep what comes) -> read the past -> hand over what was kept -> pass on
 *
 * Whoever reads a long past may fall behind the present; what was kept is then let go and read as past
 * instead, so that it costs no more than a little memory.
 */
export interface Numbered {
  readonly seq: number;
}

export interface Source<Item extends Numbered> {
  /** Everything after that number which is there already, in order. */
  past(after: number): AsyncIterable<Item>;
  /** Hears everything that comes from now on, in order. */
  listen(listener: (item: Item) => void): Disposable;
}

export interface CatchUpReader<Item> {
  take(item: Item): void;
  /** Waited for between two items of the past. */
  room(): Promise<void> | void;
  /** Called once, right before the first item that is not of the past. */
  isCurrent?(): void;
}

const MAX_BUFFERED = 1_000;

/** Settles when the signal is aborted; rejects when the past cannot be read. */
export async function catchUp<Item extends Numbered>(
  source: Source<Item>,
  after: number,
  reader: CatchUpReader<Item>,
  signal: AbortSignal,
): Promise<void> {
  let last = after;
  let kept: Item[] | undefined = [];
  let isComplete = true;
  const take = (item: Item): void => {
    if (item.seq <= last) return;
    last = item.seq;
    reader.take(item);
  };
  using _listening = source.listen((item) => {
    if (kept === undefined) take(item);
    else if (kept.length < MAX_BUFFERED) kept.push(item);
    else isComplete = false;
  });
  do {
    kept = [];
    isComplete = true;
    for await (const item of source.past(last)) {
      if (signal.aborted) return;
      take(item);
      await reader.room();
    }
  } while (!isComplete && !signal.aborted);
  for (const item of kept) take(item);
  kept = undefined;
  if (!signal.aborted) reader.isCurrent?.();
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
}
