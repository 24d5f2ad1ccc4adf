/**
 * The nodes that serve one log together, as one of them sees it: who is there, which one directs, and the bus between
 * them. One node directs at a time: it starts runs, moves projects and builds on, keeps deadlines and erases. All of
 * them serve peers.
 *
 * The embedded default is `alone`: it directs from the start, has no bus, and pays nothing for any of this.
 */
import { accept, type Outcome } from "@atrium/core";
import type { Bus, Guard } from "@atrium/log";

/** A node that was heard within the last two seconds. */
export interface Member {
  readonly node: string;
  /** Another one with every start. */
  readonly life: string;
  /** Where its peers reach it. */
  readonly url: string;
  readonly version: string;
  /** The last place of the chain that it has applied, and the hash over everything up to it. */
  readonly applied: number;
  readonly hash: string;
  /** By name, digests of the settings that should be the same on every node; an earlier release tells none. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What is the matter with it, for people to read. */
  readonly warnings?: readonly string[];
}

/** The right to direct. Once lost it is not given back: the node starts again. */
export interface Lease {
  /** Whether this node may act as the director now. */
  readonly isHeld: boolean;
  /** Resolves when this node is to direct and has folded everything up to the grant. */
  readonly granted: Promise<void>;
  /** Settles with the reason when this node directed and must do so no more. */
  readonly lost: Promise<string>;
  /** For everything that is written as the director; undefined when there is nobody to fence off. */
  readonly guard: () => Guard | undefined;
  /**
   * Asks the log whether nobody else was granted it, for what cannot be guarded because it changes files: a node that
   * was stopped believes that it directs until it has asked.
   */
  readonly confirm: () => Promise<Outcome<void>>;
  /** Directs no more, and writes nothing of it: for a node that closes while nothing can be written. */
  readonly abandon: () => void;
}

export interface Cluster extends AsyncDisposable {
  /** The name of this node. */
  readonly node: string;
  /** Undefined when there is one node only. */
  readonly life: string | undefined;
  /** Whether it is this life, or one that is alive and has never directed: what it began may go on. */
  readonly mayGoOn: (life: string) => boolean;
  /** Undefined when there is one node only. */
  readonly bus: Bus | undefined;
  /** The nodes that are alive, this one included; empty when there is one node only. */
  readonly members: () => readonly Member[];
  /** The node that holds the lease and is alive; undefined when nobody directs for the moment. */
  readonly director: () => string | undefined;
  /** When it was granted the lease, in milliseconds since 1970. */
  readonly since: () => number | undefined;
  /** Calls back whenever another node is alive, gone or the director. */
  readonly onChange: (listener: () => void) => Disposable;
  readonly lease: Lease;
}

const ALONE = "alone";

/** One node, which directs for as long as it runs. */
export function alone(): Cluster {
  const lease: Lease = {
    isHeld: true,
    granted: Promise.resolve(),
    lost: new Promise(() => undefined),
    guard: () => undefined,
    confirm: () => Promise.resolve(accept(undefined)),
    abandon: () => undefined,
  };
  return {
    node: ALONE,
    life: undefined,
    mayGoOn: () => false,
    bus: undefined,
    members: () => [],
    director: () => ALONE,
    since: () => undefined,
    onChange: () => ({ [Symbol.dispose]: () => undefined }),
    lease,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
