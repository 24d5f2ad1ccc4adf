/** Keeps what is chosen in the list in sight, and says whether a person sees it: nobody answers what they cannot see. */
import { useLayoutEffect, useRef, type RefObject } from "react";
import { useRoute } from "../../../app/app.ts";
import { showOf } from "../view/view.ts";
import { viewOf } from "./answers.ts";
import type { Need } from "./needs.ts";

export interface Sight {
  readonly list: RefObject<HTMLUListElement | null>;
  /** Whether a person sees what is chosen; if it is out of sight in its list, it is brought back. */
  isSeen(): boolean;
}

export function useChosenInSight(chosen: Need | undefined, order: string): Sight {
  const list = useRef<HTMLUListElement>(null);
  const { show } = useRoute();
  const id = chosen?.id;
  const isOpen = chosen !== undefined && show === showOf(viewOf(chosen));
  const find = (): Element | null | undefined => list.current?.querySelector("[data-chosen=true]");
  const placed = useRef<{ readonly id: string | undefined; readonly top: number }>(undefined);
  // Also when the list has changed around it, unless the person has scrolled elsewhere since.
  useLayoutEffect(() => {
    const top = list.current?.scrollTop ?? 0;
    const isLeft = placed.current?.id === id && placed.current?.top !== top;
    if (id === undefined || isLeft) return;
    find()?.scrollIntoView({ block: "nearest" });
    placed.current = { id, top: list.current?.scrollTop ?? 0 };
  }, [id, order]);
  return {
    list,
    isSeen() {
      // In a small window the panel covers the list.
      if (isOpen || isInSight(find()?.querySelector(".need-title"))) return true;
      find()?.scrollIntoView({ block: "nearest" });
      placed.current = { id, top: list.current?.scrollTop ?? 0 };
      return false;
    },
  };
}

/** It is in the part of its list that shows, and nothing lies over it. */
function isInSight(element: Element | null | undefined): boolean {
  if (element === null || element === undefined) return false;
  const { left, top, width, height } = element.getBoundingClientRect();
  const at = element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
  return at !== null && element.contains(at);
}
