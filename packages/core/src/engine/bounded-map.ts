/**
 * A map that holds no more than so many: beyond that the oldest go.
 *
 * Old is what was put in first. Whoever wants what was used last to stay longest says so: `touch` and
 * `setNewest` put an entry at the end.
 */
export interface EvictionRules<Key, Value> {
  /** What must stay, however old; the map is larger for as long as there is nothing else. */
  readonly mayEvict?: (value: Value) => boolean;
  readonly onEvict?: (key: Key, value: Value) => void;
}

export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;
  readonly #rules: EvictionRules<Key, Value>;

  constructor(max: number, rules: EvictionRules<Key, Value> = {}) {
    super();
    this.#max = max;
    this.#rules = rules;
  }

  override set(key: Key, value: Value): this {
    super.set(key, value);
    if (this.size > this.#max) this.#evict(key);
    return this;
  }

  setNewest(key: Key, value: Value): Value {
    this.delete(key);
    this.set(key, value);
    return value;
  }

  /** Gets it, and makes it the newest. */
  touch(key: Key): Value | undefined {
    const value = this.get(key);
    return value === undefined ? undefined : this.setNewest(key, value);
  }

  #evict(except: Key): void {
    const { mayEvict, onEvict } = this.#rules;
    for (const [key, value] of this) {
      if (this.size <= this.#max) return;
      if (key === except || mayEvict?.(value) === false) continue;
      this.delete(key);
      onEvict?.(key, value);
    }
  }
}
