/** What people mark on the floor: a spot someone points at, and a zone someone looks at. Meters, as in the scene. Pure. */
import type { SceneManifest } from "../state/scene-manifest.ts";

export interface Spot {
  readonly x: number;
  readonly z: number;
}

/** From its north-west corner. */
export interface Bounds extends Spot {
  readonly width: number;
  readonly depth: number;
}

export interface FloorPing {
  readonly id: string;
  readonly spot: Spot;
  /** Who points, as it is to be read. */
  readonly name: string;
}

export interface FloorMarks {
  readonly pings: readonly FloorPing[];
  readonly zone: Bounds | undefined;
  /** Where whoever would get what is being dragged is. */
  readonly receiver?: Spot | undefined;
}

export const NO_MARKS: FloorMarks = { pings: [], zone: undefined };

type Size = SceneManifest["size"];

export function isOnFloor({ x, z }: Spot, { width, depth }: Size): boolean {
  return Math.abs(x) <= width / 2 && Math.abs(z) <= depth / 2;
}

/** The nearest spot that is on the floor, to the centimeter. */
export function ontoFloor({ x, z }: Spot, { width, depth }: Size): Spot {
  return { x: rounded(within(x, width / 2)), z: rounded(within(z, depth / 2)) };
}

export function boundsBetween(one: Spot, other: Spot): Bounds {
  return {
    x: Math.min(one.x, other.x),
    z: Math.min(one.z, other.z),
    width: rounded(Math.abs(one.x - other.x)),
    depth: rounded(Math.abs(one.z - other.z)),
  };
}

export function isWithin({ x, z }: Spot, bounds: Bounds): boolean {
  return (
    x >= bounds.x && x <= bounds.x + bounds.width && z >= bounds.z && z <= bounds.z + bounds.depth
  );
}

/** Every mark costs a mesh or two, so there are only so many. */
export const MAX_PINGS = 8;

function within(value: number, most: number): number {
  return Math.min(Math.max(value, -most), most);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
