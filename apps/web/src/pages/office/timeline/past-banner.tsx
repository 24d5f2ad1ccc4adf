import type { ReactNode } from "react";
import { useTexts } from "../../../app/app.ts";
import { useClockTime } from "../../../app/clock-time.ts";
import { useCover } from "../view/covers.ts";
import { usePastTime } from "./past-time.ts";

export function PastBanner(): ReactNode {
  const words = useTexts();
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
