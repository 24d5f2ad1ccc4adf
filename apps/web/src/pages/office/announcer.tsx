/** Says politely what a look at the office would have told: what now needs a person, and what was finished. */
import type { WorldEventName } from "@atrium/wire/world";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useOffice, useTexts, useWorld } from "../../app/app.ts";
import { useNamedPings } from "./pointing/marks.ts";
import { namesIn, sentenceOf } from "./text/event-text.ts";

const WORTH_SAYING: ReadonlySet<WorldEventName> = new Set([
  "kickoff_finished",
  "decision_requested",
  "review_requested",
  "task_failed",
  "change_conflicted",
  "landing_failed",
  "revert_failed",
  "update_failed",
  "project_delivered",
  "project_paused",
  "project_failed",
  "project_completed",
]);

export function Announcer(): ReactNode {
  return (
    <>
      <WorkAnnouncer />
      <PingAnnouncer />
    </>
  );
}

/** Where someone points. */
function PingAnnouncer(): ReactNode {
  const words = useTexts();
  const named = useNamedPings();
  const text = named.map(({ name, place }) => words.pointsAt(name, place)).join(". ");
  return (
    <p className="visually-hidden" role="status" aria-live="polite" data-announces="pings">
      {text}
    </p>
  );
}

function WorkAnnouncer(): ReactNode {
  const words = useTexts();
  const timeline = useWorld((view) => view.timeline);
  const snapshot = useOffice((shown) => shown.snapshot);
  const announcedSeq = useRef<number>(undefined);
  const [text, setText] = useState("");
  useEffect(() => {
    const last = timeline.at(-1)?.seq;
    const since = announcedSeq.current ?? last;
    announcedSeq.current = last;
    if (since === undefined) return;
    const known = timeline.findLastIndex(({ seq }) => seq <= since);
    const news = timeline.slice(known + 1).filter(({ event }) => WORTH_SAYING.has(event.name));
    if (news.length === 0) return;
    const names = namesIn(snapshot);
    setText(news.map(({ event }) => sentenceOf(event, names, words)).join(". "));
  }, [timeline, snapshot, words]);
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {text}
    </p>
  );
}
