/**
 * Finds events in what an agent writes: JSON on a line, JSON over several lines, an array of it, fenced
 * or not, with plain text around. What begins like JSON is held until it is whole; everything else is
 * passed on line by line.
 */
import { readJson, TOO_DEEP } from "@atrium/wire";

export type Passage =
  | { readonly kind: "event"; readonly text: string; readonly event: TypedObject }
  | { readonly kind: "malformed"; readonly text: string; readonly why: string }
  | { readonly kind: "plain"; readonly text: string };

export interface TypedObject {
  readonly type: string;
  readonly payload?: unknown;
}

const FENCE = /^\s*(?:```|~~~)/;
const MALFORMED = "malformed JSON";
const MAX_HELD_CHARS = 256 * 1024;

export class BuildLineReader {
  #line = "";
  #held: string[] = [];
  #heldChars = 0;
  #nesting = new Nesting();

  push(delta: string): readonly Passage[] {
    const lines = `${this.#line}${delta}`.split("\n");
    this.#line = lines.pop() ?? "";
    const found = lines.flatMap((line) => this.#take(line));
    if (this.#line.length <= MAX_HELD_CHARS) return found;
    const long = this.#line;
    this.#line = "";
    return [...found, ...this.#take(long)];
  }

  /** What is left when there will be no more. */
  finish(): readonly Passage[] {
    const last = this.#line;
    this.#line = "";
    return [...(last === "" ? [] : this.#take(last)), ...this.#giveUp()];
  }

  #take(line: string): readonly Passage[] {
    if (FENCE.test(line)) return this.#giveUp();
    const text = line.trim();
    const before = this.#held.length > 0 && startsEvent(text) ? this.#giveUp() : [];
    if (this.#held.length === 0 && !/^(?:\{|\[\s*(?:\{|$))/.test(text)) {
      return text === "" ? before : [...before, { kind: "plain", text: line }];
    }
    this.#held.push(line);
    this.#heldChars += line.length;
    this.#nesting.read(line);
    if (this.#heldChars > MAX_HELD_CHARS) return [...before, ...this.#giveUp()];
    return this.#nesting.isOpen ? before : [...before, ...this.#release()];
  }

  #release(): readonly Passage[] {
    const text = this.#held.join("\n");
    const { value, problem } = readJson(text);
    if (problem !== undefined) {
      return this.#giveUp(problem.short === TOO_DEEP ? TOO_DEEP : MALFORMED);
    }
    this.#clear();
    return (Array.isArray(value) ? value : [value]).map((each: unknown) =>
      isTyped(each)
        ? { kind: "event", text: Array.isArray(value) ? JSON.stringify(each) : text, event: each }
        : { kind: "plain", text: JSON.stringify(each) },
    );
  }

  /** What began like JSON and is none. */
  #giveUp(why = MALFORMED): readonly Passage[] {
    if (this.#held.length === 0) return [];
    const text = this.#held.join("\n");
    this.#clear();
    return [/"?type"?\s*:/.test(text) ? { kind: "malformed", text, why } : { kind: "plain", text }];
  }

  #clear(): void {
    this.#held = [];
    this.#heldChars = 0;
    this.#nesting = new Nesting();
  }
}

/** How deep in brackets a text is, without those in strings. */
class Nesting {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  get isOpen(): boolean {
    return this.#depth > 0;
  }

  read(line: string): void {
    // No string of JSON goes over the end of a line.
    this.#isInString = false;
    this.#isEscaped = false;
    for (const letter of line) this.#step(letter);
  }

  #step(letter: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString && letter === "\\") this.#isEscaped = true;
    else if (letter === '"') this.#isInString = !this.#isInString;
    else if (this.#isInString) return;
    else if (letter === "{" || letter === "[") this.#depth++;
    else if (letter === "}" || letter === "]") this.#depth--;
  }
}

function startsEvent(text: string): boolean {
  return /^\{\s*"type"\s*:/.test(text);
}

function isTyped(value: unknown): value is TypedObject {
  return (
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
  );
}
