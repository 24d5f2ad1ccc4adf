/** Everything that happened, newest at the end; only what is in view is in the page. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useApp, useOffice, useTexts, useWorld } from "../../../app/app.ts";
import { useClockTime } from "../../../app/clock-time.ts";
import { EndFollower } from "../../../ui/end-follower.ts";
import { foldProgress } from "../../../world/moments.ts";
import { shownIndex } from "../../../world/time-travel.ts";
import { namesIn } from "../text/event-text.ts";
import { EarlierButton } from "./earlier-button.tsx";
import { usePastTime } from "./past-time.ts";
import { TimelineRow } from "./timeline-row.tsx";

const ROW_PIXELS = 54;

export function TimelinePanel(): ReactNode {
  const words = useTexts();
  const time = useClockTime();
  const { travel } = useApp();
  const goTo = useCallback((seq: number) => void travel.goTo(seq), [travel]);
  const known = useWorld((view) => view.timeline);
  const timeline = useMemo(() => foldProgress(known), [known]);
  const hasEarlier = useWorld((view) => view.hasEarlier);
  const live = useWorld((view) => view.snapshot);
  const past = useOffice((shown) => shown.past);
  const isPast = usePastTime() !== undefined;
  const shownAt = shownIndex(timeline, past, Date.now());
  const names = useMemo(() => namesIn(live), [live]);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: timeline.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    getItemKey: (at) => timeline[at]?.seq ?? at,
    overscan: 5,
  });
  const [follower] = useState(() => new EndFollower(ROW_PIXELS));
  // Whoever comes back from the past comes to the newest.
  useEffect(() => follower.resume(), [follower, isPast]);
  const height = rows.getTotalSize();
  // The moment that is shown is in the list; whoever pressed it there finds it where it was, and whoever has scrolled
  // back to read is not pulled to what has just happened. Rows that turn out higher push nothing out of sight.
  useEffect(() => {
    if (shownAt < 0 || (!isPast && !follower.isFollowing)) return;
    rows.scrollToIndex(shownAt, { align: isPast ? "auto" : "end" });
  }, [rows, shownAt, isPast, follower, isPast ? 0 : height]);
  if (timeline.length === 0) return <p className="hint">{words.timelineEmpty}</p>;
  return (
    <div className="timeline">
      {hasEarlier && <EarlierButton />}
      <div
        ref={scroller}
        className="timeline-scroll"
        onScroll={({ currentTarget }) => follower.onScroll(currentTarget)}
        tabIndex={0}
        role="group"
        aria-label={words.views.timeline}
      >
        <ol className="timeline-rows" style={{ height }}>
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const moment = timeline[index];
            if (moment === undefined) return null;
            return (
              <TimelineRow
                key={key}
                moment={moment}
                time={time}
                names={names}
                index={index}
                count={timeline.length}
                start={start}
                isShown={isPast && index === shownAt}
                measure={rows.measureElement}
                words={words}
                onGo={goTo}
              />
            );
          })}
        </ol>
      </div>
    </div>
  );
}
