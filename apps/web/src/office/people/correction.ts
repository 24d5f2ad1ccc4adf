/**
 * No jumps: when news moves an agent, what was shown glides to what is true.
 *
 * The difference at the moment of the news is kept and fades. When it is large, or the clock itself was moved, it is
 * not kept: then the agent is simply elsewhere.
 */
import { BELIEVED_METERS, shortestTurn, type Whereabouts } from "./walk.ts";

export interface Correction {
  readonly at: number;
  readonly aside: readonly [x: number, z: number];
  readonly turn: number;
}

const SETTLES_MS = 450;

export function correctionFrom(
  shown: Whereabouts,
  truth: Whereabouts,
  at: number,
): Correction | undefined {
  const aside = [shown.pos[0] - truth.pos[0], shown.pos[2] - truth.pos[2]] as const;
  if (Math.hypot(...aside) > BELIEVED_METERS) return undefined;
  const turn = shortestTurn(truth.heading, shown.heading);
  return Math.hypot(...aside) < 0.001 && Math.abs(turn) < 0.01 ? undefined : { at, aside, turn };
}

export function corrected(
  truth: Whereabouts,
  correction: Correction | undefined,
  time: number,
): Whereabouts {
  if (correction === undefined || isSettled(correction, time)) return truth;
  const share = 1 - eased((time - correction.at) / SETTLES_MS);
  const [x, y, z] = truth.pos;
  return {
    ...truth,
    pos: [x + correction.aside[0] * share, y, z + correction.aside[1] * share],
    heading: truth.heading + correction.turn * share,
  };
}

/** Also when time went backwards, as it does when one looks at an earlier moment. */
export function isSettled({ at }: Correction, time: number): boolean {
  return time < at || time >= at + SETTLES_MS;
}

function eased(share: number): number {
  return share * share * (3 - 2 * share);
}
