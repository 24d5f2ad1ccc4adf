/**
 * How long to wait before coming back to the world: 1, 2, 4, then 8 seconds and up to half a second more,
 * so that those who lost the same server do not return at the same moment.
 */
const STEPS_MS = [1_000, 2_000, 4_000] as const;
const CAP_MS = 8_000;
const JITTER_MS = 500;

/** `attempt` counts from 1; `roll` is a random number from 0 to 1. */
export function worldBackoffMs(attempt: number, roll: number): number {
  return STEPS_MS[attempt - 1] ?? CAP_MS + Math.round(roll * JITTER_MS);
}
