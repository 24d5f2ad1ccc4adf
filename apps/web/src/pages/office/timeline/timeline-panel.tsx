/** Everything that happened, newest at the end; only what is in view is in the page. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, type ReactNode } from "react";
import { useChosen, useHouse, useShown, useWords, useWorld } from "../../../shell/house.ts";
import { namesIn, sentenceOf } from "../event-words.ts";

const ROW_PIXELS = 54;

export function TimelinePanel(): ReactNode {
  const words = useWords();
  const { language } = useChosen();
  const { travel, world } = useHouse();
  const timeline = useWorld((view) => view.timeline);
  const hasEarlier = useWorld((view) => view.hasEarlier);
  const live = useWorld((view) => view.snapshot);
  const shownSeq = useShown(({ past }) => past?.look.seq);
  const names = useMemo(() => namesIn(live), [live]);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: timeline.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    getItemKey: (at) => timeline[at]?.seq ?? at,
    overscan: 8,
  });
  const last = timeline.length - 1;
  const isPast = shownSeq !== undefined;
  useEffect(() => {
    if (!isPast && last >= 0) rows.scrollToIndex(last, { align: "end" });
  }, [rows, last, isPast]);
  if (timeline.length === 0) return <p className="hint">{words.timelineEmpty}</p>;
  return (
    <div className="timeline">
      {hasEarlier && (
        <button
          type="button"
          className="button is-small is-quiet"
          onClick={() => void world.loadEarlier()}
        >
          {words.timelineEarlier}
        </button>
      )}
      <div
        ref={scroller}
        className="timeline-scroll"
        tabIndex={0}
        role="group"
        aria-label={words.timelineTitle}
      >
        <ol className="timeline-rows" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const moment = timeline[index];
            if (moment === undefined) return null;
            const time = new Date(moment.at).toLocaleTimeString(language);
            return (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                aria-setsize={timeline.length}
                aria-posinset={index + 1}
                className="timeline-row"
                style={{ transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  data-kind={moment.event.name}
                  aria-current={moment.seq === shownSeq || undefined}
                  onClick={() => void travel.goTo(moment.seq)}
                >
                  <time dateTime={new Date(moment.at).toISOString()}>{time}</time>
                  <span>{sentenceOf(moment.event, names, words)}</span>
                </button>
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}
