/**
 * The newest part of the timeline as texts: whoever comes back with a cursor gets a slice of it.
 *
 *   start -------- told, told, told -------- seq
 *   everything that was told after `start` is here; what is older is let go
 *
 * Filled from the log when the server opens, so that coming back works across restarts, and costs the
 * same whether one client comes or a thousand do.
 */
import { hasChannel, type ChannelSet } from "../messages/channel-set.ts";
import type { EncodedMessage, TranslateEntry, WorldEntry } from "../translate/translate.ts";

export class ReplayRing {
  readonly #translate: TranslateEntry;
  readonly #keep: () => number;
  #messages: EncodedMessage[] = [];
  /** A cursor from here on can be served. */
  start: number;
  /** The newest entry that was taken in. */
  seq: number;

  /** Keeps what was told of the last `keep()` entries of the log, which stands at `seq`. */
  constructor(translate: TranslateEntry, keep: () => number, seq: number) {
    this.#translate = translate;
    this.#keep = keep;
    this.start = seq;
    this.seq = seq;
  }

  add(entries: readonly WorldEntry[]): readonly EncodedMessage[] {
    const messages = entries.flatMap((entry) => this.#translate(entry) ?? []);
    this.#messages.push(...messages);
    this.seq = entries.at(-1)?.seq ?? this.seq;
    this.#forget();
    return messages;
  }

  /** What happened before this ring was made; `after` is the seq before the first of the entries. */
  addPast(after: number, entries: readonly WorldEntry[]): void {
    this.#messages.unshift(...entries.flatMap((entry) => this.#translate(entry) ?? []));
    this.start = after;
    this.#forget();
  }

  /** Whoever comes back from before now is told how things stand instead. */
  clear(): void {
    this.#messages = [];
    this.start = this.seq;
  }

  since(seq: number, channels: ChannelSet): readonly string[] {
    const first = this.#messages.findLastIndex((message) => message.seq <= seq) + 1;
    return this.#messages
      .slice(first)
      .filter(({ channel }) => hasChannel(channels, channel))
      .map(({ text }) => text);
  }

  #forget(): void {
    const keep = this.#keep();
    const oldest = this.seq - keep;
    if (oldest <= this.start) return;
    this.start = oldest;
    const first = this.#messages.findIndex(({ seq }) => seq > oldest);
    const gone = first === -1 ? this.#messages.length : first;
    // Letting go one by one would move the rest each time.
    if (gone > keep / 4) this.#messages = this.#messages.slice(gone);
  }
}
