/** A box that shows its end for as long as one has not scrolled back. */
import { useCallback, useLayoutEffect, useRef, useState, type RefCallback } from "react";
import { EndFollower } from "./end-follower.ts";

const NEAR_PIXELS = 24;

export interface FollowedEnd {
  readonly scroller: RefCallback<HTMLElement>;
  readonly isAtEnd: boolean;
  readonly jump: () => void;
}

/** `content` is another whenever there is more of it. */
export function useFollowEnd(content: unknown): FollowedEnd {
  const element = useRef<HTMLElement>(null);
  const [follower] = useState(() => new EndFollower(NEAR_PIXELS));
  const [isAtEnd, setAtEnd] = useState(true);
  const jump = useCallback(() => {
    follower.resume();
    setAtEnd(true);
    if (element.current !== null) element.current.scrollTop = element.current.scrollHeight;
  }, [follower]);
  const scroller = useCallback<RefCallback<HTMLElement>>(
    (found) => {
      element.current = found;
      if (found === null) return undefined;
      const onScroll = (): void => {
        follower.onScroll(found);
        setAtEnd(follower.isFollowing);
      };
      found.scrollTop = found.scrollHeight;
      found.addEventListener("scroll", onScroll, { passive: true });
      return () => found.removeEventListener("scroll", onScroll);
    },
    [follower],
  );
  useLayoutEffect(() => {
    if (follower.isFollowing && element.current !== null) {
      element.current.scrollTop = element.current.scrollHeight;
    }
  }, [content, follower]);
  return { scroller, isAtEnd, jump };
}
