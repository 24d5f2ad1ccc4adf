import type { ReactNode } from "react";
import { useClockTime } from "../../../shell/clock-time.ts";
import { useWords } from "../../../shell/house.ts";
import { useCover } from "../covers.ts";
import { usePastTime } from "./past-time.ts";

export function PastBanner(): ReactNode {
  const words = useWords();
  const cover = useCover();
  const time = useClockTime();
  const at = usePastTime();
  if (at === undefined) return null;
  return (
    <p ref={cover} className="past-banner" role="status">
      {words.timelinePast(time(at))}
    </p>
  );
}
