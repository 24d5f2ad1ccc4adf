/** A chain that lives as long as its process: several nodes in one process share it. */
import { Bell } from "../tail.ts";
import type { Chain, Link, PublishResult } from "./chain.ts";

const MAX_BYTES = 8 * 1024 * 1024;

export function createMemoryChain(): Chain {
  return new MemoryChain();
}

class MemoryChain implements Chain {
  readonly maxBytes = MAX_BYTES;
  readonly trouble = undefined;
  readonly #links: Uint8Array[] = [];
  readonly #bell = new Bell();

  async publish(after: number, bytes: Uint8Array): Promise<PublishResult> {
    if (after !== this.#links.length) return "taken";
    this.#links.push(bytes);
    this.#bell.ring();
    return "written";
  }

  async read(n: number): Promise<Uint8Array | undefined> {
    return this.#links[n - 1];
  }

  async last(): Promise<number> {
    return this.#links.length;
  }

  async *watch(after: number, signal: AbortSignal): AsyncGenerator<Link, void, undefined> {
    for (let n = after + 1; !signal.aborted;) {
      const bytes = this.#links[n - 1];
      if (bytes === undefined) await this.#bell.wait(signal);
      else yield { n: n++, bytes };
    }
  }
}
