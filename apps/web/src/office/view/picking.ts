/** What is under the pointer: every thing has a box around it, and the nearest box that the ray meets is it. */
import { Box3, Ray, Vector3 } from "three";

export interface Picked {
  readonly kind: "agent" | "poi" | "artifact" | "trophy";
  readonly id: string;
}

export interface Pickable {
  readonly picked: Picked;
  readonly box: Box3;
}

export function boxAround(
  [x, y, z]: readonly [number, number, number],
  [width, height, depth]: readonly [number, number, number],
): Box3 {
  return new Box3(
    new Vector3(x - width / 2, y, z - depth / 2),
    new Vector3(x + width / 2, y + height, z + depth / 2),
  );
}

/** Small things win over the furniture they stand on, since their boxes are within its box. */
export function pickNearest(ray: Ray, pickables: readonly Pickable[]): Picked | undefined {
  const hit = new Vector3();
  let best: Pickable | undefined;
  let nearest = Infinity;
  for (const pickable of pickables) {
    if (ray.intersectBox(pickable.box, hit) === null) continue;
    const far = hit.distanceTo(ray.origin) - (pickable.picked.kind === "poi" ? 0 : FAVOR);
    if (far >= nearest) continue;
    best = pickable;
    nearest = far;
  }
  return best?.picked;
}

const FAVOR = 0.6;
