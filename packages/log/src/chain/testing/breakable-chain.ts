/** A chain as one node meets it, with whatever a test wants to go wrong in between. */
import { LogFault } from "../../log.ts";
import type { Chain, Link, PublishResult } from "../chain.ts";

export class BreakableChain implements Chain {
  maxBytes: number;
  /** A larger message is refused, whatever `maxBytes` says. */
  limit = Infinity;
  trouble: string | undefined;
  /** Nobody answers: publishing ends unknown, reading fails, watching waits. */
  isCut = false;
  /** The watch brings nothing more, for good. */
  isDeaf = false;
  /** Answers of publishing that get lost: so many. */
  lostAnswers = 0;
  /** What stands at a place instead; undefined when it is lost. */
  readonly damages = new Map<number, Uint8Array | undefined>();
  /** How many places can be seen, when some were lost. */
  length = Infinity;
  publishes = 0;
  reads = 0;
  readonly #chain: Chain;

  constructor(chain: Chain) {
    this.#chain = chain;
    this.maxBytes = chain.maxBytes;
  }

  async publish(after: number, bytes: Uint8Array): Promise<PublishResult> {
    this.publishes++;
    if (bytes.length > this.limit) throw new LogFault("malformed", "it is too large");
    if (this.isCut) return "unknown";
    if (this.damages.has(after + 1)) return "taken";
    const result = await this.#chain.publish(after, bytes);
    if (this.lostAnswers === 0) return result;
    this.lostAnswers--;
    return "unknown";
  }

  async read(n: number): Promise<Uint8Array | undefined> {
    this.reads++;
    this.#reach();
    if (n > this.length) return undefined;
    return this.damages.has(n) ? this.damages.get(n) : this.#chain.read(n);
  }

  async last(): Promise<number> {
    this.#reach();
    return Math.min(this.length, await this.#chain.last());
  }

  async *watch(after: number, signal: AbortSignal): AsyncGenerator<Link, void, undefined> {
    for await (const { n, bytes } of this.#chain.watch(after, signal)) {
      if (this.isDeaf || this.isCut) await new Promise(() => undefined);
      const seen = this.damages.has(n) ? this.damages.get(n) : bytes;
      if (seen !== undefined) yield { n, bytes: seen };
    }
  }

  #reach(): void {
    if (this.isCut) throw new Error("nobody can tell");
  }
}
