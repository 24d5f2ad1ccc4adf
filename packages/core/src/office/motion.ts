/**
 * Motion as a function: a walk says when it began, along which path and how fast; where one is at a time follows.
 *
 * Nothing here ticks. Whoever has the walk can tell every position of it, past and future, and all get the same.
 */
import { directionOf, distance, rounded } from "./geometry/point.ts";
import type { Point } from "./geometry/scene.ts";

export const WALKING_SPEED_MPS = 1.2;
export const ARRIVAL_RADIUS = 0.15;

export interface Walk {
  readonly path: readonly Point[];
  readonly speedMps: number;
  /** When it begins, in milliseconds since 1970. */
  readonly at: number;
  /** Which way one looks once there. */
  readonly facing: Point;
  readonly arrivesAt: number;
  /** How far each point of the path is from its start, in meters. */
  readonly milestones: readonly number[];
}

export interface Whereabouts {
  readonly pos: Point;
  readonly facing: Point;
  readonly hasArrived: boolean;
}

export function startWalk(start: Pick<Walk, "path" | "speedMps" | "at" | "facing">): Walk {
  const { path, speedMps, at, facing } = start;
  let length = 0;
  const milestones = path.map((point, index) => {
    length += distance(path[index - 1] ?? point, point);
    return length;
  });
  const arrivesAt = at + Math.ceil((length / speedMps) * 1000);
  return { path, speedMps, at, facing, arrivesAt, milestones };
}

/** Before it begins one stands at its start. */
export function whereaboutsAt(walk: Walk, time: number): Whereabouts {
  const { path, milestones, speedMps, at, facing, arrivesAt } = walk;
  if (time >= arrivesAt) return { pos: path.at(-1) ?? ORIGIN, facing, hasArrived: true };
  const walked = Math.max(0, ((time - at) / 1000) * speedMps);
  let next = 1;
  while (next < path.length - 1 && (milestones[next] ?? 0) <= walked) next += 1;
  const from = path[next - 1] ?? ORIGIN;
  const to = path[next] ?? from;
  const passed = milestones[next - 1] ?? 0;
  const share = Math.min(1, (walked - passed) / ((milestones[next] ?? passed) - passed || 1));
  const pos = rounded(from[0] + share * (to[0] - from[0]), from[2] + share * (to[2] - from[2]));
  return { pos, facing: directionOf(from, to) ?? facing, hasArrived: false };
}

export function isUnderWay({ at, arrivesAt }: Walk, time: number): boolean {
  return time >= at && time < arrivesAt;
}

/** A path is never empty; should one be, its walker is in the middle of the room. */
const ORIGIN: Point = [0, 0, 0];
