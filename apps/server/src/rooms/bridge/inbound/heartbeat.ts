/**
 * Pings one plugin every so often, and in between when there is something to prove. Two regular pings in
 * a row without a pong before the next is due, and the plugin is taken for dead.
 */
import type { Clock } from "@atrium/core";
import type { Ping, Pong } from "@atrium/wire/bridge";
import type { Timers } from "../../../platform/timers.ts";

export interface HeartbeatDeps {
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly send: (frame: Ping) => void;
  /** Called with each ping; what it returns is called when the pong has come. */
  readonly mark: () => () => void;
  readonly onDead: () => void;
}

interface Outstanding {
  readonly ts: number;
  readonly onPong: () => void;
}

const MAX_MISSED = 2;

export class PluginHeartbeat {
  readonly #deps: HeartbeatDeps;
  /** Oldest first. */
  #outstanding: Outstanding[] = [];
  #lastTs = 0;
  #missed = 0;
  #isAwaited = false;
  #cancel: () => void;

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
    this.#cancel = this.#schedule();
  }

  ping(): void {
    // Never the same twice, so that a pong says which ping it answers.
    this.#lastTs = Math.max(this.#lastTs + 1, this.#deps.clock.now());
    this.#outstanding.push({ ts: this.#lastTs, onPong: this.#deps.mark() });
    this.#deps.send({ type: "ping", ts: this.#lastTs });
  }

  /** Unless a ping is under way already: its pong is the time to ask again. */
  pingSoon(): void {
    if (this.#outstanding.length === 0) this.ping();
  }

  /** One that repeats no ping of ours answers the oldest, which proves the least. */
  pong({ ts }: Pong): void {
    this.#missed = 0;
    this.#isAwaited = false;
    const found = this.#outstanding.findIndex((ping) => ping.ts === ts);
    const answered = this.#outstanding.splice(0, Math.max(found, 0) + 1).at(-1);
    answered?.onPong();
  }

  stop(): void {
    this.#cancel();
    this.#outstanding = [];
  }

  #schedule(): () => void {
    return this.#deps.timers.after(this.#deps.intervalMs, () => this.#beat());
  }

  #beat(): void {
    if (this.#isAwaited && ++this.#missed >= MAX_MISSED) {
      this.#deps.onDead();
      return;
    }
    this.#isAwaited = true;
    this.ping();
    this.#cancel = this.#schedule();
  }
}
