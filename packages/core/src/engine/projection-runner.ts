/**
 * Runs the projections: from their snapshots through the rest of the log, then live.
 *
 *   log.tail -> every projection folds the batch -> listeners (egress) see it -> `settled` resolves
 *
 * In that order, so that whoever is answered or told of an entry finds it in every projection. An entry that cannot be folded
 * is quarantined: left out, and told to no one. A projection that left something out saves no snapshot, so that it meets the entry
 * again at the next start, where a newer version may know what to do with it. A listener that throws loses that batch and nothing
 * else. What does end the runner is a log that cannot be read; then everyone who waits is told.
 */
import type { Entry, Log } from "@atrium/log";
import type { FindProblem } from "./codec.ts";
import type { Projection } from "./projection.ts";
import { Quarantine } from "./quarantine.ts";
import { Fault } from "./refusal.ts";
import { loadSnapshot, writeSnapshot, type Checksum } from "./snapshot-text.ts";

export type BatchListener = (entries: readonly Entry[]) => void;

export interface Projections extends AsyncDisposable {
  /** Rejects when the runner has stopped before it came so far. */
  readonly settled: (seq: number) => Promise<void> | void;
  /** Entries that were appended after opening, once they are folded. The name is for whoever asks which one failed. */
  onBatch(listener: BatchListener, name?: string): void;
  /**
   * Folds the whole log anew, in projections of their own, which then take the place of what there was: for when entries
   * say something else than they did. Nobody sees half of it.
   */
  refold(): Promise<void>;
  /** How often each listener has thrown, by its name. */
  readonly listenerFaults: ReadonlyMap<string, number>;
  /** Rejects when the log could not be read on; resolves after close. */
  readonly stopped: Promise<void>;
  close(): Promise<void>;
}

export interface ProjectionsOptions {
  /** What is wrong with an entry, so that nobody can fold it; left out: nothing ever is. */
  readonly findProblem?: FindProblem;
  readonly quarantine?: Quarantine;
  readonly report?: (fault: Fault) => void;
  /** By which a damaged snapshot is known. */
  readonly checksum?: Checksum;
  /** As new as they were before the first entry; left out: the log is never folded anew. */
  readonly createFresh?: () => readonly Projection[];
}

interface Waiter extends PromiseWithResolvers<void> {
  readonly seq: number;
}

type FoldedLog = Pick<Log, "tail" | "read" | "head" | "epoch" | "snapshots">;

/** Why whoever still waits is turned away when the projections are closed. */
export const PROJECTIONS_STOPPED = "the projections have stopped";

const SNAPSHOT_EVERY = 20_000;

export async function openProjections(
  log: FoldedLog,
  projections: readonly Projection[],
  options: ProjectionsOptions = {},
): Promise<Projections> {
  const runner = new ProjectionRunner(log, projections, options);
  await runner.start();
  return runner;
}

class ProjectionRunner implements Projections {
  readonly #log: FoldedLog;
  readonly #projections: readonly Projection[];
  readonly #findProblem: FindProblem;
  readonly #report: (fault: Fault) => void;
  readonly #quarantine: Quarantine;
  readonly #checksum: Checksum | undefined;
  readonly #listeners: { readonly name: string; readonly listener: BatchListener }[] = [];
  readonly #waiting: Waiter[] = [];
  readonly #ending = new AbortController();
  readonly #createFresh: () => readonly Projection[];
  /** Those that left something out. */
  readonly #incomplete = new Set<Projection>();
  readonly #stopped = Promise.withResolvers<void>();
  readonly listenerFaults = new Map<string, number>();
  #seq = 0;
  #saved = 0;
  /** Why nothing is folded any more. */
  #end: { readonly fault: unknown } | undefined;

  constructor(log: FoldedLog, projections: readonly Projection[], options: ProjectionsOptions) {
    const { findProblem = () => undefined, report = () => undefined } = options;
    this.#createFresh = options.createFresh ?? (() => []);
    this.#log = log;
    this.#projections = projections;
    this.#findProblem = findProblem;
    this.#report = report;
    this.#quarantine = options.quarantine ?? new Quarantine(report);
    this.#checksum = options.checksum;
    // Whoever awaits it hears of a failure; nobody has to.
    this.stopped.catch(() => undefined);
  }

  get stopped(): Promise<void> {
    return this.#stopped.promise;
  }

