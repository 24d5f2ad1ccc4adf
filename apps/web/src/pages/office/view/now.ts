/** The time that is shown, in the server's milliseconds; as exactly as it is told. */
import { useEffect, useState } from "react";
import { useOffice, useWorld } from "../../../app/app.ts";
import { timeIn } from "../../../world/time-travel.ts";

/** While the past plays, minutes go by in seconds. */
const PLAYING_TICK_MS = 250;

export function useNow(tickMs: number): number {
  const lag = useWorld(({ clockLagMs }) => clockLagMs);
  const past = useOffice((shown) => shown.past);
  const [now, setNow] = useState(() => Date.now());
  const since = past?.playing?.sinceMs;
  const everyMs = since === undefined ? tickMs : Math.min(tickMs, PLAYING_TICK_MS);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  // It may have begun to play after the last tick.
  return past === null ? now - lag : timeIn(past, Math.max(now, since ?? now));
}
