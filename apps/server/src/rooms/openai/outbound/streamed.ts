/**
 * A completion told while it is being made: the role, the words as they come, why it ended, perhaps what
 * it cost. Words are told by how far the whole text has come, so that none is told twice or lost,
 * whenever the listening began.
 */
import type { ChatCompletionChunk, FinishReason } from "@atrium/wire/openai";
import type { EventStream } from "../../../http/event-stream.ts";
import type { CompletionResult } from "./completion-result.ts";
import { bodyOf, problem, type Read } from "./problem.ts";
import type { StopFilter } from "./stop-sequences.ts";

/** What OpenAI's clients wait for. */
const DONE = "[DONE]";

export interface Described {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export class StreamedCompletion {
  readonly #events: EventStream;
  readonly #described: Described;
  readonly #cut: StopFilter;
  readonly #withUsage: boolean;
  #told = "";

  constructor(events: EventStream, described: Described, cut: StopFilter, withUsage: boolean) {
    this.#events = events;
    this.#described = described;
    this.#cut = cut;
    this.#withUsage = withUsage;
    this.#send({ role: "assistant", content: "" });
  }

  /** The whole text as far as it has come. */
  progress(text: string): void {
    if (text.length <= this.#told.length) return;
    this.#say(this.#cut.push(text.slice(this.#told.length)));
    this.#told = text;
  }

  finish(answer: Read<CompletionResult>): void {
    if (!answer.ok) {
      this.#events.send(bodyOf(answer.problem));
      this.#events.end(DONE);
      return;
    }
    const { text, finishReason, usage } = answer.value;
    if (!text.startsWith(this.#told)) {
      const message =
        "The answer differs from the text that was already streamed. Retry without `stream`.";
      this.#events.send(bodyOf(problem(500, message, { code: "stream.diverged" })));
      this.#events.end(DONE);
      return;
    }
    this.progress(text);
    this.#say(this.#cut.end());
    this.#send({}, this.#cut.isCut ? "stop" : finishReason);
    if (this.#withUsage) this.#events.send({ ...this.#chunk([]), usage });
    this.#events.end(DONE);
  }

  #say(content: string): void {
    if (content !== "") this.#send({ content });
  }

  #send(
    delta: ChatCompletionChunk["choices"][number]["delta"],
    finishReason: FinishReason | null = null,
  ): void {
    const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
    const chunk = this.#chunk([choice]);
    // A client that wants usage is promised the key in every chunk.
    this.#events.send(this.#withUsage ? { ...chunk, usage: null } : chunk);
  }

  #chunk(choices: ChatCompletionChunk["choices"]): ChatCompletionChunk {
    return { ...this.#described, object: "chat.completion.chunk", choices };
  }
}
