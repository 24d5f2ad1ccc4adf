import type { ReactNode } from "react";
import { useApp, useTexts } from "../../../app/app.ts";
import { Button } from "../../../ui/controls.tsx";

/** Asks for what happened, and what was said, before what is known. */
export function EarlierButton(): ReactNode {
  const words = useTexts();
  const { world } = useApp();
  return (
    <Button look="small quiet" onClick={() => void world.loadEarlier()}>
      {words.timelineEarlier}
    </Button>
  );
}
