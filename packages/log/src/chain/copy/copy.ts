/** A node's own copy of what the chain says: it serves every read, and a node that starts again goes on behind it. */
import type { Entry, ReadOptions, Snapshot } from "../../log.ts";
import type { TailSource } from "../../tail.ts";
import type { ChainStart, Lookup } from "../state/chain-state.ts";
import type { DecodedMessage } from "../state/message.ts";

export interface CopyLink extends DecodedMessage {
  readonly n: number;
  readonly bytes: Uint8Array;
  /** Those that the message writes. */
  readonly entries: readonly Entry[];
}

export interface Copy extends TailSource, Lookup {
  /** Names it in faults. */
  readonly path: string;
  /** What an operator should know of it. */
  readonly warnings: readonly string[];
  readonly start: ChainStart;
  /** Takes over links that follow on what it has; readers see them when it resolves. */
  commit(links: readonly CopyLink[]): Promise<void>;
  /** A link as it came; undefined when it is not here, or was erased since. */
  findLink(n: number): Uint8Array | undefined;
  hashAt(n: number): string | undefined;
  read(options: ReadOptions): AsyncIterable<Entry>;
  /** The entries of one append: so many, up to this one. */
  recall(last: number, count: number): readonly Entry[];
  findSnapshot(name: string): Snapshot | undefined;
  saveSnapshot(name: string, snapshot: Snapshot): Promise<void>;
  checkOpen(): void;
  close(): Promise<void>;
}
