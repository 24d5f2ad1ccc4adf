/** A log that several nodes write together: the port with what a node wants to know of the others. */
import type { Log } from "../log.ts";
import type { Bus } from "./bus.ts";

/** Who writes: a node keeps its id for as long as it keeps its folder, and has a new life with every start. */
export interface NodeIdentity {
  readonly id: string;
  readonly life: string;
}

export interface ClusterLog extends Log {
  readonly node: NodeIdentity;
  readonly bus: Bus;
  status(): ChainStatus;
  /** The hash over everything up to that place; undefined when it is not applied here. */
  hashAt(n: number): string | undefined;
  /** What each server of the chain that can be asked says of itself; none where there are no servers to ask. */
  readServers(): Promise<readonly ChainServer[]>;
  /** After another node has erased entries: whoever has folded or read them does it again. */
  onErase(listener: () => void): void;
}

export interface ChainServer {
  /** Where it was asked. */
  readonly url: string;
  /** Left out, and so is everything after it: it does not answer. */
  readonly name?: string;
  readonly version?: string;
  /** Left out where it has none. */
  readonly copy?: {
    readonly isLeader: boolean;
    readonly messages: number;
    /** How many it should have by its own numbers and has not. */
    readonly missing: number;
    readonly lastSeq: number;
  };
}

export interface ChainStatus {
  /** The last place of the chain whose message is applied here, and the hash over everything up to it. */
  readonly applied: number;
  readonly hash: string;
  /** How many places this node knows to be taken and has not applied. */
  readonly lag: number;
  /** The id of the node that has the pen; undefined when nobody was heard to have it. */
  readonly pen: string | undefined;
  /** The largest append that the log takes. */
  readonly maxBytes: number;
  /** What an operator should change, though the log works. */
  readonly warnings: readonly string[];
  readonly counts: ChainCounts;
}

/** Since this life began. */
export interface ChainCounts {
  readonly published: number;
  /** Publishes that found their place taken. */
  readonly taken: number;
  /** Publishes whose outcome had to be looked up. */
  readonly unknown: number;
  /** Ticks sent to the node with the pen. */
  readonly forwarded: number;
  readonly penChanges: number;
  /** Messages that did not come by watching and were fetched. */
  readonly fetched: number;
  /** Watches that were thrown away because they stalled or skipped. */
  readonly watchRestarts: number;
  /** Messages that were damaged or gone at the chain and came from another node's copy. */
  readonly repaired: number;
  /** Appends refused because nothing could be written. */
  readonly unavailable: number;
}
