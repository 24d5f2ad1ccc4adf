/**
 * The hooks of an interactive Claude Code, as what a turn hears.
 *
 * A permission request is held open until someone answers it, here or at the terminal. Claude Code does not tell
 * when the terminal was faster: that shows when the tool has run, or the turn is over.
 */
import type { Decision, Heard } from "./claude-process.ts";
import { failureOf, quote } from "./ending.ts";
import { textOr, type Fields } from "./json-fields.ts";
import { contentText } from "./stream-translator.ts";

export interface HookTranslator {
  /** `isUnannounced`: the first thing heard is about it, whether or not it is a submitted prompt. */
  begin(isUnannounced: boolean): void;
  /** Whether the prompt that was said has arrived. */
  readonly hasBegun: boolean;
  take(event: string, body: Fields, left: AbortSignal): Promise<object | undefined>;
  permit(id: string, decision: Decision): void;
}

interface Held {
  readonly tool: string;
  readonly input: string;
  answer(decision: Decision | undefined): void;
}

export function createHookTranslator(tell: (heard: Heard) => void): HookTranslator {
  const held = new Map<string, Held>();
  /** Calls that have not returned, by what they do: a permission request does not say which call it is for. */
  const calls = new Map<string, string>();
  let promptId: unknown;
  let hasBegun = false;
  let mayBegin = false;
  let hasSpoken = false;
  let message = { id: "", text: "" };
  let requests = 0;

  const say = (delta: string, isNewParagraph: boolean): void => {
    if (delta === "") return;
    tell({ type: "text", delta: isNewParagraph && hasSpoken ? `\n\n${delta}` : delta });
    hasSpoken = true;
  };
  const settle = (id: string, decision: Decision | undefined): void => {
    const one = held.get(id);
    held.delete(id);
    one?.answer(decision);
    if (one !== undefined && decision === undefined) tell({ type: "permission.settled", id });
  };
  const settleAll = (isIt: (one: Held) => boolean): void => {
    for (const [id, one] of [...held]) if (isIt(one)) settle(id, undefined);
  };

  const ask = (body: Fields, left: AbortSignal): Promise<object | undefined> => {
    const id = `permission_${++requests}`;
    const tool = textOr(body["tool_name"], "a tool");
    const input = body["tool_input"];
    const { promise, resolve } = Promise.withResolvers<object | undefined>();
    const answer = (decision: Decision | undefined): void => resolve(outputFor(decision));
    held.set(id, { tool, input: JSON.stringify(input), answer });
    left.addEventListener("abort", () => settle(id, undefined), { once: true });
    tell({ type: "permission.wanted", id, tool, input, description: undefined });
    return promise;
  };

  const displayed = (body: Fields): void => {
    const id = textOr(body["message_id"], "");
    const delta = textOr(body["delta"], "");
    const isNew = message.id !== id;
    message = { id, text: isNew ? delta : `${message.text}${delta}` };
    say(delta, isNew);
  };
  const returned = (body: Fields, text: string, isError: boolean): void => {
    const key = callKey(body);
    settleAll(({ tool, input }) => `${tool} ${input}` === key);
    const id = textOr(body["tool_use_id"], calls.get(key) ?? "");
    calls.delete(key);
    tell({ type: "tool.returned", id, text, isError });
  };
  const stopped = (body: Fields): void => {
    settleAll(() => true);
    // What was not displayed piece by piece, as in versions without that hook.
    const last = textOr(body["last_assistant_message"], "");
    const isShown = message.text !== "" && last.startsWith(message.text);
    if (isShown) say(last.slice(message.text.length), false);
    else if (message.text === "") say(last, true);
  };

  return {
    get hasBegun() {
      return hasBegun;
    },
    begin(isUnannounced) {
      mayBegin = isUnannounced;
      [promptId, hasBegun, hasSpoken] = [undefined, false, false];
      message = { id: "", text: "" };
      calls.clear();
      settleAll(() => true);
    },
    permit(id, decision) {
      const one = held.get(id);
      settle(id, decision);
      // No hook tells of a call that was refused.
      const call = calls.get(`${one?.tool} ${one?.input}`);
      if (decision.behavior === "deny" && call !== undefined) {
        tell({ type: "tool.returned", id: call, text: decision.message, isError: true });
      }
    },
    async take(event, body, left) {
      if (event === "UserPromptSubmit") {
        [promptId, hasBegun, mayBegin] = [body["prompt_id"], true, false];
        return undefined;
      }
      if (mayBegin) [promptId, hasBegun, mayBegin] = [body["prompt_id"], true, false];
      // Late news of the turn before, or of a sub-agent.
      if (!hasBegun || body["prompt_id"] !== promptId) return undefined;
      if (event === "PermissionRequest") return ask(body, left);
      if (typeof body["agent_id"] === "string") return undefined;
      switch (event) {
        case "MessageDisplay":
          displayed(body);
          break;
        case "PreToolUse": {
          const id = textOr(body["tool_use_id"], "");
          calls.set(callKey(body), id);
          const name = textOr(body["tool_name"], "");
          tell({ type: "tool.called", id, name, input: body["tool_input"] });
          break;
        }
        case "PostToolUse":
          returned(body, responseText(body["tool_response"]), false);
          break;
        case "PostToolUseFailure":
          returned(body, textOr(body["error"], "It failed."), true);
          break;
        case "Stop":
          stopped(body);
          tell({ type: "ended", ending: { how: "completed", stopReason: "stop" } });
          break;
        case "StopFailure": {
          settleAll(() => true);
          const said = quote(textOr(body["last_assistant_message"], ""));
          tell({ type: "ended", ending: failureOf(said, 0, body["error"]) });
          break;
        }
        default:
      }
      return undefined;
    },
  };
}

function callKey(body: Fields): string {
  return `${textOr(body["tool_name"], "a tool")} ${JSON.stringify(body["tool_input"])}`;
}

function outputFor(decision: Decision | undefined): object | undefined {
  if (decision === undefined) return undefined;
  const { behavior } = decision;
  const more =
    behavior === "deny"
      ? { message: decision.message }
      : decision.input === undefined
        ? {}
        : { updatedInput: decision.input };
  const hookEventName = "PermissionRequest";
  return { hookSpecificOutput: { hookEventName, decision: { behavior, ...more } } };
}

/** Every tool has its own shape; what a person would read is in one of these. */
function responseText(response: unknown): string {
  if (typeof response === "string") return response;
  if (Array.isArray(response)) return contentText(response);
  if (typeof response !== "object" || response === null) return "";
  const { stdout, stderr, content } = response as Fields;
  if (typeof stdout === "string") return [stdout, textOr(stderr, "")].join("\n").trim();
  if (content !== undefined) return contentText(content);
  return JSON.stringify(response);
}
