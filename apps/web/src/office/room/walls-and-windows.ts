/** Two walls with holes for windows and the door, their trim, and the slab it all stands on. */
import { BoxGeometry, ExtrudeGeometry, Path, Shape } from "three";
import type { SceneManifest, SceneObject } from "../state/scene-manifest.ts";
import { ACCENTS, INK, PAPER, PLINTH, TRIM, WALL, WOOD } from "./palette.ts";
import {
  ball,
  box,
  cylinder,
  matte,
  metal,
  part,
  placed,
  ring,
  satin,
  wood,
  type Part,
} from "./shape.ts";

export const WALL_HEIGHT = 2.75;
const THICK = 0.2;
/** The opening of a window, from the floor up, and the pane in it. */
export const WINDOW = { width: 1.5, height: 1.25, sill: 0.95 } as const;
const DOOR = { width: 0.95, height: 2.1 } as const;

/** Along the north wall, and up. */
export const CLOCK_AT = [3.15, 2.1] as const;

/** On the inner face of the north wall. */
export function wallPoint(
  { size }: Pick<SceneManifest, "size">,
  [x, y]: readonly [number, number],
): readonly [number, number, number] {
  return [x, y, -size.depth / 2 + 0.03];
}

interface Hole {
  readonly middle: number;
  readonly width: number;
  readonly from: number;
  readonly to: number;
}

export function walls({ size, objects }: SceneManifest): Part[] {
  const { width, depth } = size;
  const windows = objects.filter(({ kind }) => kind === "window");
  const doors = objects.filter(({ kind }) => kind === "door");
  const north = placed(
    wall(
      width + THICK,
      windows.map((one) => windowHole(one.pos[0] + THICK / 2)),
    ),
    [THICK / -2, 0, -depth / 2 - THICK],
  );
  const west = placed(
    wall(
      depth + THICK,
      doors.map((one) => doorHole(-one.pos[2] - THICK / 2)),
    ),
    [-width / 2 - THICK, 0, -THICK / 2],
    [0, 90, 0],
  );
  return [
    ...slab(width, depth),
    ...north,
    ...west,
    ...skirting(size, doors),
    ...windows.flatMap((one) => placed(windowFrame(), [one.pos[0], 0, -depth / 2])),
    ...doors.flatMap((one) => placed(door(), [-width / 2, 0, one.pos[2]], [0, 90, 0])),
    ...placed(pictures(), [-width / 2 + 0.02, 0, 2.75], [0, 90, 0]),
    ...placed(clockFace(), wallPoint({ size }, CLOCK_AT)),
  ];
}

function windowHole(middle: number): Hole {
  return { middle, width: WINDOW.width, from: WINDOW.sill, to: WINDOW.sill + WINDOW.height };
}

function doorHole(middle: number): Hole {
  return { middle, width: DOOR.width, from: -0.01, to: DOOR.height };
}

/** Along x, its inner face at z = THICK, and a rounded rim on top. */
function wall(length: number, holes: readonly Hole[]): Part[] {
  const outline = new Shape();
  const half = length / 2;
  outline
    .moveTo(-half, -0.1)
    .lineTo(half, -0.1)
    .lineTo(half, WALL_HEIGHT)
    .lineTo(-half, WALL_HEIGHT)
    .closePath();
  for (const { middle, width, from, to } of holes) {
    const [left, right] = [middle - width / 2, middle + width / 2];
    const hole = new Path();
    hole.moveTo(left, from).lineTo(left, to).lineTo(right, to).lineTo(right, from).closePath();
    outline.holes.push(hole);
  }
  const geometry = new ExtrudeGeometry(outline, { depth: THICK, bevelEnabled: false });
  return [
    part(geometry, { color: WALL }),
    box([length + 0.08, 0.09, THICK + 0.08], matte(TRIM, [0, WALL_HEIGHT + 0.02, THICK / 2]), 0.04),
  ];
}

function slab(width: number, depth: number): Part[] {
  const rim = 0.42;
  return [
    box([width + rim * 2, 0.34, depth + rim * 2], satin(PLINTH, [0, -0.27, 0]), 0.15),
    box([width + 0.14, 0.12, depth + 0.14], wood(WOOD.warm, [0, -0.066, 0]), 0.03),
  ];
}

