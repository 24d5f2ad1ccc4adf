/** The changes of one other node on their way in: in order, none left out, each after the entries it may speak of. */

export interface Update<Change> {
  readonly from: string;
  /** Another one with every start of that node. */
  readonly life: string;
  /** How many changes came before. */
  readonly after: number;
  /** The newest entry that the node knew. */
  readonly seq: number;
  readonly changes: readonly Change[];
  /** Set when these are not the next changes but a part of all that there is. */
  readonly part?: readonly [at: number, of: number];
}

export interface MirrorLaneDeps<Change> {
  readonly settled: (seq: number) => Promise<void> | void;
  readonly apply: (change: Change) => void;
  readonly replace: (changes: readonly Change[]) => void;
  /** Asks for the whole. */
  readonly ask: () => void;
  readonly report: (cause: unknown) => void;
}

/** Whoever falls behind further than this begins again with the whole. */
const MAX_WAITING = 2_000;

export class MirrorLane<Change> {
  readonly #deps: MirrorLaneDeps<Change>;
  readonly #waiting: Update<Change>[] = [];
  #life = "";
  #count = 0;
  #isHeld = false;
  #isInStep = false;
  #isClosed = false;
  /** Of the whole, until the last has come. */
  #parts: (readonly Change[])[] = [];

  constructor(deps: MirrorLaneDeps<Change>) {
    this.#deps = deps;
  }

  get isInStep(): boolean {
    return this.#isInStep;
  }

  take(update: Update<Change>): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#waiting.length = 0;
      this.#isInStep = false;
    }
    this.#waiting.push(update);
    this.#drain();
  }

  /** From nothing: what is known may be of an earlier life. */
  restart(): void {
    this.#isInStep = false;
    this.#parts = [];
    this.#deps.ask();
  }

  close(): void {
    this.#isClosed = true;
  }

  #drain(): void {
    while (!this.#isHeld && !this.#isClosed) {
      const [update] = this.#waiting;
      if (update === undefined) return;
      const until = this.#deps.settled(update.seq);
      if (until !== undefined) return this.#holdUntil(until);
      this.#waiting.shift();
      try {
        this.#apply(update);
      } catch (cause) {
        this.#deps.report(cause);
      }
    }
  }

  #holdUntil(settled: Promise<void>): void {
    this.#isHeld = true;
    const goOn = (): void => {
      this.#isHeld = false;
      this.#drain();
    };
    // It rejects when the server closes; then there is nobody to tell.
    settled.then(goOn, () => this.close());
  }

  #apply({ part, life, after, changes }: Update<Change>): void {
    if (part !== undefined) return this.#addPart(part, { life, after, changes });
    const isNext = this.#isInStep && this.#life === life && this.#count === after;
    if (!isNext) return this.restart();
    this.#count += changes.length;
    for (const change of changes) this.#deps.apply(change);
  }

  #addPart(
    [at, of]: readonly [number, number],
    { life, after, changes }: Pick<Update<Change>, "life" | "after" | "changes">,
  ): void {
    // Somebody else has asked.
    if (this.#isInStep && this.#life === life) return;
    if (at === 0) this.#parts = [];
    if (at !== this.#parts.length) return this.restart();
    this.#parts.push(changes);
    if (this.#parts.length < of) return;
    const whole = this.#parts.flat();
    this.#parts = [];
    this.#life = life;
    this.#count = after;
    this.#isInStep = true;
    this.#deps.replace(whole);
  }
}
