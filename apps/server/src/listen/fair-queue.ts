/**
 * Whose turn it is: keeps one busy peer from holding up the others.
 *
 * A peer's frames are handled as they arrive, up to a few per turn of the event loop; the rest wait in
 * its own lane. Lanes are served round robin within a time budget, then the loop goes on with everyone
 * else's sockets. A lane that is long, or has too many answers outstanding, stops reading its socket,
 * so that TCP slows the sender down instead of our memory growing.
 */
export interface LaneOwner {
  handle(frame: Buffer): void | Promise<void>;
  setReading(isReading: boolean): void;
}

const FRAMES_PER_TURN = 32;
const TURN_BUDGET_MS = 4;
const LONG_LANE = 64;
const MAX_OUTSTANDING = 256;

export class Lane {
  readonly #owner: LaneOwner;
  readonly #turns: FairQueue;
  readonly #frames: Buffer[] = [];
  #turn = -1;
  #taken = 0;
  #outstanding = 0;
  #isReading = true;
  #isClosed = false;

  constructor(turns: FairQueue, owner: LaneOwner) {
    this.#turns = turns;
    this.#owner = owner;
  }

  receive(frame: Buffer): void {
    if (this.#frames.length === 0 && this.#mayHandle()) {
      this.#handle(frame);
      return;
    }
    this.#frames.push(frame);
    this.#turns.wait(this);
    this.#adjustReading();
  }

  /** Handles what this turn allows; false when more is waiting that could be handled next turn. */
  serve(): boolean {
    while (this.#frames.length > 0) {
      if (this.#outstanding >= MAX_OUTSTANDING) break;
      if (!this.#mayHandle()) return false;
      const frame = this.#frames.shift();
      if (frame !== undefined) this.#handle(frame);
    }
    this.#adjustReading();
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#frames.length = 0;
  }

  #mayHandle(): boolean {
    const { turn } = this.#turns;
    if (this.#turn !== turn) {
      this.#turn = turn;
      this.#taken = 0;
      this.#turns.begin();
    }
    return this.#outstanding < MAX_OUTSTANDING && this.#taken++ < FRAMES_PER_TURN;
  }

  #handle(frame: Buffer): void {
    const handled = this.#owner.handle(frame);
    if (handled === undefined) return;
    this.#outstanding++;
    // The room reports its own faults and never rejects; either way the answer is no longer outstanding.
    const settle = (): void => this.#settle();
    handled.then(settle, settle);
  }

  #settle(): void {
    this.#outstanding--;
    if (this.#isClosed) return;
    if (this.#frames.length > 0) this.#turns.wait(this);
    else this.#adjustReading();
  }

  #adjustReading(): void {
    const isReading = this.#frames.length < LONG_LANE && this.#outstanding < MAX_OUTSTANDING;
    if (isReading === this.#isReading || this.#isClosed) return;
    this.#isReading = isReading;
    this.#owner.setReading(isReading);
  }
}

export class FairQueue {
  readonly #now: () => number;
  readonly #waiting = new Set<Lane>();
  #isArmed = false;
  turn = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  wait(lane: Lane): void {
    this.#waiting.add(lane);
    this.begin();
  }

  /** Something was handled in this turn, so there must be a next one. */
  begin(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setImmediate(this.#next);
  }

  readonly #next = (): void => {
    this.#isArmed = false;
    this.turn++;
    const until = this.#now() + TURN_BUDGET_MS;
    // Whoever has more goes to the back of the line; it is served again next turn, not in this one.
    const inLine = [...this.#waiting];
    for (const lane of inLine) {
      this.#waiting.delete(lane);
      if (!lane.serve()) this.wait(lane);
      if (this.#now() > until) break;
    }
    if (this.#waiting.size > 0) this.begin();
  };
}
