/**
 * Notices that a peer has gone quiet.
 *
 * A frame only notes its time; the timer compares that time when it fires, so that a busy connection does not set a
 * timer per frame.
 */
import type { ClientDeps } from "../base/deps.ts";

export class Watchdog {
  readonly #deps: Pick<ClientDeps, "now" | "setTimer">;
  readonly #onSilent: () => void;
  #lastReceivedAt = 0;
  #cancel: (() => void) | null = null;

  constructor(deps: Pick<ClientDeps, "now" | "setTimer">, onSilent: () => void) {
    this.#deps = deps;
    this.#onSilent = onSilent;
  }

  watch(silenceMs: number): void {
    this.unwatch();
    this.received();
    this.#look(silenceMs);
  }

  received(): void {
    this.#lastReceivedAt = this.#deps.now();
  }

  unwatch(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #look(silenceMs: number): void {
    const quietMs = this.#deps.now() - this.#lastReceivedAt;
    if (quietMs > silenceMs) {
      this.#cancel = null;
      this.#onSilent();
      return;
    }
    this.#cancel = this.#deps.setTimer(() => this.#look(silenceMs), silenceMs - quietMs + 1);
  }
}
