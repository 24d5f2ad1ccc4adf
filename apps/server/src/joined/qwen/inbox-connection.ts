/**
 * A connection to the socket of a session: opened before the message is offered, because one that cannot be opened has
 * told nobody anything; then one message, and the end. What the other side writes on it is not read.
 */
import { connect } from "node:net";
import type { Timers } from "../../platform/timers.ts";

export interface InboxConnection extends Disposable {
  /** Resolves when the connection is over; what became of the text it does not tell. */
  send(text: string): Promise<void>;
}

/** For all of it. */
const PATIENCE_MS = 5_000;

/** Undefined: nobody listens there. */
export async function connectInbox(
  path: string,
  timers: Timers,
  closing: AbortSignal,
): Promise<InboxConnection | undefined> {
  const socket = connect({ path, signal: closing });
  const opened = Promise.withResolvers<boolean>();
  const closed = Promise.withResolvers<void>();
  const cancel = timers.after(PATIENCE_MS, () => socket.destroy());
  socket.on("connect", () => opened.resolve(true));
  // The close that follows says that it is over.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    cancel();
    opened.resolve(false);
    closed.resolve();
  });
  socket.resume();
  if (!(await opened.promise)) return undefined;
  return {
    send(text) {
      socket.end(text);
      return closed.promise;
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}
