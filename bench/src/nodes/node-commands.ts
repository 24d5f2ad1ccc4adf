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

export type NodeCommand =
  /** So many writers, each with one append under way, for so long. */
  | { readonly do: "write"; readonly writers: number; readonly forMs: number }
  /** One entry after the other, each with the time at which it left. */
  | { readonly do: "ping"; readonly count: number }
  /** What came of others' pings since the last time. */
  | { readonly do: "delays" };

export interface WriteSample {
  readonly rows: number;
  /** How long each append took, in ascending order. */
  readonly millis: readonly number[];
}

export type NodeAnswer =
  | WriteSample
  | { readonly delays: readonly number[] }
  | { readonly ready: true };
