import type { ReactNode } from "react";
import { useChosen, useShown, useWords } from "../../../shell/house.ts";
import { useCover } from "../covers.ts";

export function PastBanner(): ReactNode {
  const words = useWords();
  const cover = useCover();
  const { language } = useChosen();
  const at = useShown(({ past }) => past?.look.at);
  if (at === undefined) return null;
  return (
    <p ref={cover} className="past-banner" role="status">
      {words.timelinePast(new Date(at).toLocaleTimeString(language))}
    </p>
  );
}
