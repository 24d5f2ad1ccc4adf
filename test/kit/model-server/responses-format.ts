/** OpenAI responses, as a server speaks them: https://platform.openai.com/docs/api-reference/responses-streaming */
import type { ToolCall, Usage } from "./behavior.ts";
import type { Format, Writer } from "./format.ts";

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

export const responsesFormat: Format = {
  path: "/v1/responses",
  name: "responses",
  // Clients tell messages and tool calls apart by their ids, so no two answers may share one.
  write: (serial) => writerOf(serial),
  errorBody: (message, code) => ({ error: { message, type: "invalid_request_error", code } }),
};

function writerOf(serial: number): Writer {
  const head = { id: `resp_${serial}`, object: "response" };
  const message = { type: "message", id: `msg_${serial}`, role: "assistant" };
  let output = 0;
  let said = "";
  const item = (type: "added" | "done", one: object): string =>
    event(`response.output_item.${type}`, { output_index: output, item: one });
  const close = (): string[] => {
    if (said === "") return [];
    const content = [{ type: "output_text", text: said, annotations: [] }];
    said = "";
    const done = item("done", { ...message, status: "completed", content });
    output += 1;
    return [done];
  };
  return {
    opening: () => [event("response.created", { response: { ...head, status: "in_progress" } })],
    text(delta) {
      const isFirst = said === "";
      said += delta;
      const where = { item_id: message.id, output_index: output, content_index: 0 };
      return [
        ...(isFirst ? [item("added", { ...message, status: "in_progress", content: [] })] : []),
        event("response.output_text.delta", { ...where, delta }),
      ];
    },
    reasoning(texts) {
      const id = `rs_${serial}`;
      const where = { item_id: id, output_index: output, summary_index: 0 };
      const summary = [{ type: "summary_text", text: texts.join("") }];
      const events = [
        item("added", { type: "reasoning", id, summary: [] }),
        event("response.reasoning_summary_part.added", { ...where, part: summary[0] }),
        ...texts.map((delta) =>
          event("response.reasoning_summary_text.delta", { ...where, delta }),
        ),
        item("done", { type: "reasoning", id, summary }),
      ];
      output += 1;
      return events;
    },
    toolCall(call, index) {
      const one = callOf(call, `${serial}_${index}`);
      const events = [...close(), item("added", one), item("done", one)];
      output += 1;
      return events;
    },
    closing: ({ usage = NO_USAGE, finish = "stop" }) => [
      ...close(),
      finish === "length"
        ? event("response.incomplete", {
            response: {
              ...head,
              status: "incomplete",
              incomplete_details: { reason: "max_output_tokens" },
            },
          })
        : event("response.completed", {
            response: { ...head, status: "completed", usage: usageOf(usage) },
          }),
    ],
    errorEvent: (text) =>
      event("response.failed", {
        response: { ...head, status: "failed", error: { code: "server_error", message: text } },
      }),
    whole: (answer) => ({
      ...head,
      status: "completed",
      output: [
        {
          ...message,
          status: "completed",
          content: [{ type: "output_text", text: (answer.chunks ?? []).join(""), annotations: [] }],
        },
        ...(answer.toolCalls ?? []).map((call, index) => callOf(call, `${serial}_${index}`)),
      ],
      usage: usageOf(answer.usage ?? NO_USAGE),
    }),
  };
}

/** A tool whose input is text is called in another way than one whose input is JSON. */
function callOf({ name, namespace, isFreeform, input }: ToolCall, id: string): object {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const about = { call_id: `call_${id}`, name, status: "completed" };
  if (isFreeform === true) {
    return { type: "custom_tool_call", id: `ctc_${id}`, ...about, input: text };
  }
  const place = namespace === undefined ? {} : { namespace };
  return { type: "function_call", id: `fc_${id}`, ...about, ...place, arguments: text };
}

function usageOf({ inputTokens, outputTokens, cachedTokens = 0 }: Usage): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
