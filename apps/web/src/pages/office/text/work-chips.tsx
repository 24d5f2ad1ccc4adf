import type { WorldTask } from "@atrium/wire/world";
import type { ReactNode } from "react";
import { useOffice, useTexts } from "../../../app/app.ts";
import { Chip } from "../../../ui/controls.tsx";
import { workNotes } from "./work-notes.ts";

/** What a task waits for, its checks, and whether its change is merged. */
export function WorkChips({ task }: { readonly task: WorldTask }): ReactNode {
  const words = useTexts();
  const snapshot = useOffice((shown) => shown.snapshot);
  const notes = snapshot === null ? [] : workNotes(task, snapshot, words);
  return notes.map(({ text, tone }) => (
    <Chip key={text} tone={tone}>
      {text}
    </Chip>
  ));
}
