/** The sofa corner and the coffee corner. */
import { mug } from "./desk.ts";
import { ACCENTS, INK, PAPER, STEEL, TRIM, WOOD } from "./palette.ts";
import { ball, box, cylinder, matte, metal, rod, satin, turned, wood, type Part } from "./shape.ts";

const SOFA_SEAT_HEIGHT = 0.42;

export function sofa(width: number): Part[] {
  const color = ACCENTS.coral;
  const seats = 3;
  const room = width - 0.4;
  const cushions = Array.from({ length: seats }, (_, at) => {
    const x = (at - (seats - 1) / 2) * (room / seats);
    return [
      box(
        [room / seats - 0.015, 0.17, 0.62],
        matte("#ea6240", [x, SOFA_SEAT_HEIGHT - 0.08, 0.1]),
        0.065,
      ),
      box([room / seats - 0.02, 0.38, 0.2], matte("#ea6240", [x, 0.6, -0.24], [-10, 0, 0]), 0.09),
    ];
  });
  return [
    box([width - 0.06, 0.22, 0.84], matte(color, [0, 0.2, 0.02]), 0.07),
    box([width - 0.1, 0.66, 0.22], matte(color, [0, 0.45, -0.38], [-5, 0, 0]), 0.1),
    ...[-1, 1].map((side) =>
      box([0.22, 0.5, 0.86], matte(color, [side * (width / 2 - 0.11), 0.36, 0.02]), 0.1),
    ),
    ...cushions.flat(),
    box(
      [0.36, 0.34, 0.13],
      matte(ACCENTS.mustard, [-width / 2 + 0.42, 0.58, -0.06], [-18, 24, 6]),
      0.06,
    ),
    box(
      [0.32, 0.3, 0.12],
      matte(ACCENTS.teal, [width / 2 - 0.42, 0.57, -0.06], [-18, -20, -8]),
      0.055,
    ),
    ...[-1, 1].flatMap((x) =>
      [-1, 1].map((z) =>
        cylinder([0.025, 0.02], 0.1, matte(WOOD.deep, [x * (width / 2 - 0.15), 0.05, z * 0.34])),
      ),
    ),
  ];
}

export function coffeeTable(radius: number): Part[] {
  const top = [0, 0, radius - 0.03, 0, radius, 0.02, radius, 0.035, radius - 0.02, 0.05, 0, 0.05];
  return [
    turned(top, wood(WOOD.warm, [0, 0.36, 0]), 48),
    ...[0, 120, 240].map((angle) => {
      const x = Math.sin((angle * Math.PI) / 180) * radius * 0.55;
      const z = Math.cos((angle * Math.PI) / 180) * radius * 0.55;
      return rod(0.022, 0.34, satin(INK, [x, 0.18, z], [0, 0, 0]));
    }),
    box([0.24, 0.02, 0.3], matte(ACCENTS.blue, [0.12, 0.42, 0.1], [0, 28, 0]), 0.006),
    box([0.2, 0.02, 0.26], matte(PAPER, [0.13, 0.44, 0.09], [0, 12, 0]), 0.006),
    mug(ACCENTS.mustard, [-0.2, 0.41, -0.08]),
  ];
}

export function coffeeCounter(width: number, depth: number): Part[] {
  const top = 0.9;
  return [
    box([width, top - 0.1, depth - 0.06], satin(TRIM, [0, top / 2, -0.02]), 0.02),
    box([width, 0.08, depth - 0.12], matte(WOOD.deep, [0, 0.04, -0.02]), 0.01),
    box([width + 0.04, 0.05, depth], wood(WOOD.warm, [0, top - 0.025, 0]), 0.02),
    ...[-width / 4, width / 4].flatMap((x) => [
      box(
        [width / 2 - 0.06, top - 0.26, 0.02],
        satin("#fffdf7", [x, top / 2, depth / 2 - 0.05]),
        0.008,
      ),
      box([0.14, 0.016, 0.02], metal(STEEL, [x, top - 0.2, depth / 2 - 0.03]), 0.006),
    ]),
    ...coffeeMachine(-width / 4, top),
    mug(ACCENTS.coral, [0.16, top, 0.08]),
    mug(ACCENTS.teal, [0.28, top, 0.02]),
    mug(ACCENTS.mustard, [0.4, top, 0.09]),
    turned(
      [0, 0, 0.1, 0, 0.13, 0.06, 0.12, 0.06, 0.09, 0.012, 0, 0.012],
      satin(PAPER, [0.44, top, -0.1]),
    ),
    ball(0.045, matte(ACCENTS.coral, [0.41, top + 0.06, -0.1])),
    ball(0.045, matte("#7fb13f", [0.48, top + 0.06, -0.12])),
    ball(0.045, matte(ACCENTS.mustard, [0.45, top + 0.07, -0.05])),
  ];
}

function coffeeMachine(x: number, top: number): Part[] {
  return [
    box([0.34, 0.06, 0.34], metal(STEEL, [x, top + 0.03, -0.02]), 0.015),
    box([0.34, 0.34, 0.16], satin(ACCENTS.coral, [x, top + 0.2, -0.11]), 0.03),
    box([0.34, 0.13, 0.32], satin(ACCENTS.coral, [x, top + 0.33, -0.03]), 0.03),
    cylinder([0.03, 0.025], 0.06, metal(STEEL, [x, top + 0.24, 0.05])),
    mug(PAPER, [x, top + 0.06, 0.05]),
  ];
}
