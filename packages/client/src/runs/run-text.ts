/**
 * The words of one run, put together from deltas of which some may be missing.
 *
 * Every delta brings the whole answer so far along, so what was missed is made up for by the next one.
 * `deltaText` alone counts only where there is no whole, and `replace` makes it the whole.
 */
import type { ChatMessage } from "@atrium/wire/gateway";
import type { TextUpdate } from "./run-update.ts";

export interface TextSoFar {
  readonly deltaText: string;
  readonly message: ChatMessage;
  readonly replace?: boolean;
}

export class RunText {
  #text = "";

  get text(): string {
    return this.#text;
  }

  /** The update for a reader who has seen all before; undefined when nothing is new. */
  add({ deltaText, message, replace }: TextSoFar): TextUpdate | undefined {
    if (replace === true) return this.become(deltaText);
    const whole = textOf(message);
    return this.become(whole === "" ? this.#text + deltaText : whole);
  }

  become(whole: string): TextUpdate | undefined {
    const before = this.#text;
    if (whole === before) return undefined;
    this.#text = whole;
    if (!whole.startsWith(before)) return { type: "rewritten", text: whole };
    return { type: "text", delta: whole.slice(before.length), text: whole };
  }
}

export function textOf(message: ChatMessage): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
