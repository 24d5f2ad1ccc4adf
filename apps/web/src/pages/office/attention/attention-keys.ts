/** The keys of the attention queue. They keep out of the way of whatever has a use for them: fields, and pressed buttons. */
import { useEffect, useRef } from "react";

export interface AttentionKeys {
  readonly onNext: () => void;
  readonly onOpen: () => void;
  /** A letter or a digit. */
  readonly onKey: (key: string) => void;
}

const WRITING = "input, textarea, select, [contenteditable=true]";
const PRESSING =
  "button, a, [role=button], [role=slider], [role=row], [role=gridcell], [role=option], summary";

export function useAttentionKeys(isOn: boolean, keys: AttentionKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (!isOn) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (target.closest(WRITING) !== null) return;
      const isPressing = target.closest(PRESSING) !== null;
      if (event.key === " " && !isPressing) {
        event.preventDefault();
        latest.current.onNext();
      } else if (event.key === "Enter" && !isPressing) latest.current.onOpen();
      else if (/^[yn1-9]$/i.test(event.key)) latest.current.onKey(event.key.toUpperCase());
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isOn]);
}
