/** The keys of a review. They are heard before those of the list of needs, which means other things by some of them. */
import { useEffect, useRef } from "react";
import { usePreferences } from "../../../app/app.ts";

/** By the key as the browser names it; with Shift, Ctrl or Alt in front where it is held. */
export type ReviewKeys = ReadonlyMap<string, () => void>;

const WRITING = "input, textarea, select, [contenteditable=true]";
const PRESSING = "button, a, summary, [role=button]";

export function useReviewKeys(keys: ReviewKeys): void {
  const hasLetters = usePreferences().shortcuts === "on";
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : document.body;
      const name = nameOf(event);
      // Whoever writes sends what they write, and nothing else, by the same keys.
      if (target.closest(WRITING) !== null) return;
      if (name === "Enter" && target.closest(PRESSING) !== null) return;
      // In a thread or a form the arrows are for what stands there.
      if (name.includes("Arrow") && target.closest(".diff-list") === null) return;
      if (event.key.length === 1 && !hasLetters) return;
      const act = latest.current.get(name);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKeyDown, { capture: true });
    return () => document.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [hasLetters]);
}

function nameOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): string {
  // A sign that is typed with Shift is itself; only a letter is the same with it.
  const isShifted = shiftKey && (key.length > 1 || /[a-z]/i.test(key));
  const held = [...(ctrlKey || metaKey ? ["Ctrl"] : []), ...(altKey ? ["Alt"] : [])];
  const plain = key.length === 1 ? key.toLowerCase() : key;
  return [...held, ...(isShifted ? ["Shift"] : []), plain].join("+");
}
