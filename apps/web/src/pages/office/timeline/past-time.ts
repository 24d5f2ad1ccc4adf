import { useEffect, useState } from "react";
import { useOffice } from "../../../app/app.ts";
import { timeIn } from "../../../world/time-travel.ts";

const TICK_MS = 250;

/** What the clock of the past shows, going on while it plays; undefined in the present. */
export function usePastTime(): number | undefined {
  const past = useOffice((shown) => shown.past);
  const isPlaying = past !== null && past.playing !== null;
  const [, setTicks] = useState(0);
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
  return past === null ? undefined : timeIn(past, Date.now());
}
