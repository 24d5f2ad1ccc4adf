/** Rows put into columns. Cells are measured as a terminal shows them: without colors, wide letters as two. */
import { stripVTControlCharacters } from "node:util";

const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;
const GAP = "  ";

export function columns(rows: readonly (readonly string[])[], indent = GAP): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    }
  }
  return rows
    .map((row) => {
      const cells = row.map((cell, index) => pad(cell, widths[index] ?? 0));
      return `${indent}${cells.join(GAP)}`.trimEnd();
    })
    .map((line) => `${line}\n`)
    .join("");
}

export function pad(cell: string, width: number): string {
  return cell + " ".repeat(Math.max(0, width - widthOf(cell)));
}

function widthOf(cell: string): number {
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(stripVTControlCharacters(cell))) {
    width += WIDE.test(segment) ? 2 : 1;
  }
  return width;
}
