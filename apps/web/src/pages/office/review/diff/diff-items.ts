/** All files of a change as one list to scroll through: headings, lines, what is folded, and what was said about them. Pure. */
import type { FilePatch } from "../../../../ui/workspace-files/files-http.ts";
import { patchRows, type PatchRow } from "../../../../ui/workspace-files/patch-rows.ts";
import type { ReviewFile } from "../change/review-http.ts";
import type { Thread } from "../change/threads.ts";
import { isChange, pairLines, type Layout, type LinePair, type PairedRow } from "./paired-lines.ts";
import { END_GAP, unfoldRows, type OpenGaps } from "./unfolded-rows.ts";

/** How much of a file is shown: what changed in it, or something in its place. */
export type FileView =
  | { readonly type: "folded" }
  | { readonly type: "loading" }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "large"; readonly bytes: number | undefined }
  | { readonly type: "binary" }
  | { readonly type: "rendered" }
  | {
      readonly type: "lines";
      readonly rows: readonly PatchRow[];
      /** The new file, once something in it was unfolded. */
      readonly lines: readonly string[] | undefined;
      readonly gaps: OpenGaps;
    };

interface ItemBase {
  readonly key: string;
  readonly file: ReviewFile;
}

export type DiffItem = ItemBase &
  (
    | { readonly kind: "file" }
    | { readonly kind: "body"; readonly view: Exclude<FileView, { type: "lines" | "folded" }> }
    | ({ readonly kind: "line" } & Omit<LinePair, "type">)
    | {
        readonly kind: "gap";
        readonly text: string;
        readonly gap: number;
        readonly count: number | undefined;
      }
    | { readonly kind: "note"; readonly text: string }
    | { readonly kind: "thread"; readonly thread: Thread }
  );

export function viewOfPatch(patch: FilePatch): FileView {
  if (patch.is_large === true) return { type: "large", bytes: patch.bytes };
  return { type: "lines", rows: patchRows(patch.patch ?? ""), lines: undefined, gaps: new Set() };
}

/** Those of the patch, and what was unfolded between them. */
export function rowsOf(view: FileView): readonly PatchRow[] {
  if (view.type !== "lines") return [];
  const { rows, lines, gaps } = view;
  return lines === undefined ? rows : unfoldRows(rows, lines, gaps);
}

export interface ItemOptions {
  /** As `rowsOf` has them. */
  readonly rows: readonly PatchRow[];
  readonly layout: Layout;
  readonly threads: readonly Thread[];
}

export function itemsOfFile(
  file: ReviewFile,
  view: FileView,
  { rows, layout, threads }: ItemOptions,
): readonly DiffItem[] {
  const heading: DiffItem = { kind: "file", key: `${file.path}\nfile`, file };
  const threadItem = (thread: Thread): DiffItem => ({
    kind: "thread",
    key: `${file.path}\n${thread.key}`,
    file,
    thread,
  });
  if (view.type === "folded") return [heading];
  if (view.type !== "lines") {
    return [
      heading,
      { kind: "body", key: `${file.path}\nbody`, file, view },
      ...threads.map(threadItem),
    ];
  }
  const { lines, gaps } = view;
  const isEndOpen = lines !== undefined && (gaps === "all" || gaps.has(END_GAP));
  const hasEnd = !isEndOpen && hasMore(rows);
  const paired = pairLines(rows, layout);
  const items: DiffItem[] = [heading];
  const waiting = new Set(threads);
  let last = 0;
  for (const [at, row] of paired.entries()) {
    items.push(itemOf(file, row, at, last));
    if (row.type === "gap") last = row.new - 1;
    else if (row.type === "line") last = row.new?.new ?? last;
    if (row.type === "note") continue;
    for (const thread of waiting) {
      if (!isAt(thread, row)) continue;
      items.push(threadItem(thread));
      waiting.delete(thread);
    }
  }
  if (hasEnd) {
    items.push({
      kind: "gap",
      key: `${file.path}\nend`,
      file,
      text: "",
      gap: END_GAP,
      count: undefined,
    });
  }
  // About lines that are folded away at the end, or that are no longer there.
  return [...items, ...Array.from(waiting, threadItem)];
}

/** As many unchanged lines as stand around what changed. */
const AROUND = 5;

/** Whether the file may go on after the last row: with fewer lines after it, what changed is at its end. */
function hasMore(rows: readonly PatchRow[]): boolean {
  const last = rows.slice(-AROUND);
  return last.length === AROUND && last.every(({ type }) => type === "same");
}

function itemOf(file: ReviewFile, row: PairedRow, at: number, last: number): DiffItem {
  const base = { key: `${file.path}\n${at}`, file };
  if (row.type === "note") return { ...base, kind: "note", text: row.text };
  if (row.type === "gap") {
    return { ...base, kind: "gap", text: row.text, gap: row.new, count: row.new - 1 - last };
  }
  const { old: before, new: after, other } = row;
  return {
    ...base,
    // Of a line the place names it: what is unfolded above it does not make it another.
    key: `${file.path}\n${before?.old ?? ""}:${after?.new ?? ""}`,
    kind: "line",
    ...(before !== undefined && { old: before }),
    ...(after !== undefined && { new: after }),
    ...(other !== undefined && { other }),
  };
}

/** Whether this row is the line that it is about, or folds it away. */
function isAt({ side, line }: Thread, row: Exclude<PairedRow, { type: "note" }>): boolean {
  if (row.type === "gap") return row[side] > line;
  return row[side]?.[side] === line;
}

export type LineItem = Extract<DiffItem, { kind: "line" }>;

/** Where the next one of a kind begins, from an item on; undefined: there is none. */
export function findFrom(
  items: readonly DiffItem[],
  from: number,
  step: 1 | -1,
  isWanted: (items: readonly DiffItem[], at: number) => boolean,
): number | undefined {
  for (let at = from + step; at >= 0 && at < items.length; at += step) {
    if (isWanted(items, at)) return at;
  }
  return undefined;
}

export function isLine(items: readonly DiffItem[], at: number): boolean {
  const kind = items[at]?.kind;
  return kind === "line" || kind === "gap" || kind === "thread" || kind === "body";
}

export function isHeading(items: readonly DiffItem[], at: number): boolean {
  return items[at]?.kind === "file";
}

/** The first line of several that changed together. */
export function isChangeStart(items: readonly DiffItem[], at: number): boolean {
  const [item, above] = [items[at], items[at - 1]];
  if (item?.kind !== "line" || !isChange({ type: "line", ...item })) return false;
  return above?.kind !== "line" || !isChange({ type: "line", ...above });
}
