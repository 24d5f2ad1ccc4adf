/** Desks: where one works, on the +z side, with the monitor across. The screen itself is things/monitors.ts. */
import { ACCENT_LIST, INK, NAVY, PAPER, SHADE, STEEL, WOOD } from "./palette.ts";
import {
  ball,
  box,
  cylinder,
  lampshade,
  matte,
  metal,
  rod,
  satin,
  turned,
  wood,
  type Part,
} from "./shape.ts";

const TOP = 0.72;

/** Where the middle of the screen's face is, and how large it is. */
export const SCREEN = { at: [0, 1.13, -0.155], size: [0.72, 0.42], tilt: -6 } as const;
/** The same on the front desk, a laptop that does not hide who sits behind it. */
export const COUNTER_SCREEN = { at: [-0.32, 0.96, -0.02], size: [0.36, 0.23], tilt: -18 } as const;

/** `roll` chooses between the few things that make one desk unlike the next. */
export function desk(roll: number): Part[] {
  const accent = ACCENT_LIST[Math.floor(roll * ACCENT_LIST.length)] ?? NAVY;
  const legs = [-0.66, 0.66].flatMap((x) => [
    rod(0.022, 0.62, metal(STEEL, [x, 0.35, 0.29])),
    rod(0.022, 0.62, metal(STEEL, [x, 0.35, -0.29])),
    rod(0.018, 0.52, metal(STEEL, [x, 0.06, 0], [90, 0, 0])),
  ]);
  return [
    box([1.5, 0.05, 0.75], wood(WOOD.warm, [0, TOP - 0.025, 0]), 0.022),
    ...legs,
    ...drawers(),
    ...monitor(),
    ...keyboard(TOP, 0),
    mug(accent, [-0.5, TOP, 0.12]),
    ...papers([0.47, TOP, 0.12]),
    ...deskLamp([DESK_LAMP_BULB[0], TOP, DESK_LAMP_BULB[2]]),
    ...(roll > 0.5 ? bookPile([0.56, TOP, -0.2], accent) : []),
  ];
}

function drawers(): Part[] {
  return [
    box([0.4, 0.5, 0.52], satin("#f2efe8", [0.44, 0.34, -0.03])),
    ...[0.47, 0.32, 0.17].map((y) =>
      box([0.34, 0.012, 0.02], satin("#b9b4a8", [0.44, y, 0.236]), 0.005),
    ),
  ];
}

function monitor(): Part[] {
  const [x, y, z] = SCREEN.at;
  const turn = [SCREEN.tilt, 0, 0] as const;
  return [
    box([0.78, 0.48, 0.035], satin(INK, [x, y, z - 0.021], turn), 0.016),
    box([0.06, 0.26, 0.03], metal(STEEL, [x, 0.86, z - 0.05]), 0.01),
    box([0.26, 0.015, 0.18], metal(STEEL, [x, TOP + 0.008, z - 0.03])),
  ];
}

function keyboard(top: number, x: number): Part[] {
  return [
    box([0.4, 0.018, 0.14], satin("#eceae4", [x, top + 0.01, 0.2]), 0.008),
    ...[-0.035, 0, 0.035].map((row) =>
      box([0.36, 0.008, 0.024], matte("#c9c6bd", [x, top + 0.021, 0.2 + row]), 0.003),
    ),
    ball(0.03, satin("#eceae4", [x + 0.29, top + 0.012, 0.2]), [0.8, 0.5, 1.2]),
  ];
}

export function mug(color: string, [x, y, z]: readonly [number, number, number]): Part {
  const profile = [0, 0, 0.034, 0, 0.04, 0.01, 0.04, 0.085, 0.034, 0.085, 0.032, 0.02, 0, 0.02];
  return turned(profile, satin(color, [x, y, z]), 16);
}

export function papers([x, y, z]: readonly [number, number, number]): Part[] {
  return [
    box([0.2, 0.006, 0.28], matte(PAPER, [x, y + 0.003, z], [0, 8, 0]), 0.002),
    box([0.2, 0.006, 0.28], matte("#f1ece0", [x + 0.02, y + 0.009, z], [0, -9, 0]), 0.002),
  ];
}

function deskLamp([x, y, z]: readonly [number, number, number]): Part[] {
  const shade = [0.03, 0.12, 0.1, 0];
  return [
    cylinder([0.07, 0.08], 0.02, satin(INK, [x, y + 0.01, z])),
    rod(0.011, 0.3, metal(INK, [x, y + 0.17, z])),
    turned(shade, lampshade(SHADE, [x, y + 0.3, z]), 24),
    ball(0.04, lampshade("#fff6df", [x, y + 0.33, z])),
  ];
}

/** Where the bulb of a desk's lamp is, for the light at night. */
export const DESK_LAMP_BULB = [-0.6, 1.05, -0.22] as const;

function bookPile([x, y, z]: readonly [number, number, number], color: string): Part[] {
  return [
    box([0.2, 0.04, 0.27], matte(color, [x, y + 0.02, z], [0, 6, 0]), 0.008),
    box([0.19, 0.035, 0.25], matte(PAPER, [x, y + 0.058, z], [0, -8, 0]), 0.008),
    box([0.18, 0.035, 0.24], matte(NAVY, [x, y + 0.093, z], [0, 12, 0]), 0.008),
  ];
}

/** The front desk: a counter whose back, where visitors stand, is closed. */
export function counter(): Part[] {
  const [x, y, z] = COUNTER_SCREEN.at;
  const turn = [COUNTER_SCREEN.tilt, 0, 0] as const;
  return [
    box([1.5, 0.72, 0.06], satin(NAVY, [0, 0.38, -0.33]), 0.02),
    ...[-0.72, 0.72].map((side) => box([0.06, 0.72, 0.66], satin(NAVY, [side, 0.38, 0]), 0.02)),
    ...[-0.45, 0, 0.45].map((at) =>
      box([0.36, 0.5, 0.02], satin("#2a5d7d", [at, 0.39, -0.362]), 0.01),
    ),
    box([1.46, 0.06, 0.7], wood(WOOD.deep, [0, 0.03, 0]), 0.02),
    box([1.62, 0.06, 0.82], wood(WOOD.warm, [0, 0.78, 0]), 0.028),
    box([0.4, 0.26, 0.02], metal("#c9ccd0", [x, y, z - 0.014], turn), 0.009),
    box([0.4, 0.016, 0.26], metal("#c9ccd0", [x, 0.82, z + 0.16]), 0.007),
    box([0.34, 0.006, 0.12], matte(INK, [x, 0.83, z + 0.14]), 0.002),
    box([0.3, 0.018, 0.22], matte("#f4c64a", [0.36, 0.818, -0.12], [0, 14, 0]), 0.006),
    ball(0.05, metal("#f2b632", [0.06, 0.83, -0.26]), [1, 0.75, 1]),
    ball(0.012, metal("#f2b632", [0.06, 0.875, -0.26])),
  ];
}
