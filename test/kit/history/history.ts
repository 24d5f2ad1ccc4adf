/**
 * What writers asked of a log that several nodes write, what they were answered, and what can be read afterwards.
 * Times are milliseconds of one monotonic clock that all processes of a machine share.
 */
import type { Guard, Key } from "@atrium/log";

export interface History {
  readonly operations: readonly Operation[];
  readonly tails: readonly TailPiece[];
  /** The whole log, as each node reads it and as each server keeps it. */
  readonly copies: readonly LogCopy[];
  readonly disturbances: readonly Disturbance[];
}

/** One attempt to append; without an answer its outcome is unknown. */
export interface Operation {
  /** Stands in the data of every entry that the attempt writes. */
  readonly id: string;
  readonly node: string;
  readonly stream: string;
  readonly expected: number | "any";
  /** How many entries. */
  readonly count: number;
  readonly guard?: Guard;
  readonly key?: Key;
  readonly invokedAt: number;
  readonly answer?: Answer;
}

export type Answer =
  | {
      readonly type: "ok";
      /** Where the last of its entries stands. */
      readonly seq: number;
      /** True when an earlier attempt with the same key wrote them. */
      readonly isRepeated: boolean;
      readonly at: number;
    }
  | { readonly type: "refused"; readonly reason: string; readonly at: number };

export interface HistoryEntry {
  readonly seq: number;
  readonly stream: string;
  /** The attempt that wrote it, and which of its entries it is; undefined when no writer of this history did. */
  readonly id?: string;
  readonly part?: number;
}

/** What one reader of a node's tail was given, in order. */
export interface TailPiece {
  readonly node: string;
  readonly after: number;
  readonly entries: readonly HistoryEntry[];
}

export interface LogCopy {
  readonly holder: string;
  readonly entries: readonly HistoryEntry[];
}

/** Something that was done to the cluster, and how long each of these nodes may be without an acknowledgment. */
export interface Disturbance {
  readonly name: string;
  readonly nodes: readonly string[];
  readonly from: number;
  readonly until: number;
  readonly maxGapMs: number;
}

/** A clock that all processes of this machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
