/** A label on the plan as a drawing: from the page's pixels to the plan's meters. Pure. */
import { rectangle, trim, type Drawn } from "./drawn.ts";
import { PRINT, type PlanLabel, type PlanScale } from "./plan-labels.ts";

export interface DrawnLabel {
  /** The same for what looks the same. */
  readonly key: string;
  readonly drawn: readonly Drawn[];
}

const NO_LABEL: DrawnLabel = { key: "", drawn: [] };
const CORNER = 6;
const BASELINES = { name: 13, does: 25.5 } as const;

export function drawLabel(label: PlanLabel | undefined, scale: PlanScale): DrawnLabel {
  if (label === undefined) return NO_LABEL;
  const { name, does, box } = label;
  const { left, right, top, bottom } = box;
  const meters = (pixels: number): number => pixels / scale.pixelsPerMeter;
  const line = (which: keyof typeof PRINT, text: string): Drawn => ({
    name: "text",
    attributes: {
      class: `floor-plan-${which}`,
      x: trim(meters((left + right) / 2)),
      y: trim(meters(top + BASELINES[which])),
      "font-size": trim(meters(PRINT[which])),
    },
    text,
  });
  const sides = [meters(left), meters(top), meters(right - left), meters(bottom - top)] as const;
  const drawn = [
    rectangle("floor-plan-label", sides, meters(CORNER)),
    line("name", name),
    ...(does === undefined ? [] : [line("does", does)]),
  ];
  return { key: JSON.stringify(drawn), drawn };
}
