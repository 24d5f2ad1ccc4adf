/** A long text in pieces that end with a line where one ends, and lose nothing. Pure. */
export interface TextPiece {
  readonly from: number;
  /** Without the line feed that ends it, where one does: the next piece begins on a line of its own. */
  readonly text: string;
  /** How many lines it has at least. */
  readonly lines: number;
}

const PIECE = 8_000;
/** A line that never ends is cut here all the same. */
const MAX_PIECE_CHARS = 24_000;
const CHARACTERS_A_LINE = 80;

export function piecesOf(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  while (from < text.length) {
    const end = endOfPiece(text, from);
    const isLine = text[end - 1] === "\n";
    const piece = text.slice(from, isLine ? end - 1 : end);
    const lines = piece.split("\n").reduce((sum, line) => sum + linesOf(line), 0);
    pieces.push({ from, text: piece, lines });
    from = end;
  }
  return pieces;
}

function linesOf(line: string): number {
  return Math.max(1, Math.ceil(line.length / CHARACTERS_A_LINE));
}

function endOfPiece(text: string, from: number): number {
  if (text.length - from <= PIECE) return text.length;
  const lineEnd = text.indexOf("\n", from + PIECE);
  const end = lineEnd === -1 ? text.length : lineEnd + 1;
  if (end - from <= MAX_PIECE_CHARS) return end;
  const cut = from + MAX_PIECE_CHARS;
  // Not between the two halves of one sign.
  const code = text.charCodeAt(cut);
  return code >= 0xdc00 && code <= 0xdfff ? cut - 1 : cut;
}
