import type { ReactNode } from "react";
import { useApp, useTexts } from "../../../app/app.ts";

/** Asks for what happened, and what was said, before what is known. */
export function EarlierButton(): ReactNode {
  const words = useTexts();
  const { world } = useApp();
  return (
    <button
      type="button"
      className="button is-small is-quiet"
      onClick={() => void world.loadEarlier()}
    >
      {words.timelineEarlier}
    </button>
  );
}
