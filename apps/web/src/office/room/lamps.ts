/** Lamps that stand or hang by themselves; desk lamps belong to desks. */
import { INK, SHADE, STEEL } from "./palette.ts";
import { ball, cylinder, rod, turned, type Part } from "./shape.ts";

/** Where its light comes from at night: before the shade, or the wall behind it would be white. */
export const FLOOR_LAMP_GLOW = [0, 1.65, 0.4] as const;

export function floorLamp(): Part[] {
  return [
    turned(
      [
        [0, 0],
        [0.16, 0],
        [0.16, 0.015],
        [0.04, 0.04],
      ],
      { color: INK, finish: "metal" },
    ),
    rod(0.014, 1.35, { color: STEEL, finish: "metal", at: [0, 0.72, 0] }),
    turned(
      [
        [0.2, 0],
        [0.13, 0.28],
      ],
      { color: SHADE, finish: "lampshade", at: [0, 1.36, 0] },
      36,
    ),
    ball(0.06, { color: "#fff6df", finish: "lampshade", at: [0, 1.48, 0] }),
    cylinder([0.02, 0.02], 0.03, { color: STEEL, finish: "metal", at: [0, 1.655, 0] }),
  ];
}
