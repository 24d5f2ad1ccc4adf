/**
 * Spend brakes: what a turn may use and cost before someone is asked.
 *
 * Tokens are counted as the runtime reports them, those from a cache as few; what it has not reported yet is estimated from what
 * it says, so that a model which streams for ever and reports nothing is noticed too. Of dollars, only
 * those that are known are counted. A turn that calls the same tool with the same words and gets the
 * same answer, again and again, makes no progress.
 */
import { addUsage, budgetTokensOf, dollars, NOTHING_USED } from "@atrium/core";
import type { TurnEvent, TurnUsage } from "../agents/turn/agent-runtime.ts";

export interface Cap {
  readonly tokens: number;
  /** In US dollars; left out: as many as it takes. */
  readonly cost?: number | undefined;
}

export interface Budgets {
  readonly run: Cap;
  readonly conversation: Cap;
}

const CHARS_PER_TOKEN = 4;
const SAME_CALLS = 5;

export class SpendBrakes {
  readonly #used: TurnUsage;
  readonly #budgets: Budgets;
  #limits: Budgets;
  #usage: TurnUsage = NOTHING_USED;
  #charsSinceReport = 0;
  readonly #calls = new Map<string, string>();
  #lastRound = "";
  #repeats = 0;

  /** `used`: what the conversation had used before this turn. */
  constructor(budgets: Budgets, used: TurnUsage) {
    this.#budgets = budgets;
    this.#limits = budgets;
    this.#used = used;
  }

  get usage(): TurnUsage {
    return this.#usage;
  }

  /** Why the turn must pause, in one sentence for the person who decides. */
  see(event: TurnEvent): string | undefined {
    switch (event.type) {
      case "text":
      case "thinking":
        this.#charsSinceReport += event.delta.length;
        return this.check();
      case "usage":
        this.#usage = event.usage;
        this.#charsSinceReport = 0;
        return this.check();
      case "tool.called":
        this.#calls.set(event.id, `${event.name} ${JSON.stringify(event.input)}`);
        return undefined;
      case "tool.returned":
        return this.#checkProgress(event.id, event.text);
      case "tool.output":
      case "artifact":
      case "compacted":
      case "session":
      case "progress":
      case "retrying":
      case "completed":
      case "failed":
        return undefined;
    }
  }

  /** Someone said to go on: as much again before asking again. */
  release(): void {
    const { run, conversation } = this.#budgets;
    this.#limits = {
      run: beyond(this.#spent(), run),
      conversation: beyond(this.#total(), conversation),
    };
    this.#repeats = 0;
  }

  #spent(): TurnUsage {
    const unreported = Math.ceil(this.#charsSinceReport / CHARS_PER_TOKEN);
    return { ...this.#usage, outputTokens: this.#usage.outputTokens + unreported };
  }

  #total(): TurnUsage {
    return addUsage(this.#used, this.#spent());
  }

  check(): string | undefined {
    const { run, conversation } = this.#limits;
    return (
      overspent("This turn", this.#spent(), run) ??
      overspent("The conversation", this.#total(), conversation)
    );
  }

  #checkProgress(id: string, result: string): string | undefined {
    const round = `${this.#calls.get(id) ?? ""} ${result}`;
    this.#calls.delete(id);
    this.#repeats = round === this.#lastRound ? this.#repeats + 1 : 1;
    this.#lastRound = round;
    if (this.#repeats < SAME_CALLS) return undefined;
    return `The same tool call gave the same result ${this.#repeats} times in a row.`;
  }
}

function overspent(who: string, spent: TurnUsage, { tokens, cost }: Cap): string | undefined {
  const used = budgetTokensOf(spent);
  if (used > tokens) return `${who} has used ${used} tokens; its budget is ${tokens}.`;
  const paid = spent.cost ?? 0;
  if (cost === undefined || paid <= cost) return undefined;
  return `${who} has cost ${dollars(paid)}; its budget is ${dollars(cost)}.`;
}

function beyond(spent: TurnUsage, { tokens, cost }: Cap): Cap {
  return {
    tokens: budgetTokensOf(spent) + tokens,
    cost: cost === undefined ? undefined : (spent.cost ?? 0) + cost,
  };
}
