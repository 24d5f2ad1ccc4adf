/** A box that shows its end for as long as one has not scrolled back. */
import { useCallback, useLayoutEffect, useRef, useState, type RefCallback } from "react";
import { EndFollower } from "./end-follower.ts";

const NEAR_PIXELS = 24;

export interface FollowedEnd {
  readonly scroller: RefCallback<HTMLElement>;
  readonly isAtEnd: boolean;
  readonly jump: () => void;
}

/** Some of `content` is another whenever there is more of it. */
export function useFollowEnd(...content: readonly unknown[]): FollowedEnd {
  const element = useRef<HTMLElement>(null);
  const [follower] = useState(() => new EndFollower(NEAR_PIXELS));
  const [isAtEnd, setAtEnd] = useState(true);
  const follow = useCallback(() => {
    const box = element.current;
    if (box === null) return;
    // Whoever has just scrolled back counts, although the event of it is still to come.
    follower.onScroll(box);
    if (!follower.isFollowing) return;
    box.scrollTop = box.scrollHeight;
    follower.onScroll(box);
  }, [follower]);
  const jump = useCallback(() => {
    follower.resume();
    setAtEnd(true);
    follow();
  }, [follower, follow]);
  const scroller = useCallback<RefCallback<HTMLElement>>(
    (found) => {
      element.current = found;
      if (found === null) return undefined;
      const onScroll = (): void => {
        follower.onScroll(found);
        setAtEnd(follower.isFollowing);
      };
      // A smaller window, or a phone's keyboard, hides no end.
      const sizes = new ResizeObserver(follow);
      sizes.observe(found);
      follow();
      found.addEventListener("scroll", onScroll, { passive: true });
      return () => {
        sizes.disconnect();
        found.removeEventListener("scroll", onScroll);
      };
    },
    [follower, follow],
  );
  useLayoutEffect(follow, [follow, ...content]);
  return { scroller, isAtEnd, jump };
}
