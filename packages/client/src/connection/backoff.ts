/**
 * How long to wait before the next attempt: a second, doubled with each failure in a row up to half
 * a minute, and jittered so that clients who lost the same server do not return at the same moment.
 */
const FIRST_MS = 1_000;
const CAP_MS = 30_000;
/** Bounds on what a server may ask for: neither a hot loop nor a client that never returns. */
const MIN_ASKED_MS = 100;
const MAX_ASKED_MS = 3_600_000;

/**
 * `roll` is a random number from 0 to 1. Our own delay falls between half of the step and the whole;
 * a delay the server asked for is never shortened, and lengthened by a quarter at most.
 */
export function backoffMs(failures: number, roll: number, askedMs?: number): number {
  if (askedMs !== undefined) {
    const bounded = Math.min(MAX_ASKED_MS, Math.max(MIN_ASKED_MS, askedMs));
    return Math.round(bounded * (1 + roll / 4));
  }
  const step = Math.min(CAP_MS, FIRST_MS * 2 ** (failures - 1));
  return Math.round(step * (0.5 + roll / 2));
}
