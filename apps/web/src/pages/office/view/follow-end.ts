/** A box that shows its end for as long as one has not scrolled back. */
import { useCallback, useLayoutEffect, useRef, useState, type RefCallback } from "react";

/** So near to the end counts as there. */
const NEAR_PIXELS = 24;

export interface FollowedEnd {
  readonly scroller: RefCallback<HTMLElement>;
  readonly isAtEnd: boolean;
  readonly jump: () => void;
}

/** `content` is another whenever there is more of it. */
export function useFollowEnd(content: unknown): FollowedEnd {
  const element = useRef<HTMLElement>(null);
  const isFollowing = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);
  const jump = useCallback(() => {
    isFollowing.current = true;
    setAtEnd(true);
    if (element.current !== null) element.current.scrollTop = element.current.scrollHeight;
  }, []);
  const scroller = useCallback<RefCallback<HTMLElement>>((found) => {
    element.current = found;
    if (found === null) return undefined;
    const onScroll = (): void => {
      const { scrollHeight, scrollTop, clientHeight } = found;
      isFollowing.current = scrollHeight - scrollTop - clientHeight < NEAR_PIXELS;
      setAtEnd(isFollowing.current);
    };
    found.scrollTop = found.scrollHeight;
    found.addEventListener("scroll", onScroll, { passive: true });
    return () => found.removeEventListener("scroll", onScroll);
  }, []);
  useLayoutEffect(() => {
    if (isFollowing.current && element.current !== null) {
      element.current.scrollTop = element.current.scrollHeight;
    }
  }, [content]);
  return { scroller, isAtEnd, jump };
}
