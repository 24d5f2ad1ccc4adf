import type { ReactNode } from "react";
import { useStore } from "zustand";
import { useApp, useTexts } from "../app/app.ts";
import { IconButton } from "../ui/controls.tsx";

export function NoticeList(): ReactNode {
  const words = useTexts();
  const { notices } = useApp();
  const shown = useStore(notices.store);
  return (
    <div className="notices" role="status" aria-live="polite">
      {shown.map(({ id, text, tone }) => (
        <p key={id} className="notice" data-tone={tone}>
          {text}
          <IconButton label={words.dismiss} onClick={() => notices.dismiss(id)}>
            ×
          </IconButton>
        </p>
      ))}
    </div>
  );
}
