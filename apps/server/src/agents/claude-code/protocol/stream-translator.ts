/**
 * The JSON lines of `claude --print --output-format stream-json`, as what a turn hears.
 *
 * Words come from the events of the stream, whole tool calls and what they returned from the messages, and the
 * end from the result. What sub-agents say to themselves is theirs. Unknown lines are passed over: there are
 * more with every version.
 */
import { addUsage, NOTHING_USED, tokensOf } from "@atrium/core";
import type { TurnUsage } from "../../turn/agent-runtime.ts";
import { fieldsOf, listOf, numberIn, textOr, type Fields } from "../../turn/json-fields.ts";
import { RunningTotal } from "../../turn/usage/running-total.ts";
import type { ProcessEvent } from "./claude-process.ts";
import { endingOf } from "./turn-ending.ts";

export class StreamTranslator {
  readonly #total: RunningTotal;
  #done: TurnUsage = NOTHING_USED;
  #current: TurnUsage = NOTHING_USED;
  /** By the results of the turn so far: what people add may have one of its own. */
  #earlier: TurnUsage = NOTHING_USED;
  #cost: number | undefined;
  #hasSpoken = false;
  #isNewBlock = true;
  /** Messages whose words were streamed already, and the one being streamed. */
  readonly #streamed = new Set<unknown>();
  #streaming: unknown;

  /** A session that is resumed has cost something before. */
  constructor(isResumed: boolean) {
    this.#total = new RunningTotal(isResumed ? undefined : 0);
  }

  /** A new turn begins: what was counted and said belongs to the one before. */
  begin(): void {
    [this.#done, this.#current, this.#hasSpoken] = [NOTHING_USED, NOTHING_USED, false];
    this.#earlier = NOTHING_USED;
    this.#cost = undefined;
    this.#total.begin();
    this.#streamed.clear();
  }

  take(line: Fields): ProcessEvent[] {
    if (typeof line["parent_tool_use_id"] === "string") return [];
    switch (line["type"]) {
      case "stream_event":
        return this.#takeEvent(fieldsOf(line["event"]));
      case "assistant":
        return this.#takeMessage(fieldsOf(line["message"]), line["is_api_error_message"] === true);
      case "user":
        return line["isReplay"] === true
          ? [{ type: "heard", text: wordsIn(fieldsOf(line["message"])) }]
          : returnsIn(fieldsOf(line["message"]));
      case "control_request":
        return permissionIn(line);
      case "system":
        return line["subtype"] === "api_retry" ? retryIn(line) : [];
      case "control_response":
        this.#takeAnswer(fieldsOf(line["response"]));
        return [];
      case "result":
        return this.#takeResult(line);
      default:
        return [];
    }
  }

  /** To `get_usage`; the answers to other requests have no session in them. */
  #takeAnswer({ response }: Fields): void {
    const total = fieldsOf(fieldsOf(response)["session"])["total_cost_usd"];
    if (typeof total === "number") this.#total.had(total);
  }

  #takeEvent(event: Fields): ProcessEvent[] {
    switch (event["type"]) {
      case "message_start": {
        const message = fieldsOf(event["message"]);
        this.#streaming = message["id"];
        this.#done = addUsage(this.#done, this.#current);
        this.#current = { ...usageIn(fieldsOf(message["usage"])), outputTokens: 0 };
        return [];
      }
      case "content_block_start":
        this.#isNewBlock = true;
        return [];
      case "content_block_delta":
        return this.#takeDelta(fieldsOf(event["delta"]));
      case "message_delta": {
        const { outputTokens } = usageIn(fieldsOf(event["usage"]));
        this.#current = { ...this.#current, outputTokens };
        return [this.#usage()];
      }
      default:
        return [];
    }
  }

