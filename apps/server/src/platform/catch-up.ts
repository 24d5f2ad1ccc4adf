/**
 * Reads past items, then passes on new ones, without a gap and without a repeat.
 *
 *   listen (buffer new items) -> read the past -> hand over the buffer -> pass on
 *
 * While a long past is read, many new items may arrive; the buffer is then dropped and they are read as past
 * instead, so that memory stays bounded.
 */
export interface Numbered {
  readonly seq: number;
}

export interface Source<Item extends Numbered> {
  /** All existing items after that number, in order. */
  past(after: number): AsyncIterable<Item>;
  /** Calls the listener with every new item, in order. */
  listen(listener: (item: Item) => void): Disposable;
}

export interface CatchUpReader<Item> {
  take(item: Item): void;
  /** Awaited between two past items. */
  room(): Promise<void> | void;
  /** Called once, right before the first new item. */
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
