import { fieldsOf, textOr, type Fields } from "../../turn/json-fields.ts";
/**
 * The hooks of an interactive Claude Code, as what a turn hears.
 *
 * A permission request is held open until someone answers it, here or at the terminal. Claude Code does not tell
 * when the terminal was faster: that shows when the tool has run, or the turn is over.
 *
 * What people add meanwhile is handed over as context beside the next result of a tool, else at the end of the turn, which
 * then goes on.
 */
import type { PermissionDecision, ProcessEvent } from "./claude-process.ts";
import { contentText } from "./stream-translator.ts";
import { failureOf, quote } from "./turn-ending.ts";

interface Held {
  readonly tool: string;
  readonly input: string;
  readonly answer: (decision: PermissionDecision | undefined) => void;
}

export class HookTranslator {
  readonly #emit: (event: ProcessEvent) => void;
  readonly #held = new Map<string, Held>();
  /** Calls that have not returned, by what they do: a permission request does not say which call it is for. */
  readonly #calls = new Map<string, string>();
  #promptId: unknown;
  #mayBegin = false;
  #hasBegun = false;
  #hasSpoken = false;
  #message = { id: "", text: "" };
  #requests = 0;
  #isOver = true;
  /** Handed over with the next hook that takes words. */
  #added: string | undefined;
  /** Typed after the turn, and taken in with its submission. */
  #typed: string | undefined;

