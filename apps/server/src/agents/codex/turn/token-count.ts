import type { TurnUsage } from "../../turn/agent-runtime.ts";
/**
 * The tokens of a turn, from the totals that Codex counts over its whole thread. Where a thread that was resumed stood
 * before is in the first report of the turn: its total without the call that it is about.
 */
import { fieldsOf, numberIn, type Fields } from "../../turn/json-fields.ts";

interface Counts {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export class TokenCount {
  #before: Counts | undefined;

  /** Of a `thread/tokenUsage/updated`. */
  read(params: Fields): TurnUsage {
    const usage = fieldsOf(params["tokenUsage"]);
    const total = countsIn(fieldsOf(usage["total"]));
    const last = countsIn(fieldsOf(usage["last"]));
    this.#before ??= less(total, last);
    const { input, output, cached } = less(total, this.#before);
    return {
      inputTokens: input,
      outputTokens: output,
      ...(cached > 0 && { cachedInputTokens: cached }),
    };
  }
}

function countsIn(fields: Fields): Counts {
  return {
    input: numberIn(fields, "inputTokens"),
    cached: numberIn(fields, "cachedInputTokens"),
    output: numberIn(fields, "outputTokens"),
  };
}

function less(all: Counts, part: Counts): Counts {
  return {
    input: Math.max(0, all.input - part.input),
    cached: Math.max(0, all.cached - part.cached),
    output: Math.max(0, all.output - part.output),
  };
}
