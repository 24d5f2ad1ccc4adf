/** The rows of the list, held still while someone points into it or has just pressed a key. */
import { useEffect, useReducer, useRef } from "react";
import type { Need } from "./needs.ts";
import { GONE_SHOWN_MS, steadyRows, type Row } from "./steady-rows.ts";

const HELD_AFTER_KEY_MS = 1_500;

export interface StableRows {
  readonly rows: readonly Row[];
  readonly holdProps: { readonly onPointerEnter: () => void; readonly onPointerLeave: () => void };
  /** A key was pressed that is about the list. */
  readonly touch: () => void;
}

export function useRows(needs: readonly Need[]): StableRows {
  const rows = useRef<readonly Row[]>([]);
  const isPointedAt = useRef(false);
  const touchedAt = useRef(-Infinity);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const now = performance.now();
  const isTouched = now - touchedAt.current < HELD_AFTER_KEY_MS;
  const isHeld = isPointedAt.current || isTouched;
  rows.current = steadyRows(rows.current, needs, { isHeld, now });
  const isUnsettled = isTouched || rows.current.some(({ goneAt }) => goneAt !== undefined);
  useEffect(() => {
    if (!isUnsettled) return undefined;
    const timer = setTimeout(redraw, Math.max(GONE_SHOWN_MS, HELD_AFTER_KEY_MS));
    return () => clearTimeout(timer);
  });
  return {
    rows: rows.current,
    holdProps: {
      onPointerEnter: () => void (isPointedAt.current = true),
      onPointerLeave() {
        isPointedAt.current = false;
        redraw();
      },
    },
    touch: () => void (touchedAt.current = performance.now()),
  };
}
