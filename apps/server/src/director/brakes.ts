/**
 * Spend brakes: what a turn may cost before someone is asked.
 *
 * Tokens are counted as the runtime reports them; what it has not reported yet is estimated from what
 * it says, so that a model which streams for ever and reports nothing is noticed too. A turn that calls
 * the same tool with the same words and gets the same answer, again and again, makes no progress.
 */
import type { TurnEvent, TurnUsage } from "../agents/agent-runtime.ts";

export interface Budgets {
  /** Tokens one run may use. */
  readonly run: number;
  /** Tokens one conversation may use. */
  readonly conversation: number;
}

export interface Tripped {
  /** For the person who decides: what happened, in one sentence. */
  readonly why: string;
}

const CHARS_PER_TOKEN = 4;
const SAME_CALLS = 5;

export class Brakes {
  readonly #used: number;
  #budgets: Budgets;
  #usage: TurnUsage = { inputTokens: 0, outputTokens: 0 };
  #charsSinceReport = 0;
  readonly #calls = new Map<string, string>();
  #lastRound = "";
  #repeats = 0;

  /** `used`: what the conversation had used before this turn. */
  constructor(budgets: Budgets, used: number) {
    this.#budgets = budgets;
    this.#used = used;
  }

  get usage(): TurnUsage {
    return this.#usage;
  }

  /** Before the turn begins. */
  check(): Tripped | undefined {
    return this.#checkTokens();
  }

  see(event: TurnEvent): Tripped | undefined {
    switch (event.type) {
      case "text":
      case "thinking":
        this.#charsSinceReport += event.delta.length;
        return this.#checkTokens();
      case "usage":
        this.#usage = event.usage;
        this.#charsSinceReport = 0;
        return this.#checkTokens();
      case "tool.called":
        this.#calls.set(event.id, `${event.name} ${JSON.stringify(event.input)}`);
        return undefined;
      case "tool.returned":
        return this.#checkProgress(event.id, event.text);
      case "artifact":
      case "retrying":
      case "completed":
      case "failed":
        return undefined;
    }
  }

  /** Someone said to go on: as much again before asking again. */
  release(): void {
    const { run, conversation } = this.#budgets;
    const spent = this.#spent();
    this.#budgets = { run: spent + run, conversation: this.#used + spent + conversation };
    this.#repeats = 0;
  }

  #spent(): number {
    const { inputTokens, outputTokens } = this.#usage;
    return inputTokens + outputTokens + Math.ceil(this.#charsSinceReport / CHARS_PER_TOKEN);
  }

  #checkTokens(): Tripped | undefined {
    const spent = this.#spent();
    const { run, conversation } = this.#budgets;
    if (spent > run) return { why: `This turn has used ${spent} tokens; its budget is ${run}.` };
    const total = this.#used + spent;
    if (total <= conversation) return undefined;
    return { why: `The conversation has used ${total} tokens; its budget is ${conversation}.` };
  }

  #checkProgress(id: string, result: string): Tripped | undefined {
    const round = `${this.#calls.get(id) ?? ""} ${result}`;
    this.#calls.delete(id);
    this.#repeats = round === this.#lastRound ? this.#repeats + 1 : 1;
    this.#lastRound = round;
    if (this.#repeats < SAME_CALLS) return undefined;
    return { why: `The same tool call gave the same result ${this.#repeats} times in a row.` };
  }
}
