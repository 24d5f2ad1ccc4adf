/** Which row of a diff is the current one, and how keys and other parts of the page move it. */
import { useImperativeHandle, useState, type Ref } from "react";
import type { ReviewFile } from "../change/review-http.ts";
import type { Thread } from "../change/threads.ts";
import { findFrom, isChangeStart, isHeading, isLine, type DiffItem } from "./diff-items.ts";
import type { FileViews } from "./file-views.ts";
import { isIn, rangeOf, type LineRange } from "./line-range.ts";
import type { ShownItems } from "./shown-items.ts";

export type GoTo = "line" | "change" | "file";

export interface DiffControl {
  go(to: GoTo, step: 1 | -1): void;
  goToFile(path: string): void;
  goToThread(thread: Pick<Thread, "path" | "key">): void;
  /** What is current: a file, and lines of it where there are some. */
  current(): { readonly file: ReviewFile; readonly range: LineRange | undefined } | undefined;
  /** One more line, up or down. */
  extend(step: 1 | -1): void;
  /** Unfolds what is folded where one is. */
  expand(): void;
  /** The text of lines, as far as they are in the list. */
  linesOf(range: LineRange): readonly string[];
}

export interface CursorOptions {
  readonly shown: ShownItems;
  readonly files: readonly ReviewFile[];
  readonly views: FileViews;
  readonly control: Ref<DiffControl>;
  /** The first row in sight, and the heading above it. */
  readonly top: () => { readonly row: number; readonly heading: number };
  readonly scrollTo: (index: number, align: "auto" | "start") => void;
}

export interface DiffCursor {
  /** -1: none yet. */
  readonly at: number;
  /** Lines that were chosen by keys. */
  readonly range: LineRange | undefined;
  put(item: DiffItem): void;
}

export function useDiffCursor(options: CursorOptions): DiffCursor {
  const { shown, files, views, control, top, scrollTo } = options;
  const { items, headings } = shown;
  const [key, setKey] = useState<string>();
  const [extent, setExtent] = useState(0);
  const at = key === undefined ? -1 : items.findIndex((item) => item.key === key);
  const put = (item: DiffItem): void => {
    setKey(item.key);
    setExtent(0);
  };
  const goTo = (index: number | undefined, align: "auto" | "start" = "auto"): void => {
    const item = index === undefined ? undefined : items[index];
    if (index === undefined || item === undefined) return;
    put(item);
    scrollTo(index, align);
  };
  useImperativeHandle(control, () => ({
    go(to, step) {
      const from = at === -1 ? Math.max(0, top().row - step) : at;
      goTo(findFrom(items, from, step, WANTED[to]), to === "line" ? "auto" : "start");
    },
    goToFile: (path) => goTo(headings[files.findIndex((file) => file.path === path)], "start"),
    goToThread: (thread) =>
      goTo(items.findIndex((item) => item.key === `${thread.path}\n${thread.key}`)),
    current() {
      const item = items[at] ?? items[top().heading];
      return item && { file: item.file, range: rangeOf(items, at, extent) };
    },
    extend(step) {
      if (rangeOf(items, at, extent + step) !== undefined) setExtent(extent + step);
    },
    expand() {
      const gap = items[at]?.kind === "gap" ? at : findFrom(items, at, -1, isGap);
      const item = gap === undefined ? undefined : items[gap];
      if (item?.kind === "gap") views.unfold(item.file, item.gap);
    },
    linesOf: (range) =>
      items.flatMap((item) => {
        const line = item.kind === "line" && isIn(item, range) ? item[range.side] : undefined;
        return line === undefined ? [] : [line.text];
      }),
  }));
  return { at, put, range: extent === 0 ? undefined : rangeOf(items, at, extent) };
}

const WANTED = { line: isLine, change: isChangeStart, file: isHeading } as const;

function isGap(items: readonly DiffItem[], at: number): boolean {
  return items[at]?.kind === "gap";
}
