/** A bus between the nodes of one process. */
import type { Bus, BusHandler } from "./bus.ts";

interface Subscription {
  readonly subject: string;
  readonly handler: BusHandler;
}

export function createMemoryBus(): Bus {
  return new MemoryBus();
}

class MemoryBus implements Bus {
  readonly #subscriptions = new Set<Subscription>();

  publish(subject: string, bytes: Uint8Array): void {
    for (const subscription of this.#listening(subject)) {
      setImmediate(() => {
        if (this.#subscriptions.has(subscription)) subscription.handler(bytes, undefined);
      });
    }
  }

  subscribe(subject: string, handler: BusHandler): Disposable {
    const subscription = { subject, handler };
    this.#subscriptions.add(subscription);
    return { [Symbol.dispose]: () => void this.#subscriptions.delete(subscription) };
  }

  request(subject: string, bytes: Uint8Array, timeoutMs: number): Promise<Uint8Array | undefined> {
    const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
    const listening = this.#listening(subject);
    if (listening.length === 0) return Promise.resolve(undefined);
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    for (const subscription of listening) {
      setImmediate(() => {
        if (this.#subscriptions.has(subscription)) subscription.handler(bytes, resolve);
      });
    }
    return promise.finally(() => clearTimeout(timer));
  }

  #listening(subject: string): Subscription[] {
    return [...this.#subscriptions].filter((subscription) => covers(subscription.subject, subject));
  }
}

function covers(pattern: string, subject: string): boolean {
  if (!pattern.endsWith(".>")) return pattern === subject;
  return subject.startsWith(pattern.slice(0, -1));
}
