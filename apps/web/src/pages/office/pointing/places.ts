/** The places of a scene as zones with names, for those who choose instead of drawing. Pure. */
import type { PoiKind, Scene } from "@atrium/core";
import {
  boundsBetween,
  isWithin,
  ontoFloor,
  type Bounds,
  type Spot,
} from "../../../office/marks/floor-marks.ts";

export interface Place {
  readonly poiId: string;
  readonly name: string;
  readonly spot: Spot;
  readonly bounds: Bounds;
}

/** Whoever stands there stands within it. */
const MARGIN = 0.5;

export function placesOf(
  { pois, size }: Pick<Scene, "pois" | "size">,
  names: Readonly<Record<PoiKind, string>>,
): readonly Place[] {
  return pois.map(({ poi_id: poiId, kind, pos, seats }) => {
    const spots = [pos, ...seats.map((seat) => seat.pos)];
    const [xs, zs] = [spots.map(([x]) => x), spots.map(([, , z]) => z)];
    const from = { x: Math.min(...xs) - MARGIN, z: Math.min(...zs) - MARGIN };
    const to = { x: Math.max(...xs) + MARGIN, z: Math.max(...zs) + MARGIN };
    const number = /\d+$/.exec(poiId)?.[0];
    return {
      poiId,
      name: number === undefined ? names[kind] : `${names[kind]} ${number}`,
      spot: ontoFloor({ x: pos[0], z: pos[2] }, size),
      bounds: boundsBetween(ontoFloor(from, size), ontoFloor(to, size)),
    };
  });
}

/** The smallest that the spot is in: a desk before the room around it. */
export function placeAt(places: readonly Place[], spot: Spot): Place | undefined {
  return places
    .filter(({ bounds }) => isWithin(spot, bounds))
    .toSorted((one, other) => areaOf(one.bounds) - areaOf(other.bounds))[0];
}

function areaOf({ width, depth }: Bounds): number {
  return width * depth;
}
