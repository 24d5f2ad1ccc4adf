/**
 * How patient we are with a peer that sends nonsense.
 *
 * Saying exactly what is wrong costs far more than the frame that was wrong, so a peer has a store of
 * explanations that refills; without one it gets a short answer, and after many of those it is let go.
 */
export interface Complaints {
  mayExplain(): boolean;
  readonly isExhausted: boolean;
}

const BURST = 20;
const PER_SECOND = 5;
const PATIENCE = 1_000;

export function createComplaints(now: () => number): Complaints {
  let left = BURST;
  let at = now();
  let unexplained = 0;
  return {
    mayExplain() {
      const time = now();
      left = Math.min(BURST, left + ((time - at) / 1000) * PER_SECOND);
      at = time;
      if (left < 1) {
        unexplained++;
        return false;
      }
      left--;
      unexplained = 0;
      return true;
    },
    get isExhausted() {
      return unexplained > PATIENCE;
    },
  };
}
