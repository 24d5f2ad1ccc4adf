/**
 * The tokens of a turn, from the totals that Codex counts over its whole thread. Where a thread that was resumed stood
 * before is in the first report of the turn: its total without the call that it is about.
 */
import { fieldsOf, numberIn, type Fields } from "../../turn/json-fields.ts";
import type { CountedUsage } from "../../turn/usage/price.ts";

interface Counts {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
}

export class TokenCount {
  #before: Counts | undefined;

  /** Of a `thread/tokenUsage/updated`. */
  read(params: Fields): CountedUsage {
    const usage = fieldsOf(params["tokenUsage"]);
    const total = countsIn(fieldsOf(usage["total"]));
    const last = countsIn(fieldsOf(usage["last"]));
    this.#before ??= less(total, last);
    const { input, output, cached, written } = less(total, this.#before);
    return {
      inputTokens: input,
      outputTokens: output,
      ...(cached > 0 && { cachedInputTokens: cached }),
      ...(written > 0 && { cacheWriteTokens: written }),
    };
  }
}

function countsIn(fields: Fields): Counts {
  return {
    input: numberIn(fields, "inputTokens"),
    cached: numberIn(fields, "cachedInputTokens"),
    written: numberIn(fields, "cacheWriteInputTokens"),
    output: numberIn(fields, "outputTokens"),
  };
}

function less(all: Counts, part: Counts): Counts {
  return {
    input: Math.max(0, all.input - part.input),
    cached: Math.max(0, all.cached - part.cached),
    written: Math.max(0, all.written - part.written),
    output: Math.max(0, all.output - part.output),
  };
}
