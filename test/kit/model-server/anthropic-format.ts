/** Anthropic messages, as a server speaks them: https://docs.anthropic.com/en/api/messages-streaming */
import type { Answer, Usage } from "./behavior.ts";
import type { Format } from "./format.ts";

const HEAD = { id: "msg_1", type: "message", role: "assistant", model: "test-model" };
const FINISH = { stop: "end_turn", length: "max_tokens", refusal: "refusal" } as const;
const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

/** Content blocks are numbered over the whole message; text and tools follow the reasoning. */
const REASONING = 0;
const TEXT = 1;
const FIRST_TOOL = 2;

export const anthropicFormat: Format = {
  path: "/v1/messages",
  name: "anthropic",

  opening: ({ usage = NO_USAGE, reasoning = [] }) => [
    event("message_start", {
      message: {
        ...HEAD,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: usage.inputTokens, output_tokens: 1 },
      },
    }),
    event("ping", {}),
    ...(reasoning.length > 0
      ? [start(REASONING, { type: "thinking", thinking: "", signature: "" })]
      : [start(TEXT, { type: "text", text: "" })]),
  ],
  text: (text) => [delta(TEXT, { type: "text_delta", text })],
  reasoning: (texts) => [
    ...texts.map((thinking) => delta(REASONING, { type: "thinking_delta", thinking })),
    delta(REASONING, { type: "signature_delta", signature: "c2lnbmVk" }),
    stop(REASONING),
    start(TEXT, { type: "text", text: "" }),
  ],
  toolCall: ({ name, input }, at) => {
    const index = FIRST_TOOL + at;
    const json = typeof input === "string" ? input : JSON.stringify(input);
    const half = Math.ceil(json.length / 2);
    const part = (text: string): string =>
      delta(index, { type: "input_json_delta", partial_json: text });
    return [
      start(index, { type: "tool_use", id: `toolu_${at}`, name, input: {} }),
      part(json.slice(0, half)),
      part(json.slice(half)),
      stop(index),
    ];
  },
  closing: (answer) => [
    stop(TEXT),
    event("message_delta", {
      delta: { stop_reason: finishOf(answer), stop_sequence: null },
      usage: { output_tokens: (answer.usage ?? NO_USAGE).outputTokens },
    }),
    event("message_stop", {}),
  ],
  errorEvent: (message) => event("error", { error: { type: "overloaded_error", message } }),
  errorBody: (message, code = "invalid_request_error") => ({
    type: "error",
    error: { type: code, message },
  }),

  whole: (answer) => ({
    ...HEAD,
    content: [
      ...(answer.reasoning === undefined
        ? []
        : [{ type: "thinking", thinking: answer.reasoning.join(""), signature: "c2lnbmVk" }]),
      { type: "text", text: (answer.chunks ?? []).join("") },
      ...(answer.toolCalls ?? []).map(({ name, input }, at) => ({
        type: "tool_use",
        id: `toolu_${at}`,
        name,
        input,
      })),
    ],
    stop_reason: finishOf(answer),
    stop_sequence: null,
    usage: {
      input_tokens: (answer.usage ?? NO_USAGE).inputTokens,
      output_tokens: (answer.usage ?? NO_USAGE).outputTokens,
    },
  }),
};

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function start(index: number, content_block: object): string {
  return event("content_block_start", { index, content_block });
}

function delta(index: number, change: object): string {
  return event("content_block_delta", { index, delta: change });
}

function stop(index: number): string {
  return event("content_block_stop", { index });
}

function finishOf({ toolCalls = [], finish = "stop" }: Answer): string {
  return toolCalls.length > 0 ? "tool_use" : FINISH[finish];
}
