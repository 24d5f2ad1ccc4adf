/**
 * Runs the projections: from their snapshots through the rest of the log, then live.
 *
 *   log.tail -> every projection folds the batch -> listeners (egress) see it -> `settled` resolves
 *
 * In that order, so that whoever is answered or told of an entry finds it in every projection. A fold
 * that throws is a bug in what we believe; the runner stops and says so rather than serve half a truth.
 */
import type { Entry, Log } from "@atrium/log";
import { Fault } from "../refusal.ts";
import type { Projection } from "./projection.ts";

export type BatchListener = (entries: readonly Entry[]) => void;

export interface Projections extends AsyncDisposable {
  readonly settled: (seq: number) => Promise<void> | void;
  /** Entries that were appended after opening, once they are folded. */
  onBatch(listener: BatchListener): void;
  /** Rejects when a fold or a listener threw; resolves after close. */
  readonly stopped: Promise<void>;
  close(): Promise<void>;
}

const SNAPSHOT_EVERY = 20_000;

export async function openProjections(
  log: Pick<Log, "tail" | "read" | "head" | "snapshots">,
  projections: readonly Projection[],
): Promise<Projections> {
  const listeners: BatchListener[] = [];
  const waiting: { readonly seq: number; readonly resolve: () => void }[] = [];
  const ending = new AbortController();
  const replayed = await replay(log, projections);
  let { seq } = replayed;
  let saved = replayed.from;

  async function run(): Promise<void> {
    for await (const batch of log.tail(seq, ending.signal)) {
      for (const entry of batch) {
        for (const projection of projections) fold(projection, entry);
        seq = entry.seq;
      }
      for (const listener of listeners) listener(batch);
      release();
      if (seq - saved >= SNAPSHOT_EVERY) await save();
    }
  }

  /** Waiters are few and nearly in order of seq, so the front of the line is where to look. */
  function release(): void {
    let first = waiting[0];
    while (first !== undefined && first.seq <= seq) {
      waiting.shift();
      first.resolve();
      first = waiting[0];
    }
  }

  async function save(): Promise<void> {
    saved = seq;
    for (const projection of projections) {
      const text = JSON.stringify(projection.save());
      await log.snapshots.save(projection.name, { version: projection.version, seq: saved, text });
    }
  }

  const stopped = run();
  // Whoever awaits `stopped` hears of a failure; nobody has to.
  stopped.catch(() => undefined);

  const close = async (): Promise<void> => {
    if (ending.signal.aborted) return;
    ending.abort();
    await stopped;
    if (seq > saved) await save();
  };

  return {
    settled(wanted) {
      if (wanted <= seq) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const at = waiting.findLastIndex((waiter) => waiter.seq <= wanted) + 1;
      waiting.splice(at, 0, { seq: wanted, resolve });
      return promise;
    },
    onBatch: (listener) => void listeners.push(listener),
    stopped,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Brings every projection to the log's present head; `from` is where the oldest snapshot stood. */
async function replay(
  log: Pick<Log, "read" | "head" | "snapshots">,
  projections: readonly Projection[],
): Promise<{ readonly from: number; readonly seq: number }> {
  const starts = new Map<Projection, number>();
  for (const projection of projections) {
    const snapshot = await log.snapshots.load(projection.name);
    const isUsable =
      snapshot !== undefined && snapshot.version === projection.version && snapshot.seq <= log.head;
    if (isUsable) projection.load(JSON.parse(snapshot.text));
    starts.set(projection, isUsable ? snapshot.seq : 0);
  }
  const from = Math.min(log.head, ...starts.values());
  let seq = from;
  for await (const entry of log.read({ after: seq })) {
    for (const [projection, start] of starts) if (entry.seq > start) fold(projection, entry);
    seq = entry.seq;
  }
  return { from, seq };
}

function fold(projection: Projection, entry: Entry): void {
  try {
    projection.apply(entry);
  } catch (cause) {
    const { stream, type, seq } = entry;
    throw new Fault(
      "a projection could not fold an entry",
      {
        projection: projection.name,
        stream,
        type,
        seq,
      },
      cause,
    );
  }
}
