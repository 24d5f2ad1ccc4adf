/** How one vendor's wire writes an answer: each function gives the events to send, in order. */
import type { Answer, ToolCall } from "./behavior.ts";

export interface Format {
  readonly name: "openai" | "anthropic" | "responses";
  readonly path: string;
  /** For one answer; `serial` is its own among all of the server's. */
  write(serial: number): Writer;
  errorBody(message: string, code: string | undefined): object;
}

export interface Writer {
  opening(answer: Answer): readonly string[];
  text(text: string): readonly string[];
  reasoning(texts: readonly string[]): readonly string[];
  toolCall(call: ToolCall, index: number): readonly string[];
  closing(answer: Answer): readonly string[];
  errorEvent(message: string): string;
  /** The answer to a request that did not ask for a stream. */
  whole(answer: Answer): object;
}
