/** Lines chosen by pressing a number, or by drawing along several. */
import { useRef, useState, type PointerEvent } from "react";
import type { LineRange } from "./line-range.ts";

export interface GutterDrag {
  readonly range: LineRange | undefined;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: () => void;
    readonly onPointerCancel: () => void;
  };
}

export function useGutterDrag(onChosen: (range: LineRange) => void): GutterDrag {
  const [range, setRange] = useState<LineRange>();
  const start = useRef<LineRange>(undefined);
  const end = (): void => {
    start.current = undefined;
    setRange(undefined);
  };
  return {
    range,
    handlers: {
      onPointerDown(event) {
        const place = event.button === 0 ? placeOf(event.target) : undefined;
        if (place === undefined) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = place;
        setRange(place);
      },
      onPointerMove({ clientX, clientY }) {
        const from = start.current;
        if (from === undefined) return;
        const row = document.elementFromPoint(clientX, clientY)?.closest("[role=row]");
        const cell = row?.querySelector(`[data-side=${from.side}][data-line]`);
        const to = placeOf(cell ?? null);
        if (to === undefined || to.path !== from.path) return;
        setRange({
          ...from,
          line: Math.min(from.line, to.line),
          endLine: Math.max(from.line, to.line),
        });
      },
      onPointerUp() {
        const chosen = range;
        const isDragging = start.current !== undefined;
        end();
        if (isDragging && chosen !== undefined) onChosen(chosen);
      },
      onPointerCancel: end,
    },
  };
}

function placeOf(target: EventTarget | null): LineRange | undefined {
  const cell = target instanceof Element ? target.closest("[data-line]") : null;
  const path = cell?.getAttribute("data-path");
  const side = cell?.getAttribute("data-side");
  if (path === null || path === undefined || (side !== "old" && side !== "new")) return undefined;
  const line = Number(cell?.getAttribute("data-line"));
  return { path, side, line, endLine: line };
}
