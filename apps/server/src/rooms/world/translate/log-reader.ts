/** The log, as far as the world looks at it by itself. */
import type { WorldEntry } from "./translate.ts";

export interface LogReader {
  readonly epoch: string;
  readonly head: number;
  read(options: {
    readonly stream?: string;
    readonly after?: number;
    readonly before?: number;
    readonly limit?: number;
    readonly backwards?: boolean;
  }): AsyncIterable<WorldEntry>;
}
