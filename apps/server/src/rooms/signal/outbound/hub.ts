/**
 * Where signals meet those who want them.
 *
 *   entries ----translate--> everyone who listens, with a position
 *   words on their way ----> everyone who listens, without one
 *   a position ------------> everything after it, read from the log and translated again
 *
 * Subscribers on sockets that want the same form one audience and share its bytes. What stands for words that have
 * passed (kept) is told to those who read the past, and to newcomers: they have not heard them.
 */
import type { Activity } from "@atrium/core";
import type { SignalEnvelope, SignalFilter } from "@atrium/wire/signal";
import type { Audience, Peer } from "../../../sockets/peer.ts";
import { OutgoingSignal } from "../translate/outgoing-signal.ts";
import type { SignalPosition } from "../translate/position.ts";
import type { SignalEntry, TranslateSignals } from "../translate/translate.ts";
import { createMatcher, filterName, type SignalMatcher } from "./filter.ts";

export interface SignalItem {
  readonly seq: number;
  readonly signals: readonly OutgoingSignal[];
}

export interface HubDeps {
  readonly translate: TranslateSignals;
  readonly activities: {
    readonly now: Activity;
    near(seq: number): { readonly seq: number; readonly activity: Activity };
  };
  readonly head: () => number;
  readonly readEntries: (after: number) => AsyncIterable<SignalEntry>;
  readonly openAudience: () => Audience;
}

interface Subscribers {
  readonly audience: Audience;
  readonly matches: SignalMatcher;
}

/** What is being said right now, whole. */
type InProgress = () => Iterable<SignalEnvelope>;

export class SignalHub {
  readonly #deps: HubDeps;
  readonly #subscribers = new Map<string, Subscribers>();
  readonly #listeners = new Set<(item: SignalItem) => void>();
  readonly #ephemeralListeners = new Set<(signal: OutgoingSignal) => void>();
  readonly #underway: InProgress[] = [];
  #activity: Activity;
  seq: number;

  constructor(deps: HubDeps) {
    this.#deps = deps;
    this.#activity = deps.activities.now;
    this.seq = deps.head();
  }

  readonly onBatch = (entries: readonly SignalEntry[]): void => {
    for (const entry of entries) {
      const { activity, signals } = this.#deps.translate(this.#activity, entry);
      this.#activity = activity;
      this.seq = entry.seq;
      if (signals.length === 0) continue;
      for (const each of signals) if (!each.isKept) this.#publish(each);
      for (const listener of this.#listeners) listener({ seq: entry.seq, signals });
    }
  };

  /** Tells something that is not in the log, and may never be. */
  publishEphemeral(signal: SignalEnvelope): void {
    const outgoing = new OutgoingSignal(signal);
    this.#publish(outgoing);
    for (const listener of this.#ephemeralListeners) listener(outgoing);
  }

  #publish(outgoing: OutgoingSignal): void {
    for (const { audience, matches } of this.#subscribers.values()) {
      if (matches(outgoing.signal)) audience.publish(outgoing.frame);
    }
  }

  /** Newcomers are told what is said right now. */
  addUnderway(underway: InProgress): void {
    this.#underway.push(underway);
  }

  underway(matches: SignalMatcher): readonly OutgoingSignal[] {
    const envelopes = this.#underway.flatMap((each) => [...each()]);
    return envelopes.filter(matches).map((signal) => new OutgoingSignal(signal, undefined, true));
  }

  join(peer: Peer, filter: SignalFilter): () => void {
    const name = filterName(filter);
    const known = this.#subscribers.get(name);
    const same = known ?? { audience: this.#deps.openAudience(), matches: createMatcher(filter) };
    this.#subscribers.set(name, same);
    const { audience, matches } = same;
    for (const { frame } of this.underway(matches)) peer.send(frame);
    peer.join(audience);
    return () => {
      peer.leave(audience);
      if (audience.size === 0) this.#subscribers.delete(name);
    };
  }

  listen(listener: (item: SignalItem) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  onEphemeral(listener: (signal: OutgoingSignal) => void): Disposable {
    this.#ephemeralListeners.add(listener);
    return { [Symbol.dispose]: () => void this.#ephemeralListeners.delete(listener) };
  }

  /** Whether that position can be one of this log. */
  isKnown({ seq }: SignalPosition): boolean {
    return seq <= this.#deps.head();
  }

  async *past(after: number): AsyncIterable<SignalItem> {
    const { translate, activities, readEntries } = this.#deps;
    // What comes after what was told last is told to those who listen.
    if (after >= this.seq) return;
    const start = activities.near(after);
    let { activity } = start;
    for await (const entry of readEntries(start.seq)) {
      const translated = translate(activity, entry);
      ({ activity } = translated);
      const { signals } = translated;
      if (entry.seq > after && signals.length > 0) yield { seq: entry.seq, signals };
    }
  }
}
