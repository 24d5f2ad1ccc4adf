/** Where to stand so that some points fill the picture, seen from a given side through a given lens. */
import { Vector3 } from "three";

export interface Lens {
  /** Vertical, in degrees. */
  readonly fov: number;
  readonly aspect: number;
}

export interface Vantage {
  readonly position: Vector3;
  readonly target: Vector3;
}

/** `from` points from them to the viewer. `margin` is the share of the picture that stays free on every side. */
export function framePoints(
  points: readonly Vector3[],
  from: Vector3,
  { fov, aspect }: Lens,
  margin: number,
): Vantage {
  const forward = from.clone().normalize().negate();
  const right = new Vector3().crossVectors(forward, new Vector3(0, 1, 0)).normalize();
  const up = new Vector3().crossVectors(right, forward);
  const vertical = Math.tan((fov * Math.PI) / 360) * (1 - margin);
  const across = points.map((point) => ({ at: point.dot(right), away: point.dot(forward) }));
  const along = points.map((point) => ({ at: point.dot(up), away: point.dot(forward) }));
  let [near, far] = [0, 500];
  for (let round = 0; round < 40; round += 1) {
    const distance = (near + far) / 2;
    const [left, rightmost] = room(across, vertical * aspect, distance);
    const [low, high] = room(along, vertical, distance);
    if (left <= rightmost && low <= high) far = distance;
    else near = distance;
  }
  const middle = (values: readonly Seen[], slope: number): number => {
    const [low, high] = room(values, slope, far);
    return (low + high) / 2;
  };
  const target = new Vector3()
    .addScaledVector(right, middle(across, vertical * aspect))
    .addScaledVector(up, middle(along, vertical));
  return { target, position: target.clone().addScaledVector(forward, -far) };
}

/** A point, measured along one side of the picture and away from the viewer. */
interface Seen {
  readonly at: number;
  readonly away: number;
}

/** How far the picture may be shifted at a distance: everything is in it when the first is at most the second. */
function room(values: readonly Seen[], slope: number, distance: number): readonly [number, number] {
  return [
    Math.max(...values.map(({ at, away }) => at - (distance + away) * slope)),
    Math.min(...values.map(({ at, away }) => at + (distance + away) * slope)),
  ];
}
