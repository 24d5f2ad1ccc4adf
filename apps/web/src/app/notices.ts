/** Short words about what has just been done or refused; said politely, and gone after a while. */
import { createStore, type StoreApi } from "zustand/vanilla";

export interface Notice {
  readonly id: number;
  readonly tone: "said" | "refused";
  readonly text: string;
}

export interface Notices {
  readonly store: StoreApi<readonly Notice[]>;
  say(text: string, tone?: Notice["tone"]): void;
  dismiss(id: number): void;
}

/** What went well is read at a glance; what did not has to be understood. */
const SHOWN_MS = { said: 3_500, refused: 9_000 } as const;
const MAX_NOTICES = 3;

export function createNotices(later: (run: () => void, delayMs: number) => void): Notices {
  const store = createStore<readonly Notice[]>(() => []);
  let last = 0;
  const dismiss = (id: number): void =>
    store.setState((notices) => notices.filter((notice) => notice.id !== id), true);
  return {
    store,
    say(text, tone = "said") {
      last += 1;
      const notice = { id: last, tone, text };
      // Said again, it takes the place of what was said before.
      const others = store.getState().filter((each) => each.text !== text || each.tone !== tone);
      store.setState([...others, notice].slice(-MAX_NOTICES), true);
      later(() => dismiss(notice.id), SHOWN_MS[tone]);
    },
    dismiss,
  };
}
