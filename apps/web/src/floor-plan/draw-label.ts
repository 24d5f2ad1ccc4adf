/** A label on the plan as a drawing: from the page's pixels to the plan's meters. Pure. */
import type { Spot } from "../office/marks/floor-marks.ts";
import { rectangle, trim, type SvgElement } from "./drawn.ts";
import { PRINT, type PlanLabel, type PlanScale } from "./plan-labels.ts";

export interface DrawnLabel {
  /** The same for what looks the same. */
  readonly key: string;
  readonly drawn: readonly SvgElement[];
}

const NO_LABEL: DrawnLabel = { key: "", drawn: [] };
const CORNER = 6;
const BASELINES = { name: 13, does: 25.5, signature: 37.5 } as const;

/** `head` is whose label it is: what lies between the two belongs to them as well when it is pressed. */
export function drawLabel(label: PlanLabel | undefined, head: Spot, scale: PlanScale): DrawnLabel {
  if (label === undefined) return NO_LABEL;
  const { name, does, signature, box } = label;
  const { left, right, top, bottom } = box;
  const meters = (pixels: number): number => pixels / scale.pixelsPerMeter;
  const [middle, half] = [meters((left + right) / 2), meters((top + bottom) / 2)];
  const line = (which: keyof typeof PRINT, text: string): SvgElement => ({
    name: "text",
    attributes: {
      class: `floor-plan-${which}`,
      x: trim(middle),
      y: trim(meters(top + BASELINES[which])),
      "font-size": trim(meters(PRINT[which])),
    },
    text,
  });
  const sides = [meters(left), meters(top), meters(right - left), meters(bottom - top)] as const;
  const reach: SvgElement = {
    name: "line",
    attributes: {
      class: "floor-plan-reach",
      x1: trim(middle),
      y1: trim(half),
      x2: trim(head.x),
      y2: trim(head.z),
    },
  };
  const drawn = [
    reach,
    rectangle("floor-plan-label", sides, meters(CORNER)),
    line("name", name),
    // A space that is not drawn, so that the two are not one word to those who look for words.
    ...(does === undefined ? [] : [line("does", ` ${does}`)]),
    ...(signature === "" ? [] : [line("signature", ` ${signature}`)]),
  ];
  return { key: JSON.stringify(drawn), drawn };
}
