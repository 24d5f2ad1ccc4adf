/**
 * The parts of a body, each with its joint at the origin and hanging down, the front towards +z.
 *
 * Everyone shares these shapes; an instance brings matrix and color. A color here multiplies the instance's, so a dark
 * shoe can be one piece with a leg of any trousers.
 */
import { SphereGeometry, TorusGeometry, type BufferGeometry } from "three";
import { merged } from "../room/merge.ts";
import { ball, matte, part, ring, rod, turned, type Part, type Triple } from "../room/shape.ts";
import { HAIR_STYLES, type HairStyle } from "./appearance.ts";

export const BODY = {
  hip: 0.5,
  hipAside: 0.085,
  thigh: 0.24,
  shoulder: 0.43,
  shoulderAside: 0.185,
  upperArm: 0.2,
  forearm: 0.17,
  neck: 0.5,
  headUp: 0.2,
  headRadius: 0.225,
} as const;

const LIMBS = ["torso", "thigh", "shin", "upperArm", "forearm", "hand", "head", "face"] as const;
export type LimbName = (typeof LIMBS)[number];
export type BodyPart = LimbName | HairStyle;

/** Plain bodies are for crowds: a sixth of the triangles. */
export type Detail = "fine" | "plain";

const WHITE = "#ffffff";

export function bodyGeometries(detail: Detail): ReadonlyMap<BodyPart, BufferGeometry> {
  const shapes = detail === "fine" ? fineLimbs() : plainLimbs();
  const hair = HAIR_STYLES.map((style) => [style, merged(hairOf(style, detail))] as const);
  return new Map<BodyPart, BufferGeometry>([
    ...LIMBS.map((name) => [name, merged(shapes[name])] as const),
    ...hair,
  ]);
}

function fineLimbs(): Readonly<Record<LimbName, Part[]>> {
  const r = BODY.headRadius;
  const outline = [
    0, -0.07, 0.1, -0.06, 0.15, 0, 0.165, 0.12, 0.17, 0.26, 0.16, 0.38, 0.11, 0.46, 0.06, 0.48, 0,
    0.49,
  ];
  const torso = turned(outline, { color: WHITE }, 22);
  torso.geometry.scale(1, 1, 0.78);
  const collar = ring(0.075, 0.022, matte("#d8d8d8", [0, 0.475, 0], [90, 0, 0]));
  return {
    torso: [torso, collar],
    thigh: [rod(0.075, 0.18, matte(WHITE, [0, -BODY.thigh / 2, 0]))],
    shin: [
      rod(0.064, 0.16, matte(WHITE, [0, -0.11, 0])),
      part(
        scaled(new SphereGeometry(0.075, 16, 10), [0.95, 0.62, 1.5]),
        matte("#3a3434", [0, -0.22, 0.035]),
      ),
    ],
    upperArm: [rod(0.056, 0.16, matte(WHITE, [0, -BODY.upperArm / 2, 0]))],
    forearm: [rod(0.05, 0.13, matte(WHITE, [0, -BODY.forearm / 2, 0]))],
    hand: [part(scaled(new SphereGeometry(0.055, 12, 8), [0.9, 1.1, 0.9]), { color: WHITE })],
    head: [
      part(scaled(new SphereGeometry(r, 24, 18), [1, 1.02, 0.97]), { color: WHITE }),
      ball(0.028, matte("#f4e3dc", [0, -0.03, r * 0.97])),
      ...[-1, 1].map((side) =>
        ball(0.045, matte("#f4e3dc", [side * r * 0.98, -0.02, 0]), [0.5, 1, 0.8]),
      ),
    ],
    face: faceParts(),
  };
}

function plainLimbs(): Readonly<Record<LimbName, Part[]>> {
  const r = BODY.headRadius;
  const torso = turned([0, -0.06, 0.15, 0, 0.17, 0.26, 0.11, 0.46, 0, 0.49], { color: WHITE }, 9);
  torso.geometry.scale(1, 1, 0.78);
  const tube = (radius: number, length: number): Part =>
    turned(
      [0, -length - radius * 0.6, radius, -length, radius, 0, 0, radius * 0.6],
      { color: WHITE },
      6,
    );
  return {
    torso: [torso],
    thigh: [tube(0.075, BODY.thigh)],
    shin: [
      tube(0.064, 0.2),
      part(
        scaled(new SphereGeometry(0.075, 6, 4), [0.95, 0.62, 1.5]),
        matte("#3a3434", [0, -0.22, 0.035]),
      ),
    ],
    upperArm: [tube(0.056, BODY.upperArm)],
    forearm: [tube(0.05, BODY.forearm)],
    hand: [part(new SphereGeometry(0.055, 6, 4), { color: WHITE })],
    head: [part(new SphereGeometry(r, 12, 9), { color: WHITE })],
    face: [-1, 1].map((side) =>
      part(new SphereGeometry(0.028, 5, 4), matte("#20181a", onHead(side * 21, 4))),
    ),
  };
}

