/** What the bench asks of a process that writes, and what it answers. */

export interface NodeOptions {
  /** A node of the log, or a bare JetStream publisher. */
  readonly kind: "log" | "raw";
  readonly name: string;
  /** `host:port` each. */
  readonly servers: readonly string[];
  readonly monitors: readonly string[];
  readonly stream: string;
  readonly copyFile: string;
}

/** So many writers, each with one append or message under way, for so long. */
export interface WriteLoad {
  readonly writers: number;
  readonly forMs: number;
  /** Rows in each message of a raw publisher. */
  readonly rowsPerMessage: number;
}

export type NodeCommand =
  | ({ readonly do: "write" } & WriteLoad)
  /** One entry after the other, each with the time at which it left. */
  | { readonly do: "ping"; readonly count: number }
  /** What came of others' pings since the last time. */
  | { readonly do: "delays" };

export interface WriteSample {
  readonly rows: number;
  /** How long each append took, in ascending order. */
  readonly millis: readonly number[];
}
