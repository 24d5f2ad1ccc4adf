/** One node at work on the chain: what follows, publishes, forwards and answers, put together. */
import type { LogFault } from "../log.ts";
import type { Bus } from "./bus.ts";
import type { Chain } from "./chain.ts";
import type { Copy, CopyLink } from "./copy/copy.ts";
import { createCounts, type Counts } from "./counts.ts";
import { Follower } from "./follower.ts";
import { askForLink, offerLinks } from "./link-exchange.ts";
import { OwnTicks, type OwnTicksDeps } from "./own-ticks.ts";
import { Pen } from "./pen.ts";
import { Publisher } from "./publisher.ts";
import { ChainState, type Genesis } from "./state/chain-state.ts";
import type { ChainAuthor, MessageTick } from "./state/message.ts";
import type { ChainClock } from "./waiting/clock.ts";
import { insist } from "./waiting/insist.ts";

export interface ChainNodeDeps {
  readonly author: ChainAuthor;
  readonly chain: Chain;
  readonly bus: Bus;
  readonly copy: Copy;
  readonly clock: ChainClock;
  readonly genesis: Genesis;
  readonly limits: OwnTicksDeps["limits"];
  /** Messages are in the copy, and readers see them. */
  readonly onCommit: (links: readonly CopyLink[]) => void;
  /** Nothing more can be written; what is in the copy can still be read. */
  readonly onFault: (fault: LogFault) => void;
  /** The copy takes nothing more. */
  readonly onLoss: (fault: LogFault) => void;
}

export class ChainNode {
  readonly counts: Counts = createCounts();
  readonly state: ChainState;
  readonly follower: Follower;
  readonly publisher: Publisher;
  readonly pen: Pen;
  readonly ticks: OwnTicks;
  readonly #deps: ChainNodeDeps;
  readonly #missing = Promise.withResolvers<never>();
  #links: Disposable | undefined;
  #isOpen = false;

  constructor(deps: ChainNodeDeps) {
    const { copy, genesis } = deps;
    this.#deps = deps;
    this.state = new ChainState(copy, copy.start, genesis.keyRetentionMs);
    this.follower = this.#createFollower();
    const { state, counts, follower } = this;
    const common = { ...deps, state, counts, follower };
    const onMalformed = (fault: LogFault): void => this.ticks.failCurrent(fault);
    this.publisher = new Publisher({ ...common, onMalformed });
    const answer = (decided: MessageTick): void =>
      this.ticks.settle(decided, state.head, state.applied);
    this.pen = new Pen({ ...common, publisher: this.publisher, answer });
    this.ticks = new OwnTicks({
      ...common,
      epoch: genesis.epoch,
      send: (tick) => this.pen.send(tick),
      commitOf: (n) => follower.commitOf(n),
      onUnavailable: (appends) => (counts.unavailable += appends),
    });
  }

  /** Resolves once the node has everything that stands in the chain. */
  async begin(): Promise<void> {
    const { bus, clock, copy } = this.#deps;
    await insist(clock, () => this.follower.compareLast());
    this.follower.start();
    await Promise.race([insist(clock, () => this.follower.catchUp()), this.#missing.promise]);
    await this.follower.commitOf(this.state.applied);
    this.#isOpen = true;
    this.pen.start();
    this.#links = offerLinks(bus, copy);
  }

  /** Resolves once everything that was accepted is answered and in the copy. */
  async drained(): Promise<void> {
    await this.ticks.drained();
    await this.publisher.drained();
    await this.follower.commitOf(this.state.applied);
  }

  /** Nothing more is written or applied; other nodes can still fetch links that this one has. */
  halt(fault: LogFault): void {
    this.pen.stop();
    this.publisher.stop(fault);
    this.follower.stop(fault);
    this.ticks.fail(fault);
  }

  close(fault: LogFault): void {
    this.#links?.[Symbol.dispose]();
    this.halt(fault);
  }

  #createFollower(): Follower {
    const { bus, onCommit, onFault, onLoss } = this.#deps;
    // Once the node has begun it goes on looking, and nobody waits here.
    this.#missing.promise.catch(() => undefined);
    return new Follower({
      ...this.#deps,
      state: this.state,
      counts: this.counts,
      steps: {
        onApply: (link) => {
          this.ticks.onApply(link);
          if (this.#isOpen) this.pen.onApply(link);
        },
        askOthers: (n) => askForLink(bus, n),
        onMissing: (fault) => this.#missing.reject(fault),
        onCommit,
        onFault,
        onLoss,
      },
    });
  }
}
