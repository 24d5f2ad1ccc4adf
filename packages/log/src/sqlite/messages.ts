/**
 * What the log and its writer's thread say to each other.
 *
 * Every request has one reply, in order. A batch travels as one flat list and its verdicts as
 * numbers, because cloning an object per entry costs about twice as much.
 */
import type { EncodedAppend } from "../draft.ts";
import {
  LogFault,
  type Expected,
  type Guard,
  type Key,
  type LogFaultCode,
  type Snapshot,
} from "../log.ts";
import type { Durability } from "./log-file.ts";

export interface WriterOptions {
  readonly file: string;
  readonly durability: Durability;
  readonly keyRetentionMs: number;
}

export interface OpenReply {
  readonly path: string;
  readonly epoch: string;
  readonly head: number;
  /** Up to here, what belongs to a stream can be looked up in the file. */
  readonly filed: number;
}

export interface CommitReply {
  readonly verdicts: Verdicts;
  readonly filed: number;
}

/** What waits for the disk together: appends to be decided, or links of a chain, which were decided elsewhere. */
export type WriteRequest =
  | { readonly type: "commit"; readonly batch: Batch; readonly appends: number }
  | { readonly type: "apply"; readonly links: readonly NumberedBytes[] };

export interface NumberedBytes {
  readonly n: number;
  readonly bytes: Uint8Array;
}

export type WorkerRequest =
  | WriteRequest
  | { readonly type: "save"; readonly name: string; readonly snapshot: Snapshot }
  | { readonly type: "erase"; readonly texts: Texts; readonly guard: Guard | undefined }
  | { readonly type: "close" };

/** By seq: what entries say from now on. */
export type Texts = readonly (readonly [seq: number, text: string])[];

export type WorkerReply =
  | ({ readonly type: "opened" } & OpenReply)
  | ({ readonly type: "committed" } & CommitReply)
  | { readonly type: "applied"; readonly filed: number }
  /** `fencedAt` is the version of the guard's stream when that is another one; then nothing was erased. */
  | { readonly type: "erased"; readonly fencedAt?: number }
  | { readonly type: "done" }
  | { readonly type: "fault"; readonly code: LogFaultCode; readonly message: string };

/** Per append: stream, expected, key, digest, guard's stream and version, count; then type, at and text of each entry. */
export type Batch = (string | number | null)[];

/** An expectation that any version meets. */
export const ANY = -1;
/** One that is met when the append before was for the same stream and is written. */
export const AFTER_PREVIOUS = -2;

/** Per append three numbers: what became of it, a seq, a count. */
export type Verdicts = Float64Array;
export const VERDICT_SIZE = 3;

/** Written; the seq is that of the last entry, or of the log when there was none. */
export const WRITTEN = 0;
/** Refused; the seq is the stream's version. */
export const CONFLICT = 1;
/** Refused: the key stands for something else. */
export const REUSED = 2;
/** Written before: the seq of its last entry, and how many there were. */
export const REPEATED = 3;
/** Refused; the seq is the version of the guard's stream. */
export const FENCED = 4;

export interface PackedAppend extends EncodedAppend {
  readonly stream: string;
  readonly expected: Expected;
  readonly key: Key | undefined;
  readonly guard: Guard | undefined;
}

export function packBatch(appends: readonly PackedAppend[]): Batch {
  const batch: Batch = [];
  for (const { stream, expected, key, guard, entries, texts } of appends) {
    batch.push(stream, packExpected(expected), key?.id ?? null, key?.digest ?? null);
    batch.push(guard?.stream ?? null, guard?.version ?? 0, entries.length);
    for (const [index, { type, at }] of entries.entries()) {
      batch.push(type, at, texts[index] ?? null);
    }
  }
  return batch;
}

function packExpected(expected: Expected): number {
  if (expected === "any") return ANY;
  return expected === "after-previous" ? AFTER_PREVIOUS : expected;
}

/** Takes a batch apart again, in the order it was put together. */
export class BatchCursor {
  readonly #batch: Batch;
  #next = 0;

  constructor(batch: Batch) {
    this.#batch = batch;
  }

  get done(): boolean {
    return this.#next >= this.#batch.length;
  }

  text(): string {
    const value = this.#batch[this.#next++];
    if (typeof value !== "string") throw torn(value);
    return value;
  }

  optionalText(): string | undefined {
    if (this.#batch[this.#next] !== null) return this.text();
    this.#next++;
    return undefined;
  }

  number(): number {
    const value = this.#batch[this.#next++];
    if (typeof value !== "number") throw torn(value);
    return value;
  }
}

function torn(value: unknown): LogFault {
  return new LogFault("failed", `a batch came apart at ${JSON.stringify(value)}`);
}
