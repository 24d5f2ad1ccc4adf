/** What comes from outside, sorted by who sent it: every source has a line of its own. */
import {
  BoundedMap,
  signalSource,
  sourceId,
  type Dispatch,
  type Outcome,
  type Signal,
} from "@atrium/core";
import { keyFor } from "../../../pipeline/idempotency.ts";
import { SourceBatcher, type SourceBatcherDeps } from "./source-batcher.ts";

export interface SignalIntakeDeps extends Omit<SourceBatcherDeps, "write"> {
  readonly dispatch: Dispatch;
}

const MAX_LINES = 1_000;
const KEYSPACE = "signals";

export class SignalIntake {
  readonly #deps: SourceBatcherDeps;
  readonly #lines = new BoundedMap<string, SourceBatcher>(MAX_LINES, {
    mayEvict: ({ isIdle }) => isIdle,
  });

  constructor({ dispatch, ...deps }: SignalIntakeDeps) {
    this.#deps = {
      ...deps,
      write: (source, { signals, passed, key }) =>
        dispatch(signalSource, sourceId(source), { type: "receive", signals, passed }, key),
    };
  }

  /**
   * Resolves when all of them are durable; `key` makes it happen once, whatever their ids. `size` is about how
   * many characters they are.
   */
  async take(signals: readonly Signal[], size: number, key?: string): Promise<Outcome<unknown>> {
    const bySource = Map.groupBy(signals, ({ source }) => source);
    const outcomes = await Promise.all(
      [...bySource].map(([source, own]) => {
        const callKey = key === undefined ? undefined : keyFor(KEYSPACE, `${key} ${source}`, own);
        return this.#line(source).take(own, size, callKey);
      }),
    );
    return outcomes.find(({ ok }) => !ok) ?? { ok: true, value: undefined };
  }

  *underway(): Iterable<Signal> {
    for (const line of this.#lines.values()) yield* line.underway();
  }

  #line(source: string): SourceBatcher {
    const known = this.#lines.touch(source);
    return known ?? this.#lines.setNewest(source, new SourceBatcher(source, this.#deps));
  }
}
