/** What comes from outside, sorted by who sent it: every source has a line of its own. */
import { signalSource, sourceId, type Dispatch, type Outcome, type Signal } from "@atrium/core";
import { keyFor } from "../../../pipeline/idempotency.ts";
import { SourceLine, type SourceLineDeps } from "./source-batcher.ts";

export interface IntakeDeps extends Omit<SourceLineDeps, "write"> {
  readonly dispatch: Dispatch;
}

const KEPT_LINES = 1_000;
const KEYSPACE = "signals";

export class Intake {
  readonly #deps: SourceLineDeps;
  readonly #lines = new Map<string, SourceLine>();

  constructor({ dispatch, ...deps }: IntakeDeps) {
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

  #line(source: string): SourceLine {
    const line = this.#lines.get(source) ?? new SourceLine(source, this.#deps);
    // Used last, forgotten last.
    this.#lines.delete(source);
    this.#lines.set(source, line);
    if (this.#lines.size > KEPT_LINES) this.#forgetOldest();
    return line;
  }

  #forgetOldest(): void {
    for (const [source, line] of this.#lines) {
      if (!line.isIdle) continue;
      this.#lines.delete(source);
      return;
    }
  }
}
