/** What the core needs from the world and may not reach for by itself. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

export interface Ids {
  /** A new id that no one else has: a UUID in production, a counter in tests. */
  next(): string;
}
