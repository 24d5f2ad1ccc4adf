/** Every file of a change in one list, of which only what is in sight is in the page. One row is the current one. */
import {
  defaultRangeExtractor,
  useVirtualizer,
  type Range,
  type Virtualizer,
} from "@tanstack/react-virtual";
import {
  useCallback,
  useEffect,
  useId,
  useRef,
  type ReactNode,
  type Ref,
  type RefObject,
} from "react";
import { useTexts } from "../../../../app/app.ts";
import type { ReviewFile } from "../change/review-http.ts";
import type { Thread } from "../change/threads.ts";
import { useDiffCursor, type DiffControl } from "./diff-cursor.ts";
import type { DiffItem } from "./diff-items.ts";
import { DiffRow } from "./diff-row.tsx";
import type { FileViews } from "./file-views.ts";
import { useGutterDrag } from "./gutter-drag.ts";
import type { LineColors } from "./line-colors.ts";
import { isIn, type LineRange } from "./line-range.ts";
import type { Layout } from "./paired-lines.ts";
import { useShownItems, type ShownItems } from "./shown-items.ts";

export interface DiffListProps {
  readonly files: readonly ReviewFile[];
  readonly views: FileViews;
  readonly layout: Layout;
  readonly threads: ReadonlyMap<string, readonly Thread[]>;
  readonly control: Ref<DiffControl>;
  readonly onComment: (range: LineRange) => void;
  /** Which file one is in. */
  readonly onFile: (path: string) => void;
  readonly heading: (file: ReviewFile) => ReactNode;
  readonly body: (item: Extract<DiffItem, { kind: "body" }>) => ReactNode;
  readonly thread: (thread: Thread) => ReactNode;
}

/** As in diff.css. */
const ROW_PIXELS = 24;
const SIZES = { file: 44, body: 96, line: ROW_PIXELS, gap: 30, note: 30, thread: 140 } as const;
/** A file that is not there yet takes about as much as it will. */
const MAX_GUESS_PIXELS = 900;

export function DiffList(props: DiffListProps): ReactNode {
  const { files, views, layout, onComment, control } = props;
  const { review: words } = useTexts();
  const shown = useShownItems(props);
  const { items } = shown;
  const scroller = useRef<HTMLDivElement>(null);
  const name = useId();
  const { virtual, stuck } = useVirtualRows(scroller, shown);
  const rows = virtual.getVirtualItems();
  const cursor = useDiffCursor({
    shown,
    files,
    views,
    control,
    top: () => ({
      row: rows[0]?.index ?? 0,
      heading: stuck.current,
    }),
    scrollTo: (index, align) => virtual.scrollToIndex(index, { align }),
  });
  const drag = useGutterDrag(onComment);
  useInSight(
    rows.map(({ index }) => items[index]),
    items[stuck.current]?.file.path,
    props,
  );
  const chosen = drag.range ?? cursor.range;
  const isCurrentThere = rows.some(({ index }) => index === cursor.at);
  return (
    <div
      ref={scroller}
      className="diff-list"
      data-layout={layout}
      role="grid"
      tabIndex={0}
      aria-label={words.diffLabel(files.length)}
      aria-rowcount={items.length}
      aria-activedescendant={isCurrentThere ? `${name}${cursor.at}` : undefined}
      {...drag.handlers}
    >
      <div role="rowgroup" className="diff-space" style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index, key, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          const isStuck = index === stuck.current;
          return (
            <div
              key={key}
              id={`${name}${index}`}
              ref={virtual.measureElement}
              role="row"
              aria-rowindex={index + 1}
              className={`row-${item.kind}`}
              data-index={index}
              data-current={index === cursor.at || undefined}
              data-chosen={isIn(item, chosen) || undefined}
              data-stuck={isStuck || undefined}
              style={isStuck ? undefined : { transform: `translateY(${start}px)` }}
              onClick={() => item.kind !== "file" && cursor.put(item)}
            >
              <Item {...props} item={item} colors={shown.colorsOf(item.file.path)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface VirtualRows {
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  /** The heading that stays at the top while its file is in sight. */
  readonly stuck: RefObject<number>;
}

function useVirtualRows(
  scroller: RefObject<HTMLDivElement | null>,
  { items, headings }: ShownItems,
): VirtualRows {
  const stuck = useRef(0);
  const rangeExtractor = useCallback(
    (range: Range) => {
      stuck.current = headingAt(headings, range.startIndex);
      const indexes = new Set([stuck.current, ...defaultRangeExtractor(range)]);
      return [...indexes].toSorted((a, b) => a - b);
    },
    [headings],
  );
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => guessOf(items[at]),
    getItemKey: (at) => items[at]?.key ?? at,
    scrollPaddingStart: SIZES.file,
    overscan: 12,
    rangeExtractor,
  });
  return { virtual, stuck };
}

/** Loads what has come into sight, and tells which file that is. */
function useInSight(
  inSight: readonly (DiffItem | undefined)[],
  path: string | undefined,
  { views, onFile }: DiffListProps,
): void {
  useEffect(() => {
    for (const item of inSight) {
      if (item?.kind === "body" && item.view.type === "loading") views.want(item.file);
    }
  });
  useEffect(() => {
    if (path !== undefined) onFile(path);
  }, [path, onFile]);
}

interface ItemProps extends DiffListProps {
  readonly item: DiffItem;
  readonly colors: LineColors | undefined;
}

function Item({ item, colors, ...list }: ItemProps): ReactNode {
  const { review: words } = useTexts();
  if (item.kind === "line") return <DiffRow item={item} layout={list.layout} colors={colors} />;
  return (
    <div role="gridcell" className="diff-cell">
      {item.kind === "file" && list.heading(item.file)}
      {item.kind === "body" && list.body(item)}
      {item.kind === "thread" && list.thread(item.thread)}
      {item.kind === "note" && item.text}
      {item.kind === "gap" && (
        <button
          type="button"
          className="diff-unfold"
          tabIndex={-1}
          onClick={() => list.views.unfold(item.file, item.gap)}
        >
          <span aria-hidden="true">↕</span> {words.gap(item.count)}{" "}
          <code dir="ltr">{item.text}</code>
        </button>
      )}
    </div>
  );
}

/** The heading of the file that an item is of. */
function headingAt(headings: readonly number[], at: number): number {
  let [low, high] = [0, headings.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((headings[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return headings[low] ?? 0;
}

function guessOf(item: DiffItem | undefined): number {
  if (item === undefined) return ROW_PIXELS;
  if (item.kind !== "body" || item.view.type !== "loading") return SIZES[item.kind];
  const changed = (item.file.added ?? 0) + (item.file.removed ?? 0);
  return Math.min(MAX_GUESS_PIXELS, (changed + 10) * ROW_PIXELS);
}
