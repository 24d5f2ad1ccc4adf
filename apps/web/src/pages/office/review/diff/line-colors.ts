/** The colors of a file's lines, made for a few hundred of them once one is looked at. */
import type { PatchLine, PatchRow } from "../../../../ui/workspace-files/patch-rows.ts";
import { colorLines, languageOf, type CodePiece } from "./syntax.ts";

export type LineColors = (line: PatchLine, side: "old" | "new") => readonly CodePiece[];

interface Block {
  readonly lines: PatchLine[];
  colors?: ReadonlyMap<PatchLine, readonly CodePiece[]>;
}

const MAX_LINES = 300;
/** A line longer than this is not code that someone wrote. */
const MAX_CHARS = 2_000;

/** Lines that follow one another are read together, as they are on each side. */
export function createLineColors(path: string, rows: readonly PatchRow[]): LineColors {
  const language = languageOf(path);
  if (language === undefined) return ({ text }) => [{ text }];
  const blocks: { old?: Blocks; new?: Blocks } = {};
  return (line, side) => {
    const block = (blocks[side] ??= blocksOf(rows, side)).get(line);
    if (block === undefined) return [{ text: line.text }];
    block.colors ??= new Map(
      colorLines(
        block.lines.map(({ text }) => text),
        language,
      ).map((pieces, at) => [block.lines[at] ?? line, pieces]),
    );
    return block.colors.get(line) ?? [{ text: line.text }];
  };
}

type Blocks = ReadonlyMap<PatchLine, Block>;

function blocksOf(rows: readonly PatchRow[], side: "old" | "new"): Blocks {
  const blocks = new Map<PatchLine, Block>();
  let block: Block = { lines: [] };
  for (const row of rows) {
    if (row.type === "gap" || row.type === "note" || block.lines.length >= MAX_LINES) {
      block = { lines: [] };
    }
    if (row.type === "gap" || row.type === "note" || row[side] === undefined) continue;
    if (row.text.length > MAX_CHARS) continue;
    block.lines.push(row);
    blocks.set(row, block);
  }
  return blocks;
}
