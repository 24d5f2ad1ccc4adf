/** One thing that happened. Scrolling changes none of it, so that only rows that come into sight are made. */
import { memo, type ReactNode, type RefCallback } from "react";
import type { Texts } from "../../../i18n/texts.ts";
import type { Moment } from "../../../world/moments.ts";
import { sentenceOf, type Names } from "../text/event-text.ts";

export interface TimelineRowProps {
  readonly moment: Moment;
  readonly time: (at: number) => string;
  readonly names: Names;
  readonly index: number;
  readonly count: number;
  readonly start: number;
  readonly isShown: boolean;
  readonly measure: RefCallback<Element>;
  readonly words: Texts;
  readonly onGo: (seq: number) => void;
}

export const TimelineRow = memo(function TimelineRow(props: TimelineRowProps): ReactNode {
  const { moment, time, names, index, count, start, isShown, measure, words, onGo } = props;
  return (
    <li
      ref={measure}
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      className="timeline-row"
      style={{ transform: `translateY(${start}px)` }}
    >
      <button
        type="button"
        data-kind={moment.event.name}
        aria-current={isShown || undefined}
        onClick={() => onGo(moment.seq)}
      >
        <time dateTime={new Date(moment.at).toISOString()}>{time(moment.at)}</time>
        <span>{sentenceOf(moment.event, names, words)}</span>
      </button>
    </li>
  );
});