/** A point of the head's surface, by degrees to the side and up. */
function onHead(aside: number, up: number, out = 1): Triple {
  const r = BODY.headRadius * out;
  const [a, u] = [(aside * Math.PI) / 180, (up * Math.PI) / 180];
  return [
    Math.sin(a) * Math.cos(u) * r,
    Math.sin(u) * r * 1.02,
    Math.cos(a) * Math.cos(u) * r * 0.97,
  ];
}

function faceParts(): Part[] {
  const eyes = [-1, 1].flatMap((side) => [
    ball(0.029, matte("#20181a", onHead(side * 22, 3, 0.985)), [0.85, 1.1, 0.6]),
    ball(0.009, matte("#ffffff", onHead(side * 22 + 2.5, 6, 1.06))),
    ball(0.032, matte("#f08a7a", onHead(side * 38, -15, 0.985)), [1, 0.62, 0.35]),
    rod(0.0075, 0.045, matte("#3a2a24", onHead(side * 22, 19, 1.0), [0, side * 22, 90 - side * 9])),
  ]);
  const smile = new TorusGeometry(0.055, 0.0085, 5, 10, Math.PI * 0.62);
  const [, y, z] = onHead(0, -13, 0.99);
  smile.rotateZ(Math.PI * 1.19).rotateX(0.3);
  return [...eyes, part(smile, matte("#8c3b34", [0, y, z]))];
}

function hairOf(style: HairStyle, detail: Detail): Part[] {
  const [around, down] = detail === "fine" ? [22, 11] : [10, 5];
  const r = BODY.headRadius;
  const cap = (radius: number, reach: number, tilt: number): Part =>
    part(new SphereGeometry(radius, around, down, 0, Math.PI * 2, 0, Math.PI * reach), {
      color: WHITE,
      turn: [tilt, 0, 0],
    });
  /** Around the back and the sides, leaving the face free. */
  const curtain = (radius: number, from: number, to: number, open: number): Part =>
    part(
      new SphereGeometry(
        radius,
        around,
        down,
        Math.PI / 2 + open / 2,
        Math.PI * 2 - open,
        Math.PI * from,
        Math.PI * (to - from),
      ),
      { color: WHITE },
    );
  const tuft = (radius: number, at: Triple, squash: Triple = [1, 1, 1]): Part =>
    part(
      scaled(new SphereGeometry(radius, Math.ceil(around / 2), Math.ceil(down / 2)), squash),
      matte(WHITE, at),
    );
  switch (style) {
    case "crop":
      return [cap(r * 1.07, 0.46, -24)];
    case "bob":
      return [cap(r * 1.08, 0.4, -14), curtain(r * 1.1, 0.3, 0.68, 2.1)];
    case "bun":
      return [cap(r * 1.06, 0.47, -26), tuft(0.1, [0, r * 1.02, -r * 0.55])];
    case "curls":
      return [cap(r * 1.03, 0.44, -22), ...curls().map((at) => tuft(0.085, at))];
    case "quiff":
      return [
        cap(r * 1.06, 0.45, -26),
        tuft(0.1, [0.02, r * 0.93, r * 0.42], [1.3, 0.62, 0.9]),
        tuft(0.08, [-0.08, r * 0.9, r * 0.36], [1, 0.7, 0.9]),
      ];
    case "long":
      return [
        cap(r * 1.07, 0.42, -16),
        curtain(r * 1.09, 0.3, 0.62, 2.3),
        tuft(0.16, [0, -r * 0.95, -r * 0.62], [1.05, 1.25, 0.5]),
      ];
  }
}

function curls(): Triple[] {
  const rows = [
    [85, 1],
    [52, 6],
    [24, 8],
  ] as const;
  return rows.flatMap(([up, count]) =>
    Array.from({ length: count }, (_, at): Triple => {
      const spread = up > 80 ? 0 : 280;
      const aside = 180 - spread / 2 + (spread * (at + 0.5)) / count;
      const [x, y, z] = onHead(aside, up, 1.0);
      return [x, y + 0.01, z - 0.012];
    }),
  );
}

function scaled(geometry: BufferGeometry, [x, y, z]: Triple): BufferGeometry {
  return geometry.scale(x, y, z);
}
