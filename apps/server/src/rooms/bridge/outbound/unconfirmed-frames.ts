/**
 * What is on its way to a plugin, until there is proof that it arrived.
 *
 *   [ written to this socket ... | waiting ]
 *     ^ proven ones leave here     ^ added here
 *
 * The protocol has no receipt for a message, but a pong comes after everything that was sent before its
 * ping. So a mark is taken with each ping, and its pong proves all that is before the mark. When the socket
 * goes, what is not proven waits again: better twice, for the plugin to tell apart by its id, than never.
 */
export class UnconfirmedFrames<Frame> {
  readonly #limit: () => number;
  readonly #frames: Frame[] = [];
  /** How many there were when the socket went. */
  #left = 0;
  /** The number of the oldest; numbers go on across sockets. */
  #oldest = 0;
  #written = 0;

  /** How many are kept while there is no socket. */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  get hasUnproven(): boolean {
    return this.#written > 0;
  }

  /** Up to here everything was written. */
  get mark(): number {
    return this.#oldest + this.#written;
  }

  add(frame: Frame): void {
    this.#frames.push(frame);
  }

  /** The oldest that waits, if any; from now on it counts as written. */
  takeNext(): Frame | undefined {
    const next = this.#frames[this.#written];
    if (next !== undefined) this.#written += 1;
    return next;
  }

  prove(mark: number): void {
    const count = mark - this.#oldest;
    if (count <= 0) return;
    this.#leave(count);
    this.#written -= count;
  }

  /** The socket is gone. However many were on their way, none is lost by that alone. */
  rewind(): void {
    this.#written = 0;
    this.#left = this.#frames.length;
  }

  trim(): readonly Frame[] {
    const excess = this.#frames.length - Math.max(this.#limit(), this.#left);
    return excess > 0 ? this.#leave(excess) : [];
  }

  remove(isMeant: (frame: Frame) => boolean): void {
    for (let n = this.#frames.length - 1; n >= this.#written; n--) {
      const frame = this.#frames[n];
      if (frame !== undefined && isMeant(frame)) this.#frames.splice(n, 1);
    }
  }

  clear(): readonly Frame[] {
    this.#written = 0;
    return this.#leave(this.#frames.length);
  }

  #leave(count: number): readonly Frame[] {
    this.#oldest += count;
    return this.#frames.splice(0, count);
  }
}
