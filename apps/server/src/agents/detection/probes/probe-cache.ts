/**
 * What probes have told, for as long as it holds: until the thing that was probed is another one, or the answer is too old.
 * Whoever asks while a probe is under way gets its answer, so there is never more than one of a name.
 */
export interface ProbeAnswer<Value> {
  readonly value: Value;
  readonly holdsMs: number;
}

interface CacheEntry {
  readonly identity: string;
  readonly answer: Promise<ProbeAnswer<unknown>>;
  /** Undefined: the probe is under way. */
  until: number | undefined;
}

export class ProbeCache {
  readonly #now: () => number;
  readonly #entries = new Map<string, CacheEntry>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async read<Value>(
    name: string,
    identity: string,
    probe: () => Promise<ProbeAnswer<Value>>,
    isFresh = false,
  ): Promise<Value> {
    const known = this.#entries.get(name);
    const entry =
      known?.identity === identity && this.#holds(known, isFresh)
        ? known
        : this.#begin(name, identity, probe);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a name has one kind of answer
    return (await entry.answer).value as Value;
  }

  #holds({ until }: CacheEntry, isFresh: boolean): boolean {
    return until === undefined || (!isFresh && this.#now() < until);
  }

  #begin(name: string, identity: string, probe: () => Promise<ProbeAnswer<unknown>>): CacheEntry {
    const entry: CacheEntry = { identity, answer: probe(), until: undefined };
    this.#entries.set(name, entry);
    entry.answer.then(
      ({ holdsMs }) => void (entry.until = this.#now() + holdsMs),
      () => void (entry.until = 0),
    );
    return entry;
  }
}