function skirting({ width, depth }: SceneManifest["size"], doors: readonly SceneObject[]): Part[] {
  const look = { color: WOOD.dark, finish: "wood" } as const;
  const along = (from: number, to: number): Part =>
    part(new BoxGeometry(0.03, 0.14, to - from), {
      ...look,
      at: [-width / 2 + 0.015, 0.07, (from + to) / 2],
    });
  const gaps = doors.map(
    ({ pos }) => [pos[2] - DOOR.width / 2 - 0.06, pos[2] + DOOR.width / 2 + 0.06] as const,
  );
  const ends = [-depth / 2, ...gaps.flat(), depth / 2];
  const pieces: Part[] = [];
  for (let at = 0; at + 1 < ends.length; at += 2) {
    pieces.push(along(ends[at] ?? 0, ends[at + 1] ?? 0));
  }
  return [
    part(new BoxGeometry(width, 0.14, 0.03), { ...look, at: [0, 0.07, -depth / 2 + 0.015] }),
    ...pieces,
  ];
}

/** At the inner face of a wall, around the hole. */
function windowFrame(): Part[] {
  const { width, height, sill } = WINDOW;
  const middle = sill + height / 2;
  const bar = 0.07;
  const look = { color: TRIM, finish: "satin" } as const;
  return [
    box([width + bar, bar, 0.16], { ...look, at: [0, sill + height, -0.04] }, 0.015),
    box([width + 0.3, 0.06, 0.3], { ...look, at: [0, sill - 0.02, 0.06] }, 0.025),
    ...[-width / 2, width / 2].map((x) =>
      box([bar, height, 0.16], { ...look, at: [x, middle, -0.04] }, 0.015),
    ),
    box([0.045, height, 0.06], { ...look, at: [0, middle, -0.09] }, 0.012),
    box([width, 0.035, 0.05], { ...look, at: [0, sill + height * 0.62, -0.09] }, 0.012),
  ];
}

function door(): Part[] {
  const { width, height } = DOOR;
  const frame = { color: WOOD.dark, finish: "wood" } as const;
  const leaf = { color: "#3f7a74", finish: "satin" } as const;
  return [
    ...[-1, 1].map((side) =>
      box(
        [0.09, height + 0.06, 0.26],
        { ...frame, at: [side * (width / 2 + 0.02), height / 2, -0.09] },
        0.015,
      ),
    ),
    box([width + 0.14, 0.09, 0.26], { ...frame, at: [0, height + 0.03, -0.09] }, 0.015),
    box([width, height, 0.05], { ...leaf, at: [0, height / 2, -0.12] }, 0.012),
    ...[0.55, 1.5].map((y) =>
      box([width - 0.26, 0.72, 0.02], satin("#4a8a83", [0, y, -0.09]), 0.01),
    ),
    ball(0.04, metal("#d9b25a", [width / 2 - 0.1, 1.02, -0.06])),
  ];
}

function pictures(): Part[] {
  return [
    ...framed(0.55, 1.72, [0.62, 0.8], ["#f3d9b1", ACCENTS.coral]),
    ...framed(-0.2, 1.78, [0.5, 0.5], ["#cfe3dc", ACCENTS.teal]),
    ...framed(-0.85, 1.66, [0.46, 0.62], ["#d8def0", ACCENTS.plum]),
  ];
}

function framed(
  x: number,
  y: number,
  size: readonly [number, number],
  colors: readonly [string, string],
): Part[] {
  return [
    box([size[0], size[1], 0.035], wood(WOOD.dark, [x, y, 0.01]), 0.01),
    box([size[0] - 0.08, size[1] - 0.08, 0.02], matte(PAPER, [x, y, 0.022]), 0.004),
    box([size[0] - 0.2, size[1] - 0.2, 0.02], matte(colors[0], [x, y, 0.026]), 0.004),
    ball(
      Math.min(...size) * 0.2,
      matte(colors[1], [x + size[0] * 0.08, y + size[1] * 0.04, 0.036]),
      [1, 1, 0.1],
    ),
  ];
}

/** Its hands are in things/wall-clock.ts: they move. */
function clockFace(): Part[] {
  return [
    cylinder([0.2, 0.2], 0.035, { color: PAPER, finish: "satin", turn: [90, 0, 0] }),
    ring(0.2, 0.02, satin(INK, [0, 0, 0.012])),
  ];
}
