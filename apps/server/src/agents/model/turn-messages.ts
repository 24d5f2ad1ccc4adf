/**
 * What the model is shown of its own turn: how it began, and each step since. It can be made shorter in two ways, and
 * every call keeps its result in both, because providers refuse one without the other.
 */
import type { AssistantModelMessage, ModelMessage, ToolResultPart } from "ai";
import { describeResult } from "./describe-result.ts";

export interface TurnStep {
  readonly message: AssistantModelMessage;
  readonly results: readonly ToolResultPart[];
  /** What people said meanwhile. */
  readonly added: readonly string[];
}

const KEPT_RESULTS = 6;
const KEPT_STEPS = 4;

export class TurnMessages {
  #beginning: readonly ModelMessage[];
  readonly #prompt: readonly ModelMessage[];
  /** What people said in steps that are gone; their words are not for a model to sum up. */
  #added: readonly string[] = [];
  #steps: readonly TurnStep[] = [];

  /** The last of them is what the turn was asked. */
  constructor(beginning: readonly ModelMessage[]) {
    this.#beginning = beginning;
    this.#prompt = beginning.slice(-1);
  }

  get all(): ModelMessage[] {
    return [...this.#beginning, ...this.#steps.flatMap(messagesOfStep)];
  }

  get canHandOver(): boolean {
    return this.#steps.length > KEPT_STEPS;
  }

  add(step: TurnStep): void {
    this.#steps = [...this.#steps, step];
  }

  /** All results but the last few become one line each; how many did. */
  shortenResults(): number {
    let left = this.#steps.reduce((sum, { results }) => sum + results.length, 0) - KEPT_RESULTS;
    let shortened = 0;
    this.#steps = this.#steps.map((step) => {
      const results = step.results.map((result) => {
        if (left-- <= 0) return result;
        const short = shorten(step.message, result);
        if (short !== result) shortened += 1;
        return short;
      });
      return { ...step, results };
    });
    return shortened;
  }

  /** All that came before the last few steps, but for what was asked, becomes this text. */
  handOver(text: string): void {
    const gone = this.#steps.slice(0, -KEPT_STEPS);
    this.#steps = this.#steps.slice(-KEPT_STEPS);
    this.#added = [...this.#added, ...gone.flatMap(({ added }) => added)];
    const meanwhile = this.#added.map((each) => `\n\nSaid by people meanwhile: ${each}`).join("");
    const note = `(Note from the system: you have worked on this for a while. To save space, all but your last steps is left out. You have left yourself this hand-over.)\n\n${text}${meanwhile}`;
    this.#beginning = this.#prompt.map((message) => withNote(message, note));
  }
}

function messagesOfStep({ message, results, added }: TurnStep): ModelMessage[] {
  const people = added.map((content) => ({ role: "user" as const, content }));
  return [message, { role: "tool", content: [...results] }, ...people];
}

/** In the same message, as some models want people and agents to take turns. */
function withNote(message: ModelMessage, text: string): ModelMessage {
  if (message.role !== "user") return message;
  const { content } = message;
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return { ...message, content: [...parts, { type: "text", text }] };
}

function shorten({ content }: AssistantModelMessage, result: ToolResultPart): ToolResultPart {
  const { toolCallId, toolName, output } = result;
  if (output.type !== "text" && output.type !== "error-text") return result;
  const call =
    typeof content === "string"
      ? undefined
      : content.find((part) => part.type === "tool-call" && part.toolCallId === toolCallId);
  const input: unknown = call?.type === "tool-call" ? call.input : undefined;
  const value = describeResult(toolName, input, output.value);
  return value.length < output.value.length ? { ...result, output: { ...output, value } } : result;
}
