/**
 * The JSON lines of `claude --print --output-format stream-json`, as what a turn hears.
 *
 * Words come from the events of the stream, whole tool calls and what they returned from the messages, and the
 * end from the result. What sub-agents say to themselves is theirs. Unknown lines are passed over: there are
 * more with every version.
 */
import type { TurnUsage } from "../agent-runtime.ts";
import type { Heard } from "./claude-process.ts";
import { endingOf } from "./ending.ts";
import { fieldsOf, listOf, numberIn, textOr, type Fields } from "./json-fields.ts";

export interface StreamTranslator {
  /** A new turn begins: what was counted and said belongs to the one before. */
  begin(): void;
  take(message: Fields): Heard[];
}

export function createStreamTranslator(): StreamTranslator {
  let done: TurnUsage = NOTHING;
  let current: TurnUsage = NOTHING;
  let hasSpoken = false;
  /** Messages whose words were streamed already. */
  const streamed = new Set<unknown>();
  let streaming: unknown;

  const usage = (): Heard => ({ type: "usage", usage: sum(done, current) });

  const say = (delta: string, isNewParagraph: boolean): Heard[] => {
    if (delta === "") return [];
    // What is said in different steps is kept apart, as paragraphs.
    const gap = isNewParagraph && hasSpoken ? "\n\n" : "";
    hasSpoken = true;
    return [{ type: "text", delta: `${gap}${delta}` }];
  };

  let isNewBlock = true;
  const takeEvent = (event: Fields): Heard[] => {
    switch (event["type"]) {
      case "message_start": {
        const message = fieldsOf(event["message"]);
        streaming = message["id"];
        done = sum(done, current);
        current = { ...usageIn(fieldsOf(message["usage"])), outputTokens: 0 };
        return [];
      }
      case "content_block_start":
        isNewBlock = true;
        return [];
      case "content_block_delta": {
        const delta = fieldsOf(event["delta"]);
        if (delta["type"] === "thinking_delta") {
          const thought = textOr(delta["thinking"], "");
          return thought === "" ? [] : [{ type: "thinking", delta: thought }];
        }
        if (delta["type"] !== "text_delta") return [];
        streamed.add(streaming);
        const heard = say(textOr(delta["text"], ""), isNewBlock);
        if (heard.length > 0) isNewBlock = false;
        return heard;
      }
      case "message_delta": {
        const { outputTokens } = usageIn(fieldsOf(event["usage"]));
        current = { ...current, outputTokens };
        return [usage()];
      }
      default:
        return [];
    }
  };

  const takeAssistant = (message: Fields, isError: boolean): Heard[] =>
    listOf(message["content"]).flatMap((block): Heard[] => {
      if (block["type"] === "tool_use") {
        const { id, name, input } = block;
        return [{ type: "tool.called", id: textOr(id, ""), name: textOr(name, ""), input }];
      }
      // What Claude Code itself says is not streamed; its errors are told by the result.
      if (block["type"] !== "text" || isError || streamed.has(message["id"])) return [];
      return say(textOr(block["text"], ""), true);
    });

  return {
    begin() {
      [done, current, hasSpoken] = [NOTHING, NOTHING, false];
      streamed.clear();
    },
    take(line) {
      if (typeof line["parent_tool_use_id"] === "string") return [];
      switch (line["type"]) {
        case "stream_event":
          return takeEvent(fieldsOf(line["event"]));
        case "assistant":
          return takeAssistant(fieldsOf(line["message"]), line["is_api_error_message"] === true);
        case "user":
          return returnsIn(fieldsOf(line["message"]));
        case "control_request":
          return permissionIn(line);
        case "system":
          return line["subtype"] === "api_retry" ? retryIn(line) : [];
        case "result": {
          const counted = usageIn(fieldsOf(line["usage"]));
          if (counted.inputTokens + counted.outputTokens > 0) [done, current] = [counted, NOTHING];
          const said =
            hasSpoken || line["is_error"] === true ? [] : say(textOr(line["result"], ""), true);
          const ending = endingOf(line);
          return ending === undefined ? [] : [...said, usage(), { type: "ended", ending }];
        }
        default:
          return [];
      }
    },
  };
}

const NOTHING: TurnUsage = { inputTokens: 0, outputTokens: 0 };

function sum(a: TurnUsage, b: TurnUsage): TurnUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}

/** What was read from a cache was read, too. */
function usageIn(usage: Fields): TurnUsage {
  const cached =
    numberIn(usage, "cache_creation_input_tokens") + numberIn(usage, "cache_read_input_tokens");
  return {
    inputTokens: numberIn(usage, "input_tokens") + cached,
    outputTokens: numberIn(usage, "output_tokens"),
  };
}

function returnsIn(message: Fields): Heard[] {
  return listOf(message["content"])
    .filter((block) => block["type"] === "tool_result")
    .map((block) => ({
      type: "tool.returned",
      id: textOr(block["tool_use_id"], ""),
      text: contentText(block["content"]),
      isError: block["is_error"] === true,
    }));
}

export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => textOr(part["text"], `(${textOr(part["type"], "something")})`))
    .join("\n");
}

function permissionIn(line: Fields): Heard[] {
  const request = fieldsOf(line["request"]);
  if (request["subtype"] !== "can_use_tool") return [];
  return [
    {
      type: "permission.wanted",
      id: textOr(line["request_id"], ""),
      tool: textOr(request["tool_name"], "a tool"),
      input: request["input"],
      description: textOr(request["description"], undefined),
    },
  ];
}

function retryIn(line: Fields): Heard[] {
  const status = line["error_status"];
  const why = textOr(line["error"], "trouble").replaceAll("_", " ");
  const reason = `The model's server answers with ${why}${typeof status === "number" ? ` (${status})` : ""}.`;
  const attempt = numberIn(line, "attempt");
  // Claude Code would try a wrong key for minutes.
  if ((status === 401 || status === 403) && attempt > 1) {
    const ending = endingOf({ ...line, is_error: true, api_error_status: status, result: why });
    return ending === undefined ? [] : [{ type: "ended", ending, isAtWork: true }];
  }
  return [{ type: "retrying", attempt, reason }];
}
