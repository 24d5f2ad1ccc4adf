/**
 * The append-only log: the port every engine implements.
 *
 * One strictly increasing `seq` numbers the whole log. A stream is a name that some
 * entries share; its version is the `seq` of its newest entry (0 when it has none), so
 * that an engine which numbers for us (JetStream) can check it without a second counter.
 *
 * The log knows nothing of what entries mean. `data` is JSON and is kept as it came.
 * SPEC.md has the rules, log.contract.ts the proof; every engine passes the same suite.
 */

/** Where something stands: comparable within one epoch, meaningless across two. */
export interface Position {
  readonly epoch: string;
  readonly seq: number;
}

export interface Draft {
  readonly type: string;
  /** Milliseconds since 1970, stamped by the writer; the log has no clock. */
  readonly at: number;
  readonly data: unknown;
}

/** Its `data` is undefined when what was kept is no JSON any more. */
export interface Entry extends Draft {
  readonly seq: number;
  readonly stream: string;
}

/** An idempotency key; the digest says what was asked, so that reuse for something else shows. */
export interface Key {
  readonly id: string;
  readonly digest: string;
}

/** What an earlier append with the same key did. */
export interface KeyRecord {
  readonly digest: string;
  readonly seq: number;
  readonly entries: readonly Entry[];
}

export type AppendResult =
  | {
      readonly ok: true;
      /** Position of the last entry written, or of the log when nothing was. */
      readonly position: Position;
      readonly entries: readonly Entry[];
      /** True when the key had been used before: these are the entries of that time. */
      readonly repeated: boolean;
    }
  /** Someone was faster: the stream's version is `head`, not what the writer expected. */
  | { readonly ok: false; readonly reason: "conflict"; readonly head: number }
  /** The key was used before for something else. */
  | { readonly ok: false; readonly reason: "key-reused" }
  /** The stream of the guard is at `head`, not where the writer believed it to be. */
  | { readonly ok: false; readonly reason: "fenced"; readonly head: number }
  /** More than the log ever takes at once, which is `maxBytes`. */
  | { readonly ok: false; readonly reason: "oversize"; readonly maxBytes: number }
  /** More is waiting than the log will hold in memory; nothing was taken, try again. */
  | { readonly ok: false; readonly reason: "busy" }
  /** Nothing can be written for the moment (`Log.trouble` says why); nothing was taken, try again. */
  | { readonly ok: false; readonly reason: "unavailable" };

/**
 * Another stream that must be at this version, or nothing is written. Whoever writes on behalf of a lease gives the
 * version of its grant: after a newer grant the log refuses what an earlier holder still sends.
 */
export interface Guard {
  readonly stream: string;
  readonly version: number;
}

export interface AppendOptions {
  readonly key?: Key;
  readonly guard?: Guard;
}

/**
 * What a writer expects of the stream: its version as the writer saw it, anything, or that the call
 * to append just before this one, on this log, was for the same stream and is written. The last lets
 * a writer send what builds on an append that is still under way; it is refused like any conflict
 * when that one is, and as busy when that one was not even taken.
 */
export type Expected = number | "any" | "after-previous";

export interface ReadOptions {
  /** Only entries with a greater seq. */
  readonly after?: number;
  /** Only entries with a smaller seq. */
  readonly before?: number;
  readonly stream?: string;
  readonly limit?: number;
  /** Newest first. */
  readonly backwards?: boolean;
  /** Which of those to give, for a reader that does not take all; `limit` counts the others too. */
  readonly isWanted?: (entry: Entry) => boolean;
}

/** A projection's saved state: opaque text that holds everything up to and including `seq`. */
export interface Snapshot {
  readonly version: number;
  readonly seq: number;
  readonly text: string;
}

/** The text of a snapshot that keeps a position and nothing else. */
export const NOTHING_SAVED = "null";

/** What an entry says from now on. */
export interface Rewrite {
  readonly seq: number;
  readonly data: unknown;
}

export interface EraseOptions {
  readonly guard?: Guard;
}

export type EraseResult =
  | { readonly ok: true }
  /** The stream of the guard is at `head`, not where the writer believed it to be; nothing more was erased. */
  | { readonly ok: false; readonly reason: "fenced"; readonly head: number };

export interface Snapshots {
  load(name: string): Promise<Snapshot | undefined>;
  /** Replaces the one of that name. Losing a snapshot costs time, never facts. */
  save(name: string, snapshot: Snapshot): Promise<void>;
}

export interface Log extends AsyncDisposable {
  readonly epoch: string;
  /** The seq of the newest durable entry; 0 when the log is empty. */
  readonly head: number;
  readonly snapshots: Snapshots;
  /** Why nothing can be written for the moment, for a person to read; undefined when all is well. */
  readonly trouble: string | undefined;

  /** Writes all drafts or none, and resolves once they are durable. */
  append(
    stream: string,
    expected: Expected,
    drafts: readonly Draft[],
    options?: AppendOptions,
  ): Promise<AppendResult>;

  findKey(id: string): Promise<KeyRecord | undefined>;

  /** Durable entries in order of seq, or newest first with `backwards`. */
  read(options?: ReadOptions): AsyncIterable<Entry>;

  /**
   * History after `after`, then live, in batches: no gap, no repeat, in order. Holds a cursor,
   * not a queue, so a reader that dawdles costs nothing. Ends when the signal aborts or the log closes.
   */
  tail(after: number, signal?: AbortSignal): AsyncIterable<readonly Entry[]>;

  /**
   * Replaces the data of entries for good: number, stream, type and time stay, and what was there before is in none
   * of the engine's files when it resolves. Snapshots that hold any state go too, because it may be the same. Readers
   * are not notified: whoever has folded or read those entries does it again. All or nothing; unknown numbers are
   * ignored.
   */
  erase(rewrites: readonly Rewrite[], options?: EraseOptions): Promise<EraseResult>;

  /** Settles when the engine can write no more: undefined after close, the fault after an accident. */
  readonly stopped: Promise<LogFault | undefined>;

  close(): Promise<void>;
}

export type LogFaultCode =
  /** Another process holds the file. */
  | "locked"
  /** The file is not a log of ours, or is one of a newer version. */
  | "foreign"
  | "corrupt"
  | "full"
  /** What was handed in cannot be kept: not JSON, or no proper name. The log goes on. */
  | "malformed"
  /** The folder or file cannot be read or written. */
  | "unreadable"
  | "closed"
  | "failed";

/** An accident of the engine. The message names the file and says what to do. */
export class LogFault extends Error {
  override readonly name = "LogFault";
  readonly code: LogFaultCode;

  constructor(code: LogFaultCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
