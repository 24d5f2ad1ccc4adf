/** The rows, of which only those in sight are in the page. */
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from "react";
import { useMedia, useTexts } from "../../app/app.ts";
import { useClockTime } from "../../app/clock-time.ts";
import { useAgentName } from "../../ui/agent-names.ts";
import { EndFollower } from "../../ui/end-follower.ts";
import { agentsIn, gistOf, type SignalRow } from "./signal-rows.ts";

export interface SignalListProps {
  readonly rows: readonly SignalRow[];
  /** The newest stays in sight. */
  readonly isFollowing: boolean;
  readonly openedKey: number | undefined;
  readonly onOpen: (row: SignalRow) => void;
  /** Said where there is nothing to show. */
  readonly emptyNote: string;
  /** Undefined: the log begins here. */
  readonly onEarlier: (() => Promise<void>) | undefined;
}

/** As in signals.css, where a narrow row has two lines. */
const ROW_PIXELS = 36;
const NARROW_ROW_PIXELS = 52;

export function SignalList(props: SignalListProps): ReactNode {
  const isNarrow = useMedia("(width < 720px)");
  return (
    <Rows key={String(isNarrow)} {...props} rowPixels={isNarrow ? NARROW_ROW_PIXELS : ROW_PIXELS} />
  );
}

interface RowsProps extends SignalListProps {
  readonly rowPixels: number;
}

function Rows(props: RowsProps): ReactNode {
  const { rows, isFollowing, openedKey, onOpen, emptyNote, onEarlier, rowPixels } = props;
  const words = useTexts().signals;
  const time = useClockTime();
  const nameOf = useAgentName();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPixels,
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 10,
  });
  const follower = useKeptInSight(scroller, rows, rowPixels);
  const last = rows.at(-1)?.key;
  useEffect(() => {
    if (isFollowing && follower.isFollowing && last !== undefined) {
      virtual.scrollToIndex(rows.length - 1, { align: "end" });
    }
  }, [last, isFollowing]);
  return (
    <div
      ref={scroller}
      className="signals-scroll"
      tabIndex={0}
      role="group"
      aria-label={words.listLabel(rows.length)}
    >
      {onEarlier !== undefined && (
        <button
          type="button"
          className="button is-quiet is-small signals-older"
          onClick={() => void onEarlier()}
        >
          {words.older}
        </button>
      )}
      {rows.length === 0 && <p className="hint">{emptyNote}</p>}
      <ol className="signals-rows" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const { signal } = row;
          const at = new Date(signal.timestamp);
          return (
            <li
              key={key}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <button
                type="button"
                className="signals-row"
                data-kind={signal.type}
                aria-expanded={row.key === openedKey}
                onClick={() => onOpen(row)}
              >
                <time dateTime={at.toISOString()}>{time(signal.timestamp)}</time>
                <code>{signal.type}</code>
                <span className="signals-who">{agentsIn(signal).map(nameOf).join(" ← ")}</span>
                <span className="signals-gist">{gistOf(signal)}</span>
                <span className="signals-source">{signal.source}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** Whoever reads further up stays there: when newer rows come, and when older ones come above. */
function useKeptInSight(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly SignalRow[],
  rowPixels: number,
): EndFollower {
  const [follower] = useState(() => new EndFollower(rowPixels * 2));
  const before = useRef(rows);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const notice = (): void => follower.onScroll(element);
    element.addEventListener("scroll", notice);
    return () => element.removeEventListener("scroll", notice);
  }, [scroller, follower]);
  useLayoutEffect(() => {
    const first = before.current[0]?.key;
    const above = first === undefined ? -1 : rows.findIndex(({ key }) => key === first);
    before.current = rows;
    if (above > 0) scroller.current?.scrollBy(0, above * rowPixels);
  }, [scroller, rows, rowPixels]);
  return follower;
}