  async start(): Promise<void> {
    await this.#replay();
    this.#follow().then(
      () => this.#stop(new Fault(PROJECTIONS_STOPPED), this.#stopped.resolve),
      (fault: unknown) => this.#stop(fault, () => this.#stopped.reject(fault)),
    );
  }

  readonly settled = (wanted: number): Promise<void> | void => {
    if (wanted <= this.#seq) return;
    const waiter = { seq: wanted, ...Promise.withResolvers<void>() };
    if (this.#end === undefined) {
      const at = this.#waiting.findLastIndex((other) => other.seq <= wanted) + 1;
      this.#waiting.splice(at, 0, waiter);
    } else {
      waiter.reject(this.#end.fault);
    }
    return waiter.promise;
  };

  onBatch(listener: BatchListener, name = `listener ${this.#listeners.length + 1}`): void {
    this.#listeners.push({ name, listener });
  }

  readonly close = async (): Promise<void> => {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    await this.stopped;
    if (this.#seq > this.#saved) await this.#save();
  };

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async refold(): Promise<void> {
    const fresh = new Map(this.#createFresh().map((each) => [each.name, each]));
    const takers = [...fresh.values()];
    let seq = 0;
    for (;;) {
      for await (const entry of this.#log.read({ after: seq, before: this.#seq + 1 })) {
        this.#foldAgain(entry, takers);
        seq = entry.seq;
      }
      // No entry is folded between this look and the change of places.
      if (seq >= this.#seq) break;
    }
    for (const projection of this.#projections) {
      const other = fresh.get(projection.name);
      if (other !== undefined) projection.load(JSON.parse(JSON.stringify(other.save())));
    }
    await this.#save();
  }

  /** Brings every projection to the log's present head. */
  async #replay(): Promise<void> {
    const log = this.#log;
    const projections = this.#projections;
    const starts = await loadAll(log, projections, {
      report: this.#report,
      checksum: this.#checksum,
    });
    const latest = Math.max(0, ...starts.values());
    this.#seq = this.#saved = Math.min(log.head, ...starts.values());
    for await (const entry of log.read({ after: this.#seq })) {
      const takers =
        entry.seq > latest
          ? projections
          : projections.filter((each) => entry.seq > (starts.get(each) ?? 0));
      this.#fold(entry, takers);
      this.#seq = entry.seq;
    }
  }

  async #follow(): Promise<void> {
    for await (const batch of this.#log.tail(this.#seq, this.#ending.signal)) {
      let leftOut: Set<Entry> | undefined;
      for (const entry of batch) {
        if (!this.#fold(entry, this.#projections)) (leftOut ??= new Set()).add(entry);
        this.#seq = entry.seq;
      }
      const folded = leftOut === undefined ? batch : batch.filter((entry) => !leftOut?.has(entry));
      if (folded.length > 0) this.#notify(folded);
      this.#release();
      if (this.#seq - this.#saved >= SNAPSHOT_EVERY) await this.#save();
    }
  }

  #stop(fault: unknown, settle: () => void): void {
    this.#end = { fault };
    for (const waiter of this.#waiting.splice(0)) waiter.reject(fault);
    settle();
  }

  /** False when someone could not take it in. */
  #fold(entry: Entry, takers: readonly Projection[]): boolean {
    const problem = this.#findProblem(entry);
    if (problem !== undefined) {
      this.#quarantine.add("all", entry, problem);
      for (const projection of takers) this.#leaveOut(projection, entry);
      return false;
    }
    let isWhole = true;
    for (const projection of takers) {
      try {
        projection.apply(entry);
      } catch (cause) {
        this.#quarantine.add(projection.name, entry, cause);
        this.#leaveOut(projection, entry);
        isWhole = false;
      }
    }
    return isWhole;
  }

  /** What cannot be folded was reported when it was first met. */
  #foldAgain(entry: Entry, takers: readonly Projection[]): void {
    const isWhole = this.#findProblem(entry) === undefined;
    for (const projection of takers) {
      try {
        if (isWhole) projection.apply(entry);
        else projection.distrust?.(entry);
      } catch {
        projection.distrust?.(entry);
      }
    }
  }

  #leaveOut(projection: Projection, entry: Entry): void {
    this.#incomplete.add(projection);
    projection.distrust?.(entry);
  }

  #notify(batch: readonly Entry[]): void {
    for (const { name, listener } of this.#listeners) {
      try {
        listener(batch);
      } catch (cause) {
        this.listenerFaults.set(name, (this.listenerFaults.get(name) ?? 0) + 1);
        const context = { listener: name, from: batch[0]?.seq, to: batch.at(-1)?.seq };
        this.#report(new Fault("a listener threw and missed entries", context, cause));
      }
    }
  }

  /** Waiters are few and nearly in order of seq, so the front of the line is where to look. */
  #release(): void {
    let first = this.#waiting[0];
    while (first !== undefined && first.seq <= this.#seq) {
      this.#waiting.shift();
      first.resolve();
      first = this.#waiting[0];
    }
  }

  /** Losing a snapshot costs time, never facts: a disk that has no room for it is no reason to stop. */
  async #save(): Promise<void> {
    this.#saved = this.#seq;
    const at = { epoch: this.#log.epoch, seq: this.#seq };
    for (const projection of this.#projections) {
      if (this.#incomplete.has(projection)) continue;
      try {
        await this.#log.snapshots.save(
          projection.name,
          writeSnapshot(projection, at, this.#checksum),
        );
      } catch (cause) {
        const { name } = projection;
        this.#report(new Fault("a snapshot could not be saved", { projection: name }, cause));
        return;
      }
    }
  }
}

/** Where each projection stands after its snapshot; those that are of no use are named in one report. */
async function loadAll(
  log: Pick<Log, "head" | "epoch" | "snapshots">,
  projections: readonly Projection[],
  {
    report,
    checksum,
  }: { readonly report: (fault: Fault) => void; readonly checksum: Checksum | undefined },
): Promise<ReadonlyMap<Projection, number>> {
  const starts = new Map<Projection, number>();
  const discarded: string[] = [];
  for (const projection of projections) {
    const loaded = await loadSnapshot(projection, log, checksum);
    starts.set(projection, loaded.seq);
    if (loaded.flaw !== undefined) discarded.push(`${projection.name}: ${loaded.flaw}`);
  }
  if (discarded.length > 0) {
    const problem = "snapshots are of no use and are made again from the log";
    report(new Fault(`${problem}: ${discarded.join("; ")}`, { discarded: discarded.length }));
  }
  return starts;
}