  constructor(emit: (event: ProcessEvent) => void) {
    this.#emit = emit;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * `isUnannounced`: the first thing heard is about it, whether or not it is a submitted prompt. `added`: what it is about
   * was added to the one before.
   */
  begin(isUnannounced: boolean, added?: string): void {
    [this.#promptId, this.#hasBegun, this.#isOver] = [undefined, false, false];
    this.#hasSpoken &&= added !== undefined;
    this.#mayBegin = isUnannounced;
    [this.#added, this.#typed] = [undefined, added];
    this.#message = { id: "", text: "" };
    this.#calls.clear();
    this.#settleAll(() => true);
  }

  /** False once the turn is over: then nothing takes it in. */
  add(text: string): boolean {
    if (this.#isOver) return false;
    this.#added = text;
    return true;
  }

  permit(id: string, decision: PermissionDecision): void {
    const one = this.#held.get(id);
    this.#settle(id, decision);
    // No hook tells of a call that was refused.
    const call = this.#calls.get(`${one?.tool} ${one?.input}`);
    if (decision.behavior === "deny" && call !== undefined) {
      this.#emit({ type: "tool.returned", id: call, text: decision.message, isError: true });
    }
  }

  async take(event: string, body: Fields, left: AbortSignal): Promise<object | undefined> {
    if (event === "UserPromptSubmit" || this.#mayBegin) {
      [this.#promptId, this.#hasBegun, this.#mayBegin] = [body["prompt_id"], true, false];
      if (this.#typed !== undefined) this.#emit({ type: "heard", text: this.#typed });
      this.#typed = undefined;
    }
    // Late news of the turn before.
    if (!this.#hasBegun || body["prompt_id"] !== this.#promptId) return undefined;
    if (event === "PermissionRequest") return this.#ask(body, left);
    // What a sub-agent does is its own.
    if (typeof body["agent_id"] === "string") return undefined;
    const added = TAKES_WORDS.has(event) ? this.#added : undefined;
    this.#takeNews(event, body);
    if (added === undefined) return undefined;
    this.#added = undefined;
    this.#emit({ type: "heard", text: added });
    const additionalContext = `${WHO_ADDS}\n\n${added}`;
    return { hookSpecificOutput: { hookEventName: event, additionalContext } };
  }

  #takeNews(event: string, body: Fields): void {
    switch (event) {
      case "MessageDisplay":
        return this.#displayed(body);
      case "PreToolUse":
        return this.#called(body);
      case "PostToolUse":
        return this.#returned(body, responseText(body["tool_response"]), false);
      case "PostToolUseFailure":
        return this.#returned(body, textOr(body["error"], "It failed."), true);
      case "Stop":
        return this.#stopped(body);
      case "StopFailure": {
        this.#settleAll(() => true);
        this.#isOver = true;
        const reason = quote(textOr(body["last_assistant_message"], ""));
        return this.#emit({ type: "ended", ending: failureOf(reason, 0, body["error"]) });
      }
      default:
        return undefined;
    }
  }

  #ask(body: Fields, left: AbortSignal): Promise<object | undefined> {
    const id = `permission_${++this.#requests}`;
    const tool = textOr(body["tool_name"], "a tool");
    const input = body["tool_input"];
    const { promise, resolve } = Promise.withResolvers<object | undefined>();
    const answer = (decision: PermissionDecision | undefined): void => resolve(outputFor(decision));
    this.#held.set(id, { tool, input: JSON.stringify(input), answer });
    left.addEventListener("abort", () => this.#settle(id, undefined), { once: true });
    const cwd = textOr(body["cwd"], undefined);
    this.#emit({ type: "permission.wanted", id, tool, input, description: undefined, cwd });
    return promise;
  }

  #settle(id: string, decision: PermissionDecision | undefined): void {
    const one = this.#held.get(id);
    if (one === undefined) return;
    this.#held.delete(id);
    one.answer(decision);
    if (decision === undefined) this.#emit({ type: "permission.settled", id });
  }

  #settleAll(isIt: (one: Held) => boolean): void {
    for (const [id, one] of this.#held) if (isIt(one)) this.#settle(id, undefined);
  }

  #displayed(body: Fields): void {
    const id = textOr(body["message_id"], "");
    const delta = textOr(body["delta"], "");
    const isNew = this.#message.id !== id;
    this.#message = { id, text: isNew ? delta : `${this.#message.text}${delta}` };
    this.#addText(delta, isNew);
  }

  #called(body: Fields): void {
    const id = textOr(body["tool_use_id"], "");
    this.#calls.set(callKey(body), id);
    const name = textOr(body["tool_name"], "");
    this.#emit({ type: "tool.called", id, name, input: body["tool_input"] });
  }

  #returned(body: Fields, text: string, isError: boolean): void {
    const key = callKey(body);
    this.#settleAll(({ tool, input }) => `${tool} ${input}` === key);
    const id = textOr(body["tool_use_id"], this.#calls.get(key) ?? "");
    this.#calls.delete(key);
    this.#emit({ type: "tool.returned", id, text, isError });
  }

  #stopped(body: Fields): void {
    this.#settleAll(() => true);
    // What was not displayed piece by piece, as in versions without that hook.
    const last = textOr(body["last_assistant_message"], "");
    const { text } = this.#message;
    if (text === "") this.#addText(last, true);
    else if (last.startsWith(text)) this.#addText(last.slice(text.length), false);
    this.#message = { id: "", text: "" };
    if (this.#added !== undefined) return;
    this.#isOver = true;
    this.#emit({ type: "ended", ending: { how: "completed", stopReason: "stop" } });
  }

  #addText(delta: string, isNewParagraph: boolean): void {
    if (delta === "") return;
    this.#emit({ type: "text", delta: isNewParagraph && this.#hasSpoken ? `\n\n${delta}` : delta });
    this.#hasSpoken = true;
  }
}

/** The hooks that may answer with words for Claude. */
const TAKES_WORDS: ReadonlySet<string> = new Set(["PostToolUse", "PostToolUseFailure", "Stop"]);
/** Claude would take it for words of a hook. */
const WHO_ADDS = "The person you work for has added this to what you are at:";

function callKey(body: Fields): string {
  return `${textOr(body["tool_name"], "a tool")} ${JSON.stringify(body["tool_input"])}`;
}

function outputFor(decision: PermissionDecision | undefined): object | undefined {
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
  const { stdout, stderr, content } = fieldsOf(response);
  if (typeof stdout === "string") return [stdout, textOr(stderr, "")].join("\n").trim();
  if (content !== undefined) return contentText(content);
  return JSON.stringify(response) ?? "";
}
