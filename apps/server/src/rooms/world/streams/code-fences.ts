/** Tells code from prose in words on their way: what stands between two fences is code. */
export type WordKind = "token" | "code";

export interface Piece {
  readonly kind: WordKind;
  readonly text: string;
}

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;

/** Lines may come in pieces; a fence counts once its line has begun with it. */
export class CodeFenceSplitter {
  #isCode = false;
  /** The line so far, as long as it may still become a fence. */
  #line = "";

  split(delta: string): readonly Piece[] {
    const pieces: Piece[] = [];
    for (const part of delta.split(/(?<=\n)/)) {
      const kind = this.#kindOf(part);
      const last = pieces.at(-1);
      if (last?.kind === kind) pieces[pieces.length - 1] = { kind, text: last.text + part };
      else pieces.push({ kind, text: part });
    }
    return pieces;
  }

  /** The fences themselves are part of the code. */
  #kindOf(part: string): WordKind {
    const wasFence = FENCE.test(this.#line);
    this.#line += part.slice(0, Math.max(0, MAX_MARK_CHARS - this.#line.length));
    const isFence = FENCE.test(this.#line);
    if (isFence && !wasFence) this.#isCode = !this.#isCode;
    if (part.endsWith("\n")) this.#line = "";
    return isFence || this.#isCode ? "code" : "token";
  }
}

const MAX_MARK_CHARS = 6;
