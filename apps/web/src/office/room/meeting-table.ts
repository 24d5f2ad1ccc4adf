/** The round table, with what a meeting leaves on it. */
import { mug, papers } from "./desk.ts";
import { ACCENTS, INK, WOOD } from "./palette.ts";
import { placed, satin, turned, wood, type Part } from "./shape.ts";

const TOP = 0.74;

export function meetingTable(radius: number): Part[] {
  const edge = [
    0,
    0,
    radius - 0.05,
    0,
    radius - 0.01,
    0.015,
    radius,
    0.035,
    radius - 0.01,
    0.055,
    radius - 0.04,
    0.065,
    0,
    0.065,
  ];
  const foot = [
    0,
    0,
    0.42,
    0,
    0.42,
    0.025,
    0.14,
    0.07,
    0.09,
    0.14,
    0.08,
    TOP - 0.1,
    0.2,
    TOP - 0.06,
  ];
  const sheets = [20, 145, 262].flatMap((angle) => {
    const at = [
      Math.sin((angle * Math.PI) / 180) * 0.5,
      TOP,
      Math.cos((angle * Math.PI) / 180) * 0.5,
    ] as const;
    return placed(papers([0, 0, 0]), at, [0, angle, 0]);
  });
  return [
    turned(foot, satin(INK), 40),
    turned(edge, wood(WOOD.warm, [0, TOP - 0.065, 0]), 72),
    ...sheets,
    mug(ACCENTS.coral, [0.28, TOP, -0.4]),
    mug(ACCENTS.teal, [-0.52, TOP, 0.18]),
  ];
}
