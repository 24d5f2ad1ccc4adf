/**
 * A projection is a fold over the log and nothing else: throw it away and replay, and it is the same.
 * It never writes, never sends, and never asks the time. It holds its own state and answers questions
 * about it; `save` and `load` carry that state over a restart.
 */
import type { Entry } from "@atrium/log";

export interface Projection {
  readonly name: string;
  /** Raised when the saved shape or the meaning of the fold changes; older snapshots are then ignored. */
  readonly version: number;
  apply(entry: Entry): void;
  /** Plain JSON. */
  save(): unknown;
  load(saved: unknown): void;
}
