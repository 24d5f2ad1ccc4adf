/**
 * What Codex tells of its thread, as events of the turn.
 *
 * Messages are apart as paragraphs. Its tools are items that start and complete; each is told once and answered once. An
 * item or a notification of a kind that is not known is passed over: newer versions have more of them.
 */
import type { TurnEvent } from "../../turn/agent-runtime.ts";
import { fieldsOf, listOf, numberIn, textIn, textOr, type Fields } from "../../turn/json-fields.ts";
import { describeList } from "../../turn/preview/describe-call.ts";
import type { ReportedTools } from "../../turn/reported-tools.ts";
import { changesIn, describeChanges, patchInput } from "./file-changes.ts";

export type TranslateNotification = (method: string, params: Fields) => readonly TurnEvent[];

export interface ItemTranslatorDeps {
  readonly tools: ReportedTools;
  /** What a tool of an MCP server is called here. */
  readonly toolName: (server: string, tool: string) => string;
}

/** What it says, and in plan mode the plan that it proposes. */
const WORDS: ReadonlySet<unknown> = new Set(["agentMessage", "plan"]);

export function createItemTranslator({
  tools,
  toolName,
}: ItemTranslatorDeps): TranslateNotification {
  const words = createParagraphs("text");
  const thoughts = createParagraphs("thinking");
  let retries = 0;

  function begin(item: Fields): readonly TurnEvent[] {
    const call = callOf(item, toolName);
    if (call === undefined) return [];
    words.interrupt();
    return tools.called(call.id, call.name, call.input);
  }

  function complete(item: Fields): readonly TurnEvent[] {
    const id = textIn(item, "id") ?? "";
    if (WORDS.has(item["type"])) return words.finish(id, textOr(item["text"], ""));
    // One that was never said to start is told now.
    const called = begin(item);
    const { text, isError } = resultOf(item);
    return [...called, ...tools.returned(id, text, isError)];
  }

  const readers: ReadonlyMap<string, (params: Fields) => readonly TurnEvent[]> = new Map([
    ["item/started", (params: Fields) => begin(fieldsOf(params["item"]))],
    ["item/completed", (params: Fields) => complete(fieldsOf(params["item"]))],
    ["item/agentMessage/delta", (params: Fields) => words.add(itemOf(params), deltaOf(params))],
    ["item/plan/delta", (params: Fields) => words.add(itemOf(params), deltaOf(params))],
    ["item/reasoning/textDelta", (params: Fields) => thoughts.add(partOf(params), deltaOf(params))],
    [
      "item/reasoning/summaryTextDelta",
      (params: Fields) => thoughts.add(partOf(params), deltaOf(params)),
    ],
    ["turn/plan/updated", (params: Fields) => progressOf(params)],
    [
      "error",
      (params: Fields): readonly TurnEvent[] => {
        if (params["willRetry"] !== true) return [];
        const reason = textOr(fieldsOf(params["error"])["message"], "The model did not answer.");
        return [{ type: "retrying", attempt: ++retries, reason }];
      },
    ],
  ]);
  return (method, params) => readers.get(method)?.(params) ?? [];
}

/** Text that comes in pieces of parts; a part that begins after another is a paragraph of its own. */
function createParagraphs(type: "text" | "thinking") {
  const texts = new Map<string, string>();
  let current: string | undefined;
  let isApart = false;
  const add = (part: string, delta: string): readonly TurnEvent[] => {
    if (delta === "") return [];
    const isNew = current !== undefined && (isApart || part !== current);
    current = part;
    isApart = false;
    texts.set(part, `${texts.get(part) ?? ""}${delta}`);
    return [{ type, delta: isNew ? `\n\n${delta}` : delta }];
  };
  return {
    add,
    interrupt: () => void (isApart = true),
    /** Says what of the whole has not been said; a whole that goes otherwise has been said already. */
    finish(part: string, whole: string): readonly TurnEvent[] {
      const before = texts.get(part) ?? "";
      texts.delete(part);
      return whole.startsWith(before) ? add(part, whole.slice(before.length)) : [];
    },
  };
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

function callOf(item: Fields, toolName: ItemTranslatorDeps["toolName"]): Call | undefined {
  const id = textIn(item, "id") ?? "";
  const text = (name: string): string => textIn(item, name) ?? "";
  switch (item["type"]) {
    case "commandExecution":
      return { id, name: "shell", input: { command: text("command"), cwd: text("cwd") } };
    case "fileChange":
      return { id, name: "apply_patch", input: patchInput(changesIn(item)) };
    case "mcpToolCall":
      return { id, name: toolName(text("server"), text("tool")), input: item["arguments"] ?? {} };
    case "dynamicToolCall":
    case "collabAgentToolCall":
      return { id, name: text("tool"), input: item["arguments"] ?? inputOf(item) };
    case "webSearch":
      return { id, name: "web_search", input: { query: text("query") } };
    case "imageView":
      return { id, name: "view_image", input: { path: text("path") } };
    default:
      return undefined;
  }
}

/** Of an agent that Codex hands work to. */
function inputOf(item: Fields): object {
  const prompt = textIn(item, "prompt");
  return prompt === undefined ? {} : { prompt };
}

const FAILED: ReadonlySet<unknown> = new Set(["failed", "declined"]);

function resultOf(item: Fields): { readonly text: string; readonly isError: boolean } {
  const { status } = item;
  const isError = FAILED.has(status);
  if (status === "declined") return { text: "This was not allowed, so it was not done.", isError };
  switch (item["type"]) {
    case "commandExecution": {
      const output = textOr(item["aggregatedOutput"], "");
      const { exitCode } = item;
      if (typeof exitCode !== "number") return { text: output, isError };
      const shown = output === "" || output.endsWith("\n") ? output : `${output}\n`;
      return { text: `${shown}[exit code ${exitCode}]`, isError: isError || exitCode !== 0 };
    }
    case "fileChange":
      return {
        text: isError ? "The change could not be made." : describeChanges(changesIn(item)),
        isError,
      };
    case "mcpToolCall": {
      const problem = textIn(fieldsOf(item["error"]), "message");
      const content = listOf(fieldsOf(item["result"])["content"]);
      return { text: problem ?? contentText(content), isError: isError || problem !== undefined };
    }
    case "dynamicToolCall": {
      const text = contentText(listOf(item["contentItems"]));
      return { text, isError: isError || item["success"] === false };
    }
    default:
      return { text: "", isError };
  }
}

function contentText(content: readonly Fields[]): string {
  return content
    .map((part) => textIn(part, "text") ?? `(${textOr(part["type"], "data")})`)
    .join("\n");
}

const STATUSES = new Map<unknown, string>([["inProgress", "in_progress"]]);

function progressOf(params: Fields): readonly TurnEvent[] {
  const steps = listOf(params["plan"]).map((step) => ({
    ...step,
    status: STATUSES.get(step["status"]) ?? step["status"],
  }));
  const described = describeList(steps);
  return described === undefined ? [] : [{ type: "progress", ...described }];
}

function itemOf(params: Fields): string {
  return textIn(params, "itemId") ?? "";
}

/** Reasoning has several parts in one item. */
function partOf(params: Fields): string {
  const index = numberIn(params, "summaryIndex") || numberIn(params, "contentIndex");
  return `${itemOf(params)}/${index}`;
}

function deltaOf(params: Fields): string {
  return textIn(params, "delta") ?? "";
}
