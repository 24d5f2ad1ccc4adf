/** What a command of upkeep has to say: while it works, and at its end. */

export interface UpkeepReport {
  /** Whether all is well; decides the exit code. */
  readonly isWell: boolean;
  /** For people, a line each. */
  readonly lines: readonly string[];
  /** The same for programs. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Shows how far something has come. */
export type UpkeepProgress = (what: string, done: number, of: number) => void;
