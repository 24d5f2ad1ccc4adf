/**
 * A completion as an event stream: the role, the text as it is written, the calls that the client is to make,
 * why it ended, and the usage if it was asked for. Progress is given as the whole text so far, so that nothing is sent twice or lost,
 * whenever the stream began.
 */
import type { ChatCompletionChunk, FinishReason } from "@atrium/wire/openai";
import type { EventStream } from "../../../http/event-stream.ts";
import type { ClientCall } from "../../../runs/client-calls/kept-calls.ts";
import type { CompletionResult } from "./completion-result.ts";
import { bodyOf, problem, type Result } from "./problem.ts";
import type { StopFilter } from "./stop-sequences.ts";

/** What OpenAI's clients wait for. */
const DONE = "[DONE]";

export interface ChunkHeader {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export class StreamedCompletion {
  readonly #events: EventStream;
  readonly #header: ChunkHeader;
  readonly #filter: StopFilter;
  readonly #withUsage: boolean;
  #textSoFar = "";

  constructor(events: EventStream, header: ChunkHeader, filter: StopFilter, withUsage: boolean) {
    this.#events = events;
    this.#header = header;
    this.#filter = filter;
    this.#withUsage = withUsage;
    this.#send({ role: "assistant", content: "" });
  }

  /** `text` is the whole text so far. */
  progress(text: string): void {
    if (text.length <= this.#textSoFar.length) return;
    this.#sendText(this.#filter.push(text.slice(this.#textSoFar.length)));
    this.#textSoFar = text;
  }

  finish(answer: Result<CompletionResult>): void {
    if (!answer.ok) {
      this.#events.send(bodyOf(answer.problem));
      this.#events.end(DONE);
      return;
    }
    const { text, calls, finishReason, usage } = answer.value;
    if (!text.startsWith(this.#textSoFar)) {
      const message =
        "The answer differs from the text that was already streamed. Retry without `stream`.";
      this.#events.send(bodyOf(problem(500, message, { code: "stream.diverged" })));
      this.#events.end(DONE);
      return;
    }
    this.progress(text);
    this.#sendText(this.#filter.end());
    for (const [index, call] of calls.entries()) this.#sendCall(index, call);
    this.#send({}, this.#filter.isCut && calls.length === 0 ? "stop" : finishReason);
    if (this.#withUsage) this.#events.send({ ...this.#chunk([]), usage });
    this.#events.end(DONE);
  }

  /** First who is called, then what it is given, as OpenAI does. */
  #sendCall(index: number, { id, name, arguments: input }: ClientCall): void {
    const begun = { index, id, type: "function" as const, function: { name, arguments: "" } };
    this.#send({ tool_calls: [begun] });
    this.#send({ tool_calls: [{ index, function: { arguments: input } }] });
  }

  #sendText(content: string): void {
    if (content !== "") this.#send({ content });
  }

  #send(
    delta: ChatCompletionChunk["choices"][number]["delta"],
    finishReason: FinishReason | null = null,
  ): void {
    const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
    const chunk = this.#chunk([choice]);
    // With usage requested, every chunk has the key.
    this.#events.send(this.#withUsage ? { ...chunk, usage: null } : chunk);
  }

  #chunk(choices: ChatCompletionChunk["choices"]): ChatCompletionChunk {
    return { ...this.#header, object: "chat.completion.chunk", choices };
  }
}
