/**
 * What is on its way to one peer.
 *
 * Replies of a turn are framed together and leave in one write. While the peer is not taking what was
 * written, replies wait here and published frames wait in their audience, where everybody's copy is
 * the same bytes. A peer that lets more than its limit gather, or takes nothing for too long, is slow
 * and is let go; until then it costs at most its limit.
 */
import { encodeTextFrames } from "./text-frame.ts";

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

export interface OutboxRules {
  /** How much may wait for a peer that is not reading. */
  readonly maxBytes: number;
  readonly now: () => number;
  /** Asks for `flush` at the end of the turn. */
  readonly schedule: (outbox: Outbox) => void;
}

export interface OutboxOwner {
  /** Called at most once, when the peer is given up. */
  onSlow(): void;
}

export class Outbox {
  readonly #sink: Sink;
  readonly #owner: OutboxOwner;
  readonly #rules: OutboxRules;
  readonly #backlogs: Backlog[] = [];
  #texts: string[] = [];
  #textBytes = 0;
  #stalledAt: number | undefined;
  #isClosed = false;
  readonly #waiting: (() => void)[] = [];

  constructor(sink: Sink, owner: OutboxOwner, rules: OutboxRules) {
    this.#sink = sink;
    this.#owner = owner;
    this.#rules = rules;
  }

  get isStalled(): boolean {
    return this.#stalledAt !== undefined;
  }

  /** How long the peer has taken nothing although something waits for it. */
  stalledMs(): number {
    return this.#stalledAt === undefined ? 0 : this.#rules.now() - this.#stalledAt;
  }

  send(text: string): void {
    if (this.#isClosed) return;
    if (this.#texts.length === 0) this.#rules.schedule(this);
    this.#texts.push(text);
    // UTF-16 length is a lower bound and free; the exact size is known when it is framed.
    this.#textBytes += text.length;
    if (this.isStalled && this.#textBytes > this.#rules.maxBytes) this.giveUp();
  }

  /** Resolves when what was sent has been taken, or never will be. */
  async room(): Promise<void> {
    this.flush();
    if (!this.isStalled || this.#isClosed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }

  /** Bytes that are already framed; replies queued before them go first. */
  write(frames: Buffer): void {
    if (this.#isClosed) return;
    if (this.#texts.length > 0) this.flush();
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
    if (this.#sink.write(frames)) return;
    this.#stalledAt = this.#rules.now();
  }

  drained(): void {
    this.#stalledAt = undefined;
    this.flush();
    for (const backlog of this.#backlogs) {
      while (!this.isStalled && !backlog.catchUp(this));
      if (this.isStalled) return;
    }
    this.#release();
  }

  #release(): void {
    if (this.isStalled && !this.#isClosed) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  follow(backlog: Backlog): void {
    this.#backlogs.push(backlog);
  }

  unfollow(backlog: Backlog): void {
    const at = this.#backlogs.indexOf(backlog);
    if (at !== -1) this.#backlogs.splice(at, 1);
  }

  /** The peer is too slow. What it has not taken is dropped. */
  giveUp(): void {
    if (this.#isClosed) return;
    this.close();
    this.#owner.onSlow();
  }

  close(): void {
    this.#isClosed = true;
    this.#texts = [];
    for (const backlog of this.#backlogs.splice(0)) backlog.leave(this);
    this.#release();
  }
}
