/** The time that is shown, in the server's milliseconds; as exactly as it is told. */
import { useEffect, useState } from "react";
import { useShown, useWorld } from "../../shell/house.ts";

export function useNow(tickMs: number): number {
  const lag = useWorld(({ clockLagMs }) => clockLagMs);
  const past = useShown((shown) => shown.past);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return past === null ? now - lag : past.at;
}
