/**
 * Keeps a long turn within the model's context, whoever the provider is. After each step, by the input tokens it took:
 *
 *   over 60 % of the context -> all but the last tool results become one line each
 *   over 80 %                -> the model writes a hand-over, and goes on from that and its last steps
 */
import type { ModelMessage } from "ai";
import type { TurnEvent } from "../turn/agent-runtime.ts";
import type { TurnMessages } from "./turn-messages.ts";

const SHORTEN_AT = 0.6;
const HAND_OVER_AT = 0.8;
/** A prompt that alone fills the context would otherwise be handed over after every step. */
const STEPS_BETWEEN_HAND_OVERS = 4;

const HAND_OVER_PROMPT = `(Note from the system: the space for this conversation is nearly used up. Write a hand-over now, for yourself: from here on you will see only what you were first asked, this hand-over and your last few steps. Call no tools. Use these headings:
Goal: what is wanted, with everything people have asked for since.
Done: what is finished, and how you know.
Files: each that matters, with its path and what you changed or learned there.
Found out: facts, decisions and failures that must not be found out again.
Next: what to do, in order.)`;

export interface WrittenHandOver {
  /** Empty: there is none. */
  readonly text: string;
  readonly problem: string | undefined;
}

export type WriteHandOver = (
  messages: readonly ModelMessage[],
) => AsyncGenerator<TurnEvent, WrittenHandOver>;

export class Compaction {
  readonly #messages: TurnMessages;
  readonly #contextTokens: number;
  readonly #write: WriteHandOver;
  #stepsToGo = 0;

  constructor(messages: TurnMessages, contextTokens: number, write: WriteHandOver) {
    this.#messages = messages;
    this.#contextTokens = contextTokens;
    this.#write = write;
  }

  /** `inputTokens`: what the step took that has just been added. */
  async *afterStep(inputTokens: number): AsyncGenerator<TurnEvent, void> {
    this.#stepsToGo -= 1;
    const messages = this.#messages;
    const share = inputTokens / this.#contextTokens;
    if (share <= SHORTEN_AT) return;
    const results = messages.shortenResults();
    const isHandOver = share > HAND_OVER_AT && messages.canHandOver && this.#stepsToGo <= 0;
    if (!isHandOver) {
      if (results > 0) yield { type: "compacted", how: "results", inputTokens, results, text: "" };
      return;
    }
    this.#stepsToGo = STEPS_BETWEEN_HAND_OVERS;
    const request = { role: "user" as const, content: HAND_OVER_PROMPT };
    const { text, problem } = yield* this.#write([...messages.all, request]);
    if (text === "") {
      const why = problem ?? "The model wrote none.";
      yield { type: "progress", text: `Going on without a hand-over: ${why}` };
      if (results > 0) yield { type: "compacted", how: "results", inputTokens, results, text };
      return;
    }
    messages.handOver(text);
    yield { type: "compacted", how: "hand-over", inputTokens, results, text };
  }
}
