/**
 * Why the server ends a bridge connection itself. As everywhere, from 4500 on coming back is of no use
 * (see `../close.ts`); whatever else ends a connection, the plugin comes back.
 */
export const BRIDGE_CLOSE = {
  /** Two pings in a row went unanswered. */
  silent: 4408,
  /** The first frame is no hello, or no frame at all. */
  notHello: 4500,
  /** Wrong token, or a session that is not open. */
  unwelcome: 4501,
  tooManyBadFrames: 4502,
  /** Another connection has taken the session over. */
  replaced: 4509,
} as const;
