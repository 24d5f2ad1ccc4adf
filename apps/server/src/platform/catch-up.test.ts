import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import { catchUp, type Numbered } from "./catch-up.ts";

/** A log in memory that a scheduler writes to while it is being read. */
class Events {
  readonly items: Numbered[] = [];
  readonly #listeners = new Set<(item: Numbered) => void>();

  add(count: number): void {
    for (let n = 0; n < count; n++) {
      const item = { seq: this.items.length + 1 };
      this.items.push(item);
      for (const listener of this.#listeners) listener(item);
    }
  }

  async *past(after: number): AsyncIterable<Numbered> {
    for (let at = after; at < this.items.length; at++) {
      await setImmediate();
      const item = this.items[at];
      if (item !== undefined) yield item;
    }
  }

  listen(listener: (item: Numbered) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  get listening(): number {
    return this.#listeners.size;
  }
}

const burst = fc.record({
  count: fc.integer({ min: 0, max: 40 }),
  pause: fc.integer({ min: 0, max: 5 }),
});

test("whoever comes back hears everything after its last, once and in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 30 }),
      fc.nat(30),
      fc.array(burst, { maxLength: 8 }),
      async (before, had, bursts) => {
        const events = new Events();
        events.add(before);
        const after = Math.min(had, before);
        const ending = new AbortController();
        const heard: number[] = [];
        const reader = {
          take: ({ seq }: Numbered) => void heard.push(seq),
          room: () => setImmediate(),
        };
        const following = catchUp(events, after, reader, ending.signal);
        for (const { count, pause } of bursts) {
          events.add(count);
          for (let n = 0; n < pause; n++) await setImmediate();
        }
        while (heard.length < events.items.length - after) await setImmediate();
        ending.abort();
        await following;
        assert.deepEqual(
          heard,
          events.items.slice(after).map(({ seq }) => seq),
        );
        assert.equal(events.listening, 0);
      },
    ),
    { numRuns: 60 },
  );
});

test("what comes faster than a long past is read is read as past, not kept", async () => {
  const events = new Events();
  events.add(5);
  const ending = new AbortController();
  const heard: number[] = [];
  const reader = { take: ({ seq }: Numbered) => void heard.push(seq), room: () => setImmediate() };
  const following = catchUp(events, 0, reader, ending.signal);
  await setImmediate();
  events.add(3_000);
  while (heard.length < events.items.length) await setImmediate();
  events.add(1);
  while (heard.length < events.items.length) await setImmediate();
  ending.abort();
  await following;
  assert.deepEqual(
    heard,
    events.items.map(({ seq }) => seq),
  );
});
