/** Lamps that stand or hang by themselves; desk lamps belong to desks. */
import { INK, SHADE, STEEL } from "./palette.ts";
import { ball, cylinder, lampshade, metal, rod, turned, type Part } from "./shape.ts";

/** Where its light comes from at night: before the shade, or the wall behind it would be white. */
export const FLOOR_LAMP_GLOW = [0, 1.65, 0.4] as const;

export function floorLamp(): Part[] {
  return [
    turned([0, 0, 0.16, 0, 0.16, 0.015, 0.04, 0.04], metal(INK)),
    rod(0.014, 1.35, metal(STEEL, [0, 0.72, 0])),
    turned([0.2, 0, 0.13, 0.28], lampshade(SHADE, [0, 1.36, 0]), 36),
    ball(0.06, lampshade("#fff6df", [0, 1.48, 0])),
    cylinder([0.02, 0.02], 0.03, metal(STEEL, [0, 1.655, 0])),
  ];
}
