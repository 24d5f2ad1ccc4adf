/**
 * Where an agent is at a time: along its goal's path, put right by the snapshot.
 *
 * A snapshot is the truth of its moment. When it disagrees a little with the path, the path is followed beside itself;
 * when it disagrees a lot, the path is not believed.
 */
import type { WorldAgent } from "@atrium/wire/world";
import type { Walk } from "../state/office-state.ts";
import type { Point } from "../state/scene-manifest.ts";

export interface Whereabouts {
  readonly pos: Point;
  /** The direction one looks, as an angle around the vertical; 0 looks south, along +z. */
  readonly heading: number;
  readonly isWalking: boolean;
  /** How far one has walked, which is what moves the legs. */
  readonly walked: number;
}

/** Further than this from where the path says, and the snapshot alone is believed. */
export const BELIEVED_METERS = 1.5;
/** Before a corner, one begins to turn. */
const TURNING_METERS = 0.35;

export function whereabouts(
  agent: WorldAgent,
  walk: Walk | undefined,
  snapshotAt: number,
  time: number,
): Whereabouts {
  const standing = standingAt(agent);
  if (walk === undefined || walk.path.length === 0) return standing;
  const now = alongPath(walk, time, standing.heading);
  if (snapshotAt < walk.started_at) return now;
  const then = alongPath(walk, snapshotAt, standing.heading);
  const [x, , z] = agent.pos;
  const aside = [x - then.pos[0], z - then.pos[2]] as const;
  if (Math.hypot(...aside) > BELIEVED_METERS) return standing;
  return { ...now, pos: [now.pos[0] + aside[0], 0, now.pos[2] + aside[1]] };
}

export function headingOf([x, , z]: Point): number {
  return Math.atan2(x, z);
}

/** When one gets to the end of it. */
export function arrivalOf({ path, speed_mps, started_at }: Walk): number {
  let length = 0;
  for (let at = 1; at < path.length; at += 1) {
    const [from = ORIGIN, to = ORIGIN] = [path[at - 1], path[at]];
    length += Math.hypot(to[0] - from[0], to[2] - from[2]);
  }
  return started_at + (length / speed_mps) * 1000;
}

function standingAt({ pos, facing }: WorldAgent): Whereabouts {
  return { pos, heading: headingOf(facing), isWalking: false, walked: 0 };
}

function alongPath(
  { path, speed_mps: speed, started_at }: Walk,
  time: number,
  endHeading: number,
): Whereabouts {
  let left = Math.max(0, ((time - started_at) / 1000) * speed);
  let walked = 0;
  for (let at = 1; at < path.length; at += 1) {
    const from = path[at - 1] ?? ORIGIN;
    const to = path[at] ?? from;
    const length = Math.hypot(to[0] - from[0], to[2] - from[2]);
    if (left < length) {
      const share = left / length;
      const pos: Point = [
        from[0] + (to[0] - from[0]) * share,
        0,
        from[2] + (to[2] - from[2]) * share,
      ];
      const ahead = path[at + 1];
      const heading = turning(from, to, ahead, length - left);
      return { pos, heading, isWalking: time >= started_at, walked: walked + left };
    }
    left -= length;
    walked += length;
  }
  return { pos: path.at(-1) ?? ORIGIN, heading: endHeading, isWalking: false, walked };
}

function turning(from: Point, to: Point, ahead: Point | undefined, left: number): number {
  const here = headingOf([to[0] - from[0], 0, to[2] - from[2]]);
  if (ahead === undefined || left > TURNING_METERS) return here;
  const next = headingOf([ahead[0] - to[0], 0, ahead[2] - to[2]]);
  return here + shortestTurn(here, next) * 0.5 * (1 - left / TURNING_METERS);
}

/** The way round that is shorter, between minus and plus half a turn. */
export function shortestTurn(from: number, to: number): number {
  const turn = (to - from) % (Math.PI * 2);
  if (turn > Math.PI) return turn - Math.PI * 2;
  return turn < -Math.PI ? turn + Math.PI * 2 : turn;
}

const ORIGIN: Point = [0, 0, 0];
