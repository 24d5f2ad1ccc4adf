/**
 * What is on its way to one peer.
 *
 * Replies of a turn are framed together and leave in one write. While the peer is not taking what was
 * written, replies wait here and published frames wait in their audience, where everybody's copy is
 * the same bytes. A peer that lets more than its limit gather, or takes nothing for too long, is slow
 * and is let go; until then it costs at most its limit.
 */
import { encodeTextFrames } from "./text-frame.ts";

/** The writable half of a socket. */
export interface Sink {
  /** False when the peer is not keeping up; `drained` is called once it has. */
  write(bytes: Buffer): boolean;
}

/** Something that has more for this peer once it takes bytes again. */
export interface Backlog {
  /** Writes what it may; false when there is more to come. */
  catchUp(outbox: Outbox): boolean;
  leave(outbox: Outbox): void;
}

export interface OutboxDeps {
  readonly sink: Sink;
  readonly maxBytes: number;
  readonly now: () => number;
  /** Called at most once. */
  readonly onSlow: () => void;
  /** Asks for `flush` at the end of the turn. */
  readonly schedule: (outbox: Outbox) => void;
}

export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #backlogs = new Set<Backlog>();
  #texts: string[] = [];
  #textBytes = 0;
  #stalledAt: number | undefined;
  #isClosed = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  get isStalled(): boolean {
    return this.#stalledAt !== undefined;
  }

  /** How long the peer has taken nothing although something waits for it. */
  stalledMs(): number {
    return this.#stalledAt === undefined ? 0 : this.#deps.now() - this.#stalledAt;
  }

  send(text: string): void {
    if (this.#isClosed) return;
    if (this.#texts.length === 0) this.#deps.schedule(this);
    this.#texts.push(text);
    // UTF-16 length is a lower bound and free; the exact size is known when it is framed.
    this.#textBytes += text.length;
    if (this.isStalled && this.#textBytes > this.#deps.maxBytes) this.giveUp();
  }

  /** Bytes that are already framed; replies queued before them go first. */
  write(frames: Buffer): void {
    if (this.#isClosed) return;
    this.flush();
    this.#write(frames);
  }

  flush(): void {
    if (this.#isClosed || this.isStalled || this.#texts.length === 0) return;
    const texts = this.#texts;
    this.#texts = [];
    this.#textBytes = 0;
    this.#write(encodeTextFrames(texts));
  }

  #write(frames: Buffer): void {
    if (this.#deps.sink.write(frames)) return;
    this.#stalledAt = this.#deps.now();
  }

  drained(): void {
    this.#stalledAt = undefined;
    this.flush();
    for (const backlog of this.#backlogs) {
      while (!this.isStalled && !backlog.catchUp(this));
      if (this.isStalled) return;
    }
  }

  follow(backlog: Backlog): void {
    this.#backlogs.add(backlog);
  }

  /** The peer is too slow. What it has not taken is dropped. */
  giveUp(): void {
    if (this.#isClosed) return;
    this.close();
    this.#deps.onSlow();
  }

  close(): void {
    this.#isClosed = true;
    this.#texts = [];
    for (const backlog of this.#backlogs) backlog.leave(this);
    this.#backlogs.clear();
  }
}