  #takeDelta(delta: Fields): ProcessEvent[] {
    if (delta["type"] === "thinking_delta") {
      const thought = textOr(delta["thinking"], "");
      return thought === "" ? [] : [{ type: "thinking", delta: thought }];
    }
    if (delta["type"] !== "text_delta") return [];
    this.#streamed.add(this.#streaming);
    const events = this.#textEvents(textOr(delta["text"], ""), this.#isNewBlock);
    if (events.length > 0) this.#isNewBlock = false;
    return events;
  }

  #takeMessage(message: Fields, isError: boolean): ProcessEvent[] {
    return listOf(message["content"]).flatMap((block): ProcessEvent[] => {
      if (block["type"] === "tool_use") {
        const { id, name, input } = block;
        return [{ type: "tool.called", id: textOr(id, ""), name: textOr(name, ""), input }];
      }
      // What Claude Code itself says is not streamed; its errors are told by the result.
      if (block["type"] !== "text" || isError || this.#streamed.has(message["id"])) return [];
      return this.#textEvents(textOr(block["text"], ""), true);
    });
  }

  #takeResult(result: Fields): ProcessEvent[] {
    const counted = usageIn(fieldsOf(result["usage"]));
    const isCounted = tokensOf(counted) > 0;
    this.#done = isCounted ? addUsage(this.#earlier, counted) : addUsage(this.#done, this.#current);
    this.#current = NOTHING_USED;
    this.#earlier = this.#done;
    this.#cost = this.#costIn(result);
    const ending = endingOf(result);
    if (ending === undefined) return [];
    const isTold = this.#hasSpoken || result["is_error"] === true;
    const events = isTold ? [] : this.#textEvents(textOr(result["result"], ""), true);
    return [...events, this.#usage(), { type: "ended", ending }];
  }

  #textEvents(delta: string, isNewParagraph: boolean): ProcessEvent[] {
    if (delta === "") return [];
    // What is said in different steps is kept apart, as paragraphs.
    const gap = isNewParagraph && this.#hasSpoken ? "\n\n" : "";
    this.#hasSpoken = true;
    return [{ type: "text", delta: `${gap}${delta}` }];
  }

  #usage(): ProcessEvent {
    const tokens = addUsage(this.#done, this.#current);
    const usage = this.#cost === undefined ? tokens : { ...tokens, cost: this.#cost };
    return { type: "usage", usage };
  }

  /** The total is the session's. Of a model it has no price for, Claude Code guesses; we do not. */
  #costIn(result: Fields): number | undefined {
    const total = result["total_cost_usd"];
    if (typeof total !== "number") return undefined;
    const cost = this.#total.add(total);
    const models = Object.values(fieldsOf(result["modelUsage"])).map(fieldsOf);
    const isGuessed = models.some((model) => model["costBasis"] === "unknown");
    // A result of something that broke has zeros in place of figures.
    const isBlank = cost === 0 && tokensOf(addUsage(this.#done, this.#current)) > 0;
    return isGuessed || isBlank ? undefined : cost;
  }
}

/** What was read from a cache was read, too. */
function usageIn(usage: Fields): TurnUsage {
  const cached = numberIn(usage, "cache_read_input_tokens");
  const written = numberIn(usage, "cache_creation_input_tokens");
  return {
    inputTokens: numberIn(usage, "input_tokens") + written + cached,
    outputTokens: numberIn(usage, "output_tokens"),
    ...(cached > 0 && { cachedInputTokens: cached }),
  };
}

function returnsIn(message: Fields): ProcessEvent[] {
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

function permissionIn(line: Fields): ProcessEvent[] {
  const request = fieldsOf(line["request"]);
  if (request["subtype"] !== "can_use_tool") return [];
  return [
    {
      type: "permission.wanted",
      id: textOr(line["request_id"], ""),
      tool: textOr(request["tool_name"], "a tool"),
      input: request["input"],
      description: textOr(request["description"], undefined),
      cwd: textOr(request["cwd"], undefined),
    },
  ];
}

function retryIn(line: Fields): ProcessEvent[] {
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

function wordsIn({ content }: Fields): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((block) => textOr(block["text"], ""))
    .join("\n");
}
