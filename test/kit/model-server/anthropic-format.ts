/** Anthropic messages, as a server speaks them: https://docs.anthropic.com/en/api/messages-streaming */
import type { Answer, Usage } from "./behavior.ts";
import type { Format, Writer } from "./format.ts";

const HEAD = { type: "message", role: "assistant", model: "test-model" };
const FINISH = { stop: "end_turn", length: "max_tokens", refusal: "refusal" } as const;
const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

export const anthropicFormat: Format = {
  path: "/v1/messages",
  name: "anthropic",
  // Clients tell messages and tool calls apart by their ids, so no two answers may share one.
  write: (serial) => writerOf(serial),
  errorBody: (message, code = "invalid_request_error") => ({
    type: "error",
    error: { type: code, message },
  }),
};

/** Content blocks are numbered over the whole message, and each is closed before the next begins. */
function writerOf(serial: number): Writer {
  let index = -1;
  let open: "text" | "thinking" | undefined;
  const close = (): string[] => {
    const closed = open === undefined ? [] : [stop(index)];
    open = undefined;
    return closed;
  };
  const begin = (type: "text" | "thinking", block: object): string[] => {
    if (open === type) return [];
    const events = [...close(), start(++index, block)];
    open = type;
    return events;
  };
  return {
    opening: ({ usage = NO_USAGE }) => [
      event("message_start", {
        message: {
          ...HEAD,
          id: `msg_${serial}`,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...inputOf(usage), output_tokens: 1 },
        },
      }),
      event("ping", {}),
    ],
    text: (text) => [
      ...begin("text", { type: "text", text: "" }),
      delta(index, { type: "text_delta", text }),
    ],
    reasoning: (texts) => [
      ...begin("thinking", { type: "thinking", thinking: "", signature: "" }),
      ...texts.map((thinking) => delta(index, { type: "thinking_delta", thinking })),
      delta(index, { type: "signature_delta", signature: "c2lnbmVk" }),
      ...close(),
    ],
    toolCall: ({ name, input }, at) => {
      const json = typeof input === "string" ? input : JSON.stringify(input);
      const half = Math.ceil(json.length / 2);
      const part = (text: string): string =>
        delta(index, { type: "input_json_delta", partial_json: text });
      return [
        ...close(),
        start(++index, { type: "tool_use", id: `toolu_${serial}_${at}`, name, input: {} }),
        part(json.slice(0, half)),
        part(json.slice(half)),
        stop(index),
      ];
    },
    closing: (answer) => [
      ...close(),
      event("message_delta", {
        delta: { stop_reason: finishOf(answer), stop_sequence: null },
        usage: { output_tokens: (answer.usage ?? NO_USAGE).outputTokens },
      }),
      event("message_stop", {}),
    ],
    errorEvent: (message) => event("error", { error: { type: "overloaded_error", message } }),
    whole: (answer) => ({
      ...HEAD,
      id: `msg_${serial}`,
      content: [
        ...(answer.reasoning === undefined
          ? []
          : [{ type: "thinking", thinking: answer.reasoning.join(""), signature: "c2lnbmVk" }]),
        { type: "text", text: (answer.chunks ?? []).join("") },
        ...(answer.toolCalls ?? []).map(({ name, input }, at) => ({
          type: "tool_use",
          id: `toolu_${serial}_${at}`,
          name,
          input,
        })),
      ],
      stop_reason: finishOf(answer),
      stop_sequence: null,
      usage: {
        ...inputOf(answer.usage ?? NO_USAGE),
        output_tokens: (answer.usage ?? NO_USAGE).outputTokens,
      },
    }),
  };
}

/** What came from a cache is counted apart. */
function inputOf({ inputTokens, cachedTokens = 0, cacheWriteTokens = 0 }: Usage): object {
  return {
    input_tokens: inputTokens - cachedTokens - cacheWriteTokens,
    ...(cacheWriteTokens > 0 && { cache_creation_input_tokens: cacheWriteTokens }),
    ...(cachedTokens > 0 && { cache_read_input_tokens: cachedTokens }),
  };
}

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
