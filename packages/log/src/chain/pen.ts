/**
 * Who writes: the node that wrote last keeps the pen, and the others hand their ticks to it.
 *
 * Only a matter of speed. Nobody elects or releases anything, and two nodes that both believe to have the pen are
 * slower and as right: the chain takes one message at a place, and a tick that is in it is not written again.
 */
import type { Bus } from "./bus.ts";
import type { CopyLink } from "./copy/copy.ts";
import type { Counts } from "./counts.ts";
import type { Follower } from "./follower.ts";
import type { OwnTick } from "./own-ticks.ts";
import type { Publisher } from "./publisher.ts";
import type { ChainState } from "./state/chain-state.ts";
import { decodeFrame, encodeFrame } from "./state/frame.ts";
import { packAuthor, unpackAuthor, type ChainAuthor, type MessageTick } from "./state/message.ts";
import { decodeTick, encodeTick } from "./state/tick-frame.ts";
import { pause, type ChainClock } from "./waiting/clock.ts";

const BEAT_MS = 300;
/** Whoever was not heard for so long is not waited for. */
const SILENCE_MS = 1000;
const BEATS = "log.pen";
const YES = Uint8Array.of(1);
const NO = Uint8Array.of(0);

export interface PenDeps {
  readonly author: ChainAuthor;
  readonly bus: Bus;
  readonly state: ChainState;
  readonly follower: Follower;
  readonly publisher: Publisher;
  readonly clock: ChainClock;
  readonly counts: Counts;
  /** Takes an answer to an own tick that writes nothing. */
  readonly answer: (answer: MessageTick) => void;
}

export class Pen {
  readonly #deps: PenDeps;
  readonly #subscriptions = new DisposableStack();
  /** The node that wrote last. */
  #holder: ChainAuthor | undefined;
  #lastBeat = -Infinity;
  #beat: Disposable | undefined;
  #isStopped = false;

  constructor(deps: PenDeps) {
    this.#deps = deps;
  }

  /** The id of the node that has it; undefined when nobody was heard to. */
  get holder(): string | undefined {
    const { author, state } = this.#deps;
    if (state.life === author.life) return author.node;
    return this.#other()?.node;
  }

  start(): void {
    const { bus, author } = this.#deps;
    this.#subscriptions.use(bus.subscribe(BEATS, (bytes) => this.#onBeat(bytes)));
    const subject = subjectOf(author.life);
    this.#subscriptions.use(
      bus.subscribe(subject, (bytes, reply) => reply?.(this.#take(bytes) ? YES : NO)),
    );
    this.#beatOn();
  }

  /** A message came that was not there when this node did. */
  onApply({ message: { author } }: CopyLink): void {
    if (this.#holder?.life !== author.life) this.#deps.counts.penChanges++;
    this.#holder = author;
    this.#lastBeat = this.#deps.clock.now();
  }

  /** Brings a tick into the chain: by the node that has the pen, or else by this one. */
  send(tick: OwnTick): void {
    const other = this.#other();
    if (other !== undefined) void this.#forward(tick, other);
    else this.#deps.publisher.add({ tick, answer: this.#deps.answer });
  }

  stop(): void {
    this.#isStopped = true;
    this.#beat?.[Symbol.dispose]();
    this.#subscriptions.dispose();
  }

  #other(): ChainAuthor | undefined {
    const { author, clock } = this.#deps;
    if (this.#holder === undefined || this.#holder.life === author.life) return undefined;
    return clock.now() - this.#lastBeat < SILENCE_MS ? this.#holder : undefined;
  }

  async #forward(tick: OwnTick, { life }: ChainAuthor): Promise<void> {
    const { bus, clock, counts, publisher } = this.#deps;
    let isOver = false;
    const end = tick.end.then(() => (isOver = true));
    counts.forwarded++;
    const request = bus.request(subjectOf(life), encodeTick(tick), SILENCE_MS);
    const reply = await Promise.race([request.catch(() => undefined), end]);
    if (reply instanceof Uint8Array && reply[0] === YES[0]) {
      await Promise.race([end, pause(clock, SILENCE_MS)]);
    }
    // The other node may still write it. Without an answer of ours it is settled in the chain, whoever does.
    if (!isOver && !this.#isStopped) publisher.add({ tick });
  }

  #take(bytes: Uint8Array): boolean {
    const { publisher, state } = this.#deps;
    if (this.#isStopped) return false;
    try {
      const tick = decodeTick(bytes);
      if (!state.hasTick(tick) && !publisher.has(tick)) publisher.add({ tick });
      return true;
    } catch {
      return false;
    }
  }

  #beatOn(): void {
    const { author, bus, clock, state } = this.#deps;
    this.#beat = clock.after(BEAT_MS, () => {
      if (state.life === author.life) {
        const { applied, hash } = state;
        bus.publish(
          BEATS,
          encodeFrame(() => ({ author: packAuthor(author), applied, hash })),
        );
      }
      this.#beatOn();
    });
  }

  #onBeat(bytes: Uint8Array): void {
    const { author, clock, follower, state } = this.#deps;
    try {
      const { header } = decodeFrame(bytes);
      const other = unpackAuthor(header.list("author"));
      if (other.life === author.life) return;
      const applied = header.number("applied");
      follower.note(applied);
      follower.compare(applied, header.text("hash")).catch(() => undefined);
      // Only whoever wrote last: another one does not know yet that it lost the pen.
      if (other.life !== state.life) return;
      this.#holder = other;
      this.#lastBeat = clock.now();
    } catch {
      // What is no beat is not heard.
    }
  }
}

function subjectOf(life: string): string {
  return `log.forward.${life}`;
}
