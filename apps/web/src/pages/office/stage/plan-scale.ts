/** How large the floor plan is on the page, and how wide text is on it. */
import type { FloorPlan } from "../../../floor-plan/floor-plan.ts";
import { PRINT, type PlanScale } from "../../../floor-plan/plan-labels.ts";

const WEIGHTS = { name: 600, does: 400, signature: 400 } as const;

/** Tells when the plan has another size, until the signal ends it. */
export function watchPlanScale(
  plan: HTMLElement,
  [wide, deep]: FloorPlan["size"],
  changed: () => void,
  signal: AbortSignal,
): { now(): PlanScale } {
  const widthOf = createRuler(plan);
  const look = (): PlanScale => {
    const pixelsPerMeter = Math.min(plan.clientWidth / wide, plan.clientHeight / deep);
    return { pixelsPerMeter: Math.max(pixelsPerMeter, 1), widthOf };
  };
  let scale = look();
  const observer = new ResizeObserver(() => {
    scale = look();
    changed();
  });
  observer.observe(plan);
  signal.addEventListener("abort", () => observer.disconnect());
  return { now: () => scale };
}

/** In the letters of the page. */
function createRuler(near: Element): PlanScale["widthOf"] {
  const context = document.createElement("canvas").getContext("2d");
  const { fontFamily } = getComputedStyle(near);
  const known = new Map<string, number>();
  return (text, line) => {
    const key = `${line} ${text}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    if (context !== null) context.font = `${WEIGHTS[line]} ${PRINT[line]}px ${fontFamily}`;
    const width = context?.measureText(text).width ?? text.length * PRINT[line] * 0.6;
    known.set(key, width);
    return width;
  };
}
