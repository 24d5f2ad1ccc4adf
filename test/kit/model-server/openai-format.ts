/** OpenAI chat completions, as a server speaks them: https://platform.openai.com/docs/api-reference/chat */
import type { Answer, ToolCall, Usage } from "./behavior.ts";
import type { Format, Writer } from "./format.ts";

const HEAD = { id: "chatcmpl-1", created: 1_767_225_600, model: "test-model" };
const FINISH = { stop: "stop", length: "length", refusal: "content_filter" } as const;

export const openaiFormat: Format = {
  path: "/v1/chat/completions",
  name: "openai",

  // Clients tell tool calls apart by their ids, so no two answers may share one.
  write: (serial) => writerOf(serial),
  errorBody: (message, code) => ({ error: { message, type: "invalid_request_error", code } }),
};

const writerOf = (serial: number): Writer => ({
  opening: () => [chunk({ role: "assistant", content: "" })],
  text: (text) => [chunk({ content: text })],
  reasoning: (texts) => texts.map((text) => chunk({ reasoning_content: text })),
  toolCall: ({ name, input }, index) => {
    const json = jsonOf(input);
    const half = Math.ceil(json.length / 2);
    const part = (more: object): string => chunk({ tool_calls: [{ index, ...more }] });
    return [
      part({ id: `call_${serial}_${index}`, type: "function", function: { name, arguments: "" } }),
      part({ function: { arguments: json.slice(0, half) } }),
      part({ function: { arguments: json.slice(half) } }),
    ];
  },
  closing: (answer) => [
    event({ ...HEAD, object: OBJECT, choices: [{ ...CHOICE, finish_reason: finishOf(answer) }] }),
    ...(answer.usage === undefined
      ? []
      : [event({ ...HEAD, object: OBJECT, choices: [], usage: usageOf(answer.usage) })]),
    "data: [DONE]\n\n",
  ],
  errorEvent: (message) => event({ error: { message, type: "server_error", code: null } }),
  whole: (answer) => ({
    ...HEAD,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: (answer.chunks ?? []).join(""),
          ...(answer.reasoning ? { reasoning_content: answer.reasoning.join("") } : {}),
          ...(answer.toolCalls
            ? {
                tool_calls: answer.toolCalls.map((call, at) =>
                  callOf(call, `call_${serial}_${at}`),
                ),
              }
            : {}),
        },
        finish_reason: finishOf(answer),
      },
    ],
    ...(answer.usage === undefined ? {} : { usage: usageOf(answer.usage) }),
  }),
});

const OBJECT = "chat.completion.chunk";
const CHOICE = { index: 0, delta: {} };

function chunk(delta: object): string {
  return event({ ...HEAD, object: OBJECT, choices: [{ index: 0, delta, finish_reason: null }] });
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function finishOf({ toolCalls = [], finish = "stop" }: Answer): string {
  return toolCalls.length > 0 ? "tool_calls" : FINISH[finish];
}

function usageOf({ inputTokens, outputTokens, cachedTokens, cost }: Usage): object {
  return {
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(cost !== undefined && { cost }),
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

function callOf({ name, input }: ToolCall, id: string): object {
  return { id, type: "function", function: { name, arguments: jsonOf(input) } };
}

function jsonOf(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}
