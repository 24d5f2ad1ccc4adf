/**
 * The chain: numbered places, each of which takes one message, once. The port under a log that several nodes write.
 *
 * It promises two things: a place never holds another message than the first that was put there, and a message is
 * put there only when the place before it is taken. Everything else may go wrong and is met above: answers get lost,
 * come late or twice, and whoever watches may miss places or see them again.
 */

export type PublishResult =
  /** The bytes stand at that place, durably. */
  | "written"
  /** Something stands there already, maybe these very bytes from an earlier try. */
  | "taken"
  /** No answer: they may or may not stand there, or get there later. Look, then publish the same bytes again. */
  | "unknown";

export interface Link {
  /** Counted from 1. */
  readonly n: number;
  readonly bytes: Uint8Array;
}

export interface Chain {
  /** The largest message that it takes. */
  readonly maxBytes: number;
  /** Why nobody can be reached for the moment, for a person to read; undefined while all is well. */
  readonly trouble: string | undefined;
  /** Puts the bytes at `after + 1`. Rejects only with a LogFault that another try would meet again. */
  publish(after: number, bytes: Uint8Array): Promise<PublishResult>;
  /**
   * What stands at that place, as whoever decides about the chain knows it; undefined when nothing stands there.
   * Rejects when nobody can tell for the moment.
   */
  read(n: number): Promise<Uint8Array | undefined>;
  /** The last place that is taken, as `read` knows it; 0 when none is. */
  last(): Promise<number>;
  /**
   * Links after `after`, as they come. A hint and no proof: it may stall, skip, repeat and end; whoever needs a
   * place that did not come reads it.
   */
  watch(after: number, signal: AbortSignal): AsyncIterable<Link>;
}
