import { useEffect, useRef, type RefObject } from "react";

/** What waits for a person is where they look, when it appears. */
export function useBroughtIntoView<Element extends HTMLElement>(): RefObject<Element | null> {
  const ref = useRef<Element>(null);
  useEffect(() => {
    // What newer browsers return from it is no clean-up.
    ref.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return ref;
}
