/** Short words for writing a scene down: furniture by kind, and places to sit and stand. */
import { rounded } from "../geometry/point.ts";
import type { Footprint, Point, Rotation, SceneObject, Seat } from "../geometry/scene.ts";

export type Side = "north" | "east" | "south" | "west";

const TOWARDS = {
  north: [0, 0, -1],
  east: [1, 0, 0],
  south: [0, 0, 1],
  west: [-1, 0, 0],
} as const satisfies Record<Side, Point>;

const TURNED = { south: 0, west: 90, north: 180, east: 270 } as const satisfies Record<
  Side,
  Rotation
>;

export const facing = (side: Side): Point => TOWARDS[side];

export interface Spot {
  readonly x: number;
  readonly z: number;
  readonly front: Side;
}

/** A piece of furniture: what it is, where its middle is, and what it covers. */
export function piece(
  objectId: string,
  kind: string,
  { x, z, front }: Spot,
  footprint: Footprint | null,
): SceneObject {
  return { object_id: objectId, kind, pos: rounded(x, z), rotation: TURNED[front], footprint };
}

export const box = (width: number, depth: number): Footprint => ({ shape: "box", width, depth });

export const disc = (radius: number): Footprint => ({ shape: "disc", radius });

export function seatAt(seatId: string, pose: Seat["pose"], { x, z, front }: Spot): Seat {
  return { seat_id: seatId, pos: rounded(x, z), facing: TOWARDS[front], pose };
}
