import type { ReactNode } from "react";
import { useStore } from "zustand";
import { useApp, useTexts } from "../app/app.ts";

export function NoticeList(): ReactNode {
  const words = useTexts();
  const { notices } = useApp();
  const shown = useStore(notices.store);
  return (
    <div className="notices" role="status" aria-live="polite">
      {shown.map(({ id, text, tone }) => (
        <p key={id} className="notice" data-tone={tone}>
          {text}
          <button
            type="button"
            className="icon-button"
            aria-label={words.dismiss}
            onClick={() => notices.dismiss(id)}
          >
            ×
          </button>
        </p>
      ))}
    </div>
  );
}
