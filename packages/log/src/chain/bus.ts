/**
 * Messages between the nodes of one installation that nobody keeps: whoever does not listen misses them, and nothing
 * that must not be lost travels here. The log uses it for the pen, the server for live text, presence and calls.
 */

export type BusHandler = (
  bytes: Uint8Array,
  /** Answers a request; undefined when none was asked for. */
  reply: ((bytes: Uint8Array) => void) | undefined,
) => void;

export interface Bus {
  publish(subject: string, bytes: Uint8Array): void;
  /** Hears what every node publishes, this one too. A subject may end in `.>`. */
  subscribe(subject: string, handler: BusHandler): Disposable;
  /** The first answer; undefined when nobody answered in time. */
  request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array | undefined>;
}
