/** What commands print while they run, line by line: those of several agents are never mixed within one. */
import { plainText } from "../../terminal/plain-text.ts";

/** A line without an end is shown in parts. */
const MAX_REST = 2_000;

export class LiveOutput {
  readonly #write: (line: string) => void;
  readonly #rests = new Map<string, string>();
  readonly #shown = new Set<string>();

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Whether something of it was shown. */
  has(callId: string): boolean {
    return this.#shown.has(callId);
  }

  add(callId: string, text: string): void {
    if (text !== "") this.#shown.add(callId);
    const lines = `${this.#rests.get(callId) ?? ""}${text}`.split(/\r?\n/);
    const rest = lines.pop() ?? "";
    for (const line of lines) this.#write(plainText(line));
    if (rest.length > MAX_REST) this.#write(plainText(rest));
    this.#rests.set(callId, rest.length > MAX_REST ? "" : rest);
  }

  end(callId: string): void {
    const rest = this.#rests.get(callId) ?? "";
    this.#rests.delete(callId);
    if (rest !== "") this.#write(plainText(rest));
  }
}
