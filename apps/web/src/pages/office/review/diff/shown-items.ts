/** The list of all files, made anew only for those that changed. */
import { useMemo, useRef } from "react";
import type { PatchRow } from "../../../../ui/workspace-files/patch-rows.ts";
import type { ReviewFile } from "../change/review-http.ts";
import type { Thread } from "../change/threads.ts";
import { itemsOfFile, rowsOf, type DiffItem, type FileView } from "./diff-items.ts";
import type { FileViews } from "./file-views.ts";
import { createLineColors, type LineColors } from "./line-colors.ts";
import type { Layout } from "./paired-lines.ts";

interface Part {
  readonly view: FileView;
  readonly layout: Layout;
  readonly threads: readonly Thread[];
  readonly rows: readonly PatchRow[];
  readonly items: readonly DiffItem[];
  readonly colors: LineColors;
}

export interface ShownItems {
  readonly items: readonly DiffItem[];
  /** Where each file begins. */
  readonly headings: readonly number[];
  colorsOf(path: string): LineColors | undefined;
}

export interface ShownItemsOptions {
  readonly files: readonly ReviewFile[];
  readonly views: FileViews;
  readonly layout: Layout;
  readonly threads: ReadonlyMap<string, readonly Thread[]>;
}

const NO_THREADS: readonly Thread[] = [];

export function useShownItems(options: ShownItemsOptions): ShownItems {
  const { files, views, layout, threads } = options;
  const parts = useRef<ReadonlyMap<string, Part>>(new Map());
  return useMemo(() => {
    const next = new Map<string, Part>();
    const items: DiffItem[] = [];
    const headings: number[] = [];
    for (const file of files) {
      const wanted = {
        view: views.viewOf(file),
        layout,
        threads: threads.get(file.path) ?? NO_THREADS,
      };
      const part = partOf(file, wanted, parts.current.get(file.path));
      next.set(file.path, part);
      headings.push(items.length);
      for (const item of part.items) items.push(item);
    }
    parts.current = next;
    return { items, headings, colorsOf: (path) => next.get(path)?.colors };
  }, [files, views.all, layout, threads]);
}

function partOf(
  file: ReviewFile,
  wanted: Pick<Part, "view" | "layout" | "threads">,
  before: Part | undefined,
): Part {
  const { view, layout, threads } = wanted;
  const isSameView = before !== undefined && isSame(before.view, view);
  if (isSameView && before.layout === layout && isSameThreads(before.threads, threads)) {
    return before;
  }
  const rows = isSameView ? before.rows : rowsOf(view);
  const colors = isSameView ? before.colors : createLineColors(file.path, rows);
  return { ...wanted, rows, colors, items: itemsOfFile(file, view, { rows, layout, threads }) };
}

/** What nothing was loaded for is made anew each time, and is the same all the same. */
function isSame(a: FileView, b: FileView): boolean {
  if (a === b) return true;
  return a.type === b.type && (a.type === "folded" || a.type === "loading" || a.type === "binary");
}

function isSameThreads(a: readonly Thread[], b: readonly Thread[]): boolean {
  return a === b || (a.length === 0 && b.length === 0);
}
