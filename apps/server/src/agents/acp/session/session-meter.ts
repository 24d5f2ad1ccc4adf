/**
 * What an ACP agent says that it has used, as what the turn has. Every program says it elsewhere:
 *
 *   usage of the answer               opencode (the turn), Copilot (the session so far)
 *   _meta.quota of the answer         Gemini (the turn)
 *   _meta.usage of a piece of text    Qwen (one call of its model, so that they add up)
 *   usage_update                      the session's cost; its context, which is what the last call read (codex-acp)
 *
 * A cost in another currency than dollars is not converted.
 */
import type { PromptResponse, SessionUpdate } from "@agentclientprotocol/sdk";
import type { TurnUsage } from "../../turn/agent-runtime.ts";
import { fieldsOf, numberIn, type Fields } from "../../turn/json-fields.ts";
import type { CountedUsage } from "../../turn/usage/price.ts";
import { RunningTotal } from "../../turn/usage/running-total.ts";

type UsageUpdate = Extract<SessionUpdate, { readonly sessionUpdate: "usage_update" }>;
type Tokens = Omit<CountedUsage, "cost" | "isCostPartial">;

/** What an agent counts: the turn, the session so far, or no more than what its context holds. */
export type CountedScope = "turn" | "session" | "context";

export class SessionMeter {
  readonly #counts: CountedScope;
  readonly #cost: RunningTotal;
  /** Of the session, before the turn and as last told; undefined where it is not known. */
  #before: Tokens | undefined;
  #latest: Tokens | undefined;
  #calls: Tokens = NO_TOKENS;
  /** Of earlier prompts of the turn, and of this one. */
  #earlier: Tokens = NO_TOKENS;
  #current: Tokens = NO_TOKENS;

  /** `isNew`: the session has just begun. What one that goes on had used before, nobody knows. */
  constructor(counts: CountedScope, isNew: boolean) {
    this.#counts = counts;
    this.#cost = new RunningTotal(isNew ? 0 : undefined);
    this.#latest = isNew ? NO_TOKENS : undefined;
  }

  begin(): void {
    this.#cost.begin();
    this.#before = this.#latest;
    // Until an answer says so, nobody knows: one that never comes has used something too.
    this.#latest = undefined;
    this.#calls = this.#earlier = this.#current = NO_TOKENS;
  }

  /** The turn goes on with another prompt. */
  goOn(): void {
    this.#earlier = add(this.#earlier, this.#current);
    this.#calls = this.#current = NO_TOKENS;
  }

  /** What the turn has used so far, when the update says something about that. */
  update(update: SessionUpdate): Partial<TurnUsage> | undefined {
    if (update.sessionUpdate === "usage_update") return this.#updated(update);
    if (update.sessionUpdate !== "agent_message_chunk") return undefined;
    const call = tokensIn(fieldsOf(update._meta)["usage"]);
    if (call === undefined) return undefined;
    this.#calls = add(this.#calls, call);
    return this.#total(this.#calls);
  }

  /** What the whole turn has used, when its answer says so. */
  answer({ _meta, ...answer }: PromptResponse): Tokens | undefined {
    const quota = fieldsOf(fieldsOf(fieldsOf(_meta)["quota"])["token_count"]);
    const counted = tokensIn(fieldsOf(answer)["usage"]) ?? tokensIn(quota);
    if (counted === undefined) return undefined;
    if (this.#counts !== "session") return this.#total(counted);
    const before = this.#before;
    this.#latest = counted;
    return before === undefined ? undefined : subtract(counted, before);
  }

  #total(current: Tokens): Tokens {
    this.#current = current;
    return add(this.#earlier, current);
  }

  #updated(update: UsageUpdate): Partial<TurnUsage> | undefined {
    const { amount, currency } = update.cost ?? {};
    const isCost = amount !== undefined && amount >= 0 && currency?.toUpperCase() === "USD";
    const grown = (isCost ? this.#cost.add(amount) : undefined) ?? 0;
    // Nothing is what those say who have no price.
    const cost = grown > 0 ? { cost: grown } : undefined;
    if (this.#counts !== "context") return cost;
    const { inputTokens } = this.#total({ inputTokens: update.used, outputTokens: 0 });
    return { inputTokens, ...cost };
  }
}

const NO_TOKENS: Tokens = { inputTokens: 0, outputTokens: 0 };

/** Undefined: nothing is said. */
function tokensIn(value: unknown): Tokens | undefined {
  const fields = fieldsOf(value);
  const input = numberOf(fields, "inputTokens", "input_tokens");
  const output = numberOf(fields, "outputTokens", "output_tokens");
  if (input === 0 && output === 0) return undefined;
  const cached = numberOf(fields, "cachedReadTokens", "cached_input_tokens");
  const written = numberOf(fields, "cachedWriteTokens");
  const cache = cached + written;
  const thought = numberOf(fields, "thoughtTokens");
  // Some count the cache and thinking as part of the input and the output, some beside them: the sum of all tells.
  const beside = numberOf(fields, "totalTokens") - input - output;
  const added = (count: number): number =>
    beside === count || beside === cache + thought ? count : 0;
  return {
    inputTokens: input + added(cache),
    outputTokens: output + added(thought),
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(written > 0 && { cacheWriteTokens: written }),
  };
}

function numberOf(fields: Fields, ...names: readonly string[]): number {
  return Math.floor(Math.max(...names.map((name) => numberIn(fields, name))));
}

function add(one: Tokens, other: Tokens): Tokens {
  return combine(one, other, (a, b) => a + b);
}

/** A count that falls tells nothing. */
function subtract(whole: Tokens, before: Tokens): Tokens {
  return combine(whole, before, (a, b) => Math.max(0, a - b));
}

function combine(one: Tokens, other: Tokens, join: (a: number, b: number) => number): Tokens {
  const cached = join(one.cachedInputTokens ?? 0, other.cachedInputTokens ?? 0);
  const written = join(one.cacheWriteTokens ?? 0, other.cacheWriteTokens ?? 0);
  return {
    inputTokens: join(one.inputTokens, other.inputTokens),
    outputTokens: join(one.outputTokens, other.outputTokens),
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(written > 0 && { cacheWriteTokens: written }),
  };
}
