/** The clock of the office: drag it back and everything shows that moment; let it play on, or return to live. */
import { useState, type ReactNode } from "react";
import { useApp, useOffice, useTexts, useWorld } from "../../../app/app.ts";
import { useClockTime } from "../../../app/clock-time.ts";
import { Button } from "../../../ui/controls.tsx";
import { SPEEDS, shownIndex, type Speed } from "../../../world/time-travel.ts";
import { usePastTime } from "./past-time.ts";

export function Scrubber(): ReactNode {
  const words = useTexts();
  const clock = useClockTime();
  const pastTime = usePastTime();
  const { travel } = useApp();
  const timeline = useWorld((view) => view.timeline);
  const past = useOffice((shown) => shown.past);
  const isConnected = useWorld(({ status }) => status.state === "connected");
  const [speed, setSpeed] = useState<Speed>(20);
  if (timeline.length < 2) return null;
  const last = timeline.length - 1;
  const at = Math.max(0, shownIndex(timeline, past, Date.now()));
  const isPlaying = past !== null && past.playing !== null;
  const changeSpeed = (next: Speed): void => {
    setSpeed(next);
    if (isPlaying) travel.play(next);
  };
  const present = isConnected ? words.timelineLive : words.timelineNotLive;
  const time = pastTime === undefined ? present : clock(pastTime);
  return (
    <div className="scrubber" data-past={past !== null}>
      <input
        type="range"
        aria-label={words.timelineSlider}
        aria-valuetext={time}
        min={0}
        max={last}
        value={at}
        onChange={({ target }) => {
          const moment = timeline[Number(target.value)];
          if (moment === timeline[last]) travel.returnToLive();
          else if (moment !== undefined) void travel.goTo(moment.seq);
        }}
      />
      {past === null ? (
        <span className="scrubber-time" data-live={isConnected || undefined}>
          {present}
        </span>
      ) : (
        <>
          <span className="scrubber-time">{time}</span>
          <Button look="small" onClick={() => (isPlaying ? travel.pause() : travel.play(speed))}>
            {isPlaying ? words.pause : words.timelinePlay}
          </Button>
          <select
            aria-label={words.timelineSpeed}
            value={speed}
            onChange={({ target }) =>
              changeSpeed(SPEEDS.find((each) => each === Number(target.value)) ?? 1)
            }
          >
            {SPEEDS.map((each) => (
              <option key={each} value={each}>{`${each}×`}</option>
            ))}
          </select>
          <Button look="small primary" onClick={() => travel.returnToLive()}>
            {words.timelineBack}
          </Button>
        </>
      )}
    </div>
  );
}
