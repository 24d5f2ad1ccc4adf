/** The lines of a plan on the meeting table; the plan itself is read elsewhere, so this is for the eye alone. Pure. */
import type { OpenPlan } from "../office/state/open-plan.ts";
import { rectangle, trim, type SvgElement } from "./drawn.ts";
import type { PlanScale } from "./plan-labels.ts";

const PRINT = 10.5;
const LINE = 15;
const PADDING = 8;

export function drawPlanCard(
  { lines, table }: OpenPlan,
  [planWidth]: readonly [width: number, depth: number],
  { pixelsPerMeter, widthOf }: PlanScale,
): SvgElement {
  const meters = (pixels: number): number => pixels / pixelsPerMeter;
  const width = meters(Math.max(...lines.map((line) => widthOf(line, "does"))) + PADDING * 2);
  const height = meters(lines.length * LINE + PADDING * 2 - (LINE - PRINT));
  const [x, , z] = table.pos;
  // Beside the table rather than beyond the edge.
  const left = Math.max(-planWidth / 2, Math.min(x - width / 2, planWidth / 2 - width));
  const top = z - height / 2;
  return {
    name: "g",
    attributes: { class: "floor-plan-card", "aria-hidden": "true" },
    children: [
      rectangle("floor-plan-card-sheet", [left, top, width, height], meters(5)),
      ...lines.map((line, at) => ({
        name: "text",
        attributes: {
          class: "floor-plan-card-line",
          x: trim(left + meters(PADDING)),
          y: trim(top + meters(PADDING + PRINT * 0.85 + at * LINE)),
          "font-size": trim(meters(PRINT)),
        },
        text: line,
      })),
    ],
  };
}
