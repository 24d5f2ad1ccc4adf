/** Above this a request is refused: nobody reads a list that long, and someone may be filling it. */
export const MOST_OPEN = 1_000;

/** In characters: more than anyone reads before they decide. */
export const LONGEST_READ = 8_000;

/** Longer than anyone waits; whoever asks for more is given this. */
export const LONGEST_WAIT_MS = 7 * 24 * 60 * 60_000;
