import type { ReactNode } from "react";
import { useChosen, useShown, useWords } from "../../../shell/house.ts";

export function PastBanner(): ReactNode {
  const words = useWords();
  const { language } = useChosen();
  const at = useShown(({ past }) => past?.look.at);
  if (at === undefined) return null;
  return (
    <p className="past-banner" role="status">
      {words.timelinePast(new Date(at).toLocaleTimeString(language))}
    </p>
  );
}
