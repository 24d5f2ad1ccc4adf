/** Long texts in pieces that every bus takes, and back. */
import { Type, type Static } from "@atrium/schema";

export const TextPiece = Type.Object({
  id: Type.String(),
  from: Type.String(),
  at: Type.Number(),
  of: Type.Number(),
  text: Type.String(),
});

export type TextPiece = Readonly<Static<typeof TextPiece>>;

/** Far below what a NATS server takes by default. */
const PIECE_CHARS = 200_000;

export function* piecesOf(id: string, from: string, text: string): Iterable<TextPiece> {
  const of = Math.max(1, Math.ceil(text.length / PIECE_CHARS));
  for (let at = 0; at < of; at++) {
    yield { id, from, at, of, text: text.slice(at * PIECE_CHARS, (at + 1) * PIECE_CHARS) };
  }
}

export class Pieces {
  readonly #begun = new Map<string, { readonly from: string; readonly texts: string[] }>();

  /** The text, once its last piece is there; never when one was lost. */
  add({ id, from, at, of, text }: TextPiece): string | undefined {
    const texts = this.#begun.get(id)?.texts ?? [];
    if (texts.length !== at) {
      this.#begun.delete(id);
      return undefined;
    }
    texts.push(text);
    if (texts.length < of) {
      this.#begun.set(id, { from, texts });
      return undefined;
    }
    this.#begun.delete(id);
    return texts.join("");
  }

  forget(id: string): void {
    this.#begun.delete(id);
  }

  forgetFrom(node: string): void {
    for (const [id, { from }] of this.#begun) if (from === node) this.#begun.delete(id);
  }
}
