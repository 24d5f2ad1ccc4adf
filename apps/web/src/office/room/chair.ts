/** What people sit on: office chairs, stools, poufs. Facing +z; the seat is at SEAT_HEIGHT. */
import { INK, NAVY, STEEL } from "./palette.ts";
import { box, cylinder, matte, metal, ring, rod, satin, turned, type Part } from "./shape.ts";

export const SEAT_HEIGHT = 0.46;

export function officeChair(): Part[] {
  const spokes = [0, 72, 144, 216, 288].flatMap((angle) => {
    const x = Math.sin((angle * Math.PI) / 180) * 0.13;
    const z = Math.cos((angle * Math.PI) / 180) * 0.13;
    return [
      box([0.05, 0.035, 0.26], satin(INK, [x, 0.07, z], [0, angle, 0]), 0.012),
      cylinder([0.03, 0.03], 0.03, satin(INK, [x * 1.9, 0.03, z * 1.9], [90, angle, 0])),
    ];
  });
  return [
    ...spokes,
    cylinder([0.025, 0.03], 0.3, metal(STEEL, [0, 0.24, 0])),
    box([0.48, 0.09, 0.46], matte(NAVY, [0, SEAT_HEIGHT - 0.05, 0.01]), 0.042),
    box([0.05, 0.2, 0.03], satin(INK, [0, 0.5, -0.24]), 0.012),
    box([0.44, 0.44, 0.07], matte(NAVY, [0, 0.76, -0.245], [-8, 0, 0]), 0.034),
  ];
}

export function stool(color: string): Part[] {
  const foot = [0, 0, 0.17, 0, 0.165, 0.03, 0.06, 0.12, 0.05, 0.36, 0.12, 0.4];
  return [
    turned(foot, satin(INK), 24),
    turned(
      [0, 0, 0.2, 0, 0.215, 0.02, 0.215, 0.05, 0.2, 0.07, 0, 0.07],
      matte(color, [0, 0.39, 0]),
    ),
  ];
}

export function pouf(color: string): Part[] {
  const outline = [0, 0, 0.2, 0, 0.27, 0.06, 0.29, 0.2, 0.27, 0.34, 0.2, 0.4, 0, 0.41];
  return [
    turned(outline, { color }, 36),
    ring(0.2, 0.012, matte("#ffffff", [0, 0.4, 0], [90, 0, 0])),
    rod(0.02, 0.01, matte("#ffffff", [0, 0.41, 0])),
  ];
}
