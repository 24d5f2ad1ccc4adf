/** A watch over the chain that is begun again whenever it ends or brings nothing any more. */
import type { Chain } from "./chain.ts";
import type { Counts } from "./counts.ts";
import { pause, type ChainClock } from "./waiting/clock.ts";

const STALL_MS = 1500;
const RETRY_MS = 250;

export interface ChainWatchDeps {
  readonly chain: Chain;
  readonly clock: ChainClock;
  readonly counts: Counts;
  /** The last place that need not come any more. */
  readonly applied: () => number;
  /** The last place that is known to be taken. */
  readonly known: () => number;
  /** The next one is taken from the watch when it resolves. */
  readonly onLink: (n: number, bytes: Uint8Array) => Promise<void>;
  readonly onStall: () => void;
}

export class ChainWatch {
  readonly #deps: ChainWatchDeps;
  #watching = new AbortController();
  /** The last place that came, and how many did. */
  #delivered = 0;
  #deliveries = 0;
  #watchdog: Disposable | undefined;
  #isStopped = false;

  constructor(deps: ChainWatchDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#watching.abort();
    this.#watching = new AbortController();
    this.#delivered = this.#deps.applied();
    if (!this.#isStopped) void this.#watch(this.#watching.signal);
  }

  /**
   * To be called when a place became known: the watch must bring it too, also when it came another way first. One
   * that brings nothing for a while is thrown away.
   */
  guard(): void {
    const { clock, counts, known, onStall } = this.#deps;
    if (this.#watchdog !== undefined || this.#isStopped || this.#delivered >= known()) return;
    const deliveries = this.#deliveries;
    this.#watchdog = clock.after(STALL_MS, () => {
      this.#watchdog = undefined;
      if (this.#deliveries === deliveries && this.#delivered < known()) {
        counts.watchRestarts++;
        this.start();
        onStall();
      }
      this.guard();
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#watching.abort();
    this.#watchdog?.[Symbol.dispose]();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { chain, clock, applied, onLink } = this.#deps;
    try {
      for await (const { n, bytes } of chain.watch(applied(), signal)) {
        if (signal.aborted) return;
        this.#deliveries++;
        this.#delivered = Math.max(this.#delivered, n);
        await onLink(n, bytes);
      }
    } catch {
      // A watch that ends is begun again, however it ended.
    }
    await pause(clock, RETRY_MS);
    if (!signal.aborted) this.start();
  }
}
