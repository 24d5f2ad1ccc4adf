/**
 * This client's subscriptions, kept across connections: a server forgets them with the socket.
 *
 * After a reconnection they are made again before the client is reported ready, so that what is read from then on is
 * complete together with the events.
 */
import { ConnectionLost } from "../base/errors.ts";
import type { Unsubscribe } from "../base/listeners.ts";
import type { Report } from "../base/problem.ts";

export interface Subscription {
  readonly subscribe: string;
  readonly unsubscribe: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Kept {
  readonly subscription: Subscription;
  holders: number;
}

export type Send = (method: string, params: unknown) => Promise<unknown>;

export class Subscriptions {
  readonly #send: Send;
  readonly #report: Report;
  readonly #kept = new Map<string, Kept>();

  constructor(send: Send, report: Report) {
    this.#send = send;
    this.#report = report;
  }

  /** Resolves once the server has agreed. Kept until every caller has unsubscribed. */
  async add(subscription: Subscription): Promise<Unsubscribe> {
    const { subscribe, params } = subscription;
    await this.#send(subscribe, params);
    const name = JSON.stringify([subscribe, params]);
    const kept = this.#kept.get(name) ?? { subscription, holders: 0 };
    kept.holders += 1;
    this.#kept.set(name, kept);
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(name, kept);
      isHeld = false;
    };
  }

  /** Call on every new connection. */
  restore(): void {
    for (const { subscription } of this.#kept.values()) {
      this.#sendOrReport(subscription.subscribe, subscription.params);
    }
  }

  #release(name: string, kept: Kept): void {
    kept.holders -= 1;
    if (kept.holders > 0) return;
    this.#kept.delete(name);
    this.#sendOrReport(kept.subscription.unsubscribe, kept.subscription.params);
  }

  #sendOrReport(method: string, params: unknown): void {
    this.#send(method, params).catch((cause: unknown) => {
      // Without a connection there is nothing to undo; the next connection subscribes again.
      if (cause instanceof ConnectionLost) return;
      this.#report({ kind: "subscription", method, cause });
    });
  }
}
