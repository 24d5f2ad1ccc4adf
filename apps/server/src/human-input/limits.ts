/** Above this a request is refused: nobody reads a list that long, and someone may be filling it. */
export const MAX_OPEN = 1_000;

/** Of one permission: what is longer is not asked for at all, since nobody could have read it. */
export const MAX_INPUT_CHARS = 2_000_000;

/** Of all that is open together: it is kept in memory. */
export const MAX_OPEN_CHARS = 32_000_000;

/** What is longer is not shown whole in a chat, and so not allowed by a word in one. */
export const MAX_SPOKEN_CHARS = 4_000;

/** An "always" keeps what it covers; what is longer is asked for every time. */
export const MAX_ALWAYS_CHARS = 16_384;

/** Longer than anyone waits; whoever asks for more is given this. */
export const MAX_WAIT_MS = 7 * 24 * 60 * 60_000;
