/**
 * The words furniture is written in: boxes, cylinders and balls with a color and a finish.
 *
 * A part is not a mesh. Parts are merged by finish (merge.ts), with their color baked into the vertices, so that a
 * whole room costs as many draw calls as it has finishes. Meters; the front of a piece is towards +z.
 */
import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  Euler,
  LatheGeometry,
  Matrix4,
  SphereGeometry,
  TorusGeometry,
  Vector2,
  Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";

/** How a surface takes the light; one material each. `lampshade` glows at night. */
export type Finish = "matte" | "wood" | "satin" | "metal" | "leaf" | "lampshade";

export interface Part {
  readonly geometry: BufferGeometry;
  readonly color: Color;
  readonly finish: Finish;
}

export type Triple = readonly [x: number, y: number, z: number];

export interface Look {
  readonly color: string;
  readonly finish?: Finish;
  /** Where its middle is. */
  readonly at?: Triple | undefined;
  /** In degrees, around x, then y, then z. */
  readonly turn?: Triple | undefined;
}

/** A look by its finish. */
const finished =
  (finish: Finish) =>
  (color: string, at?: Triple, turn?: Triple): Look => ({ color, finish, at, turn });
export const matte = finished("matte");
export const wood = finished("wood");
export const satin = finished("satin");
export const metal = finished("metal");
export const lampshade = finished("lampshade");
export const leafy = finished("leaf");

const DEGREES = Math.PI / 180;
const NOT_TURNED: Triple = [0, 0, 0];
const ORIGIN: Triple = [0, 0, 0];
/** Triangles go where they are seen: an edge sharper than this is not rounded, a softer one than that is rounded twice. */
const SHARP = 0.011;
const SOFT = 0.04;

export function box(size: Triple, look: Look, radius = 0.03): Part {
  const [width, height, depth] = size;
  const rounding = Math.min(radius, width / 2.01, height / 2.01, depth / 2.01);
  if (rounding <= SHARP) return part(new BoxGeometry(width, height, depth), look);
  const segments = rounding < SOFT ? 1 : 2;
  return part(new RoundedBoxGeometry(width, height, depth, segments, rounding), look);
}

export function cylinder(
  radii: readonly [top: number, bottom: number],
  height: number,
  look: Look,
): Part {
  const segments = Math.max(...radii) > 0.1 ? 28 : 12;
  return part(new CylinderGeometry(radii[0], radii[1], height, segments), look);
}

export function ball(radius: number, look: Look, squash: Triple = [1, 1, 1]): Part {
  const [around, down] = radius > 0.05 ? [18, 12] : [10, 7];
  const geometry = new SphereGeometry(radius, around, down);
  geometry.scale(...squash);
  return part(geometry, look);
}

export function rod(radius: number, length: number, look: Look): Part {
  const [cap, around] = radius > 0.03 ? [4, 12] : [2, 7];
  return part(new CapsuleGeometry(radius, length, cap, around), look);
}

export function ring(radius: number, thickness: number, look: Look): Part {
  return part(new TorusGeometry(radius, thickness, 7, radius > 0.1 ? 32 : 16), look);
}

/** Turned on a lathe: a radius, the height it is at, the next radius and so on, from the bottom up. */
export function turned(profile: readonly number[], look: Look, segments = 32): Part {
  const outline = Array.from({ length: profile.length / 2 }, (_, at) =>
    new Vector2().fromArray(profile, at * 2),
  );
  return part(new LatheGeometry(outline, segments), look);
}

export function part(geometry: BufferGeometry, look: Look): Part {
  const { color, finish = "matte", at = ORIGIN, turn = NOT_TURNED } = look;
  geometry.applyMatrix4(placement(at, turn));
  return { geometry, color: new Color(color), finish };
}

export function placement(at: Triple, turn: Triple = NOT_TURNED): Matrix4 {
  const angles = new Euler(turn[0] * DEGREES, turn[1] * DEGREES, turn[2] * DEGREES);
  return new Matrix4().makeRotationFromEuler(angles).setPosition(new Vector3(...at));
}

/** The same parts elsewhere. */
export function placed(parts: readonly Part[], at: Triple, turn: Triple = NOT_TURNED): Part[] {
  const matrix = placement(at, turn);
  return parts.map((one) => ({ ...one, geometry: one.geometry.clone().applyMatrix4(matrix) }));
}
