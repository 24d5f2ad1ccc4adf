/** What is on each agent's monitor: the end of what it writes or of what its command prints, whichever came last. */
import type { WorldMessageOf } from "@atrium/wire/world";
import type { ScreenText } from "../office/state/office-state.ts";
import { terminalText } from "./terminal-text.ts";
import { callKey, commandIn, type PrintedText } from "./terminals.ts";

type CallEvent = Extract<WorldMessageOf<"event">["payload"], { readonly name: "tool_called" }>;

/** More than a screen shows, and than a person reads back. */
const MAX_CHARS = 1_500;

export class Screens {
  readonly #screens = new Map<string, ScreenText & { readonly key: string }>();
  /** Whose words are at an end: what comes next is something else. */
  readonly #ended = new Set<string>();

  shown(): ReadonlyMap<string, ScreenText> {
    return new Map(
      this.#screens
        .entries()
        .map(([agentId, { kind, title, text }]) => [
          agentId,
          kind === "words" ? { kind, title, text } : readable(title, text),
        ]),
    );
  }

  /** A command is on the screen before it has printed anything. */
  call({ agent_id: agentId, run_id: runId, call_id: callId, input }: CallEvent): void {
    const title = commandIn(input);
    if (title === undefined) return;
    const key = callKey(runId, callId);
    this.#screens.set(agentId, { key, kind: "command", title, text: "" });
  }

  print(agentId: string, key: string, { delta, isAnew }: PrintedText): void {
    const now = this.#screens.get(agentId);
    const isSame = now?.key === key;
    const text = grown(isSame && !isAnew ? now.text : "", delta);
    this.#screens.set(agentId, { key, kind: "command", title: isSame ? now.title : "", text });
  }

  write(agentId: string, { delta, isAnew, isOver }: PrintedText): void {
    const now = this.#screens.get(agentId);
    const isNext = isAnew || this.#ended.has(agentId) || now?.kind !== "words";
    this.#ended.delete(agentId);
    if (isOver) this.#ended.add(agentId);
    // That it is over is no news for a screen that shows something else by now.
    if (delta === "" && now?.kind === "command") return;
    const text = grown(isNext ? "" : now.text, delta);
    this.#screens.set(agentId, { key: "", kind: "words", title: "", text });
  }
}

function readable(title: string, text: string): ScreenText {
  return { kind: "command", title: terminalText(title), text: terminalText(text) };
}

function grown(before: string, delta: string): string {
  return (before + delta).slice(-MAX_CHARS);
}
