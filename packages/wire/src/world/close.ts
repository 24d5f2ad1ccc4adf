/** Why the world closes a socket with a code of its own; what clients may do is in ../close.ts. */
export const WORLD_CLOSE = {
  /** Nothing came for too long. */
  silent: 4000,
  /** The first message was no hello. */
  notHello: 4500,
  unwelcome: 4501,
  unsupportedVersion: 4502,
} as const;
