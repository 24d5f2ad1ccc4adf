/**
 * A projection is a fold over the log and nothing else: throw it away and replay, and it is the same.
 * It never writes, never sends, and never asks the time. It holds its own state and answers questions
 * about it; `save` and `load` carry that state over a restart.
 */
import type { Entry } from "@atrium/log";

export interface Projection<Saved = unknown> {
  readonly name: string;
  /** Raised when the saved shape or the meaning of the fold changes; older snapshots are then ignored. */
  readonly version: number;
  /** All of the entry or nothing of it: what it needs is worked out first and kept last, so that a throw changes nothing. */
  apply(entry: Entry): void;
  /**
   * An entry could not be folded: it is damaged, or of a newer version. Where rights hang on what it said, they are taken back,
   * because what it said may have been that they end. Left out: nothing follows from it.
   */
  distrust?(entry: Entry): void;
  /** Plain JSON. */
  save(): Saved;
  /** Takes the place of all there was: what `save` gave under the same version. */
  load(saved: Saved): void;
}
