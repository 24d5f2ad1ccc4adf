/** The socket of the daemon of Codex: WebSocket over a Unix socket. It knows texts, and not what they mean. */
import { connect } from "node:net";
import { WebSocket } from "ws";

export interface DaemonSocketHandlers {
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  /** Once, however it ended. */
  readonly onClosed: () => void;
}

export interface DaemonSocket {
  send(text: string): void;
  close(): void;
}

const HANDSHAKE_MS = 5_000;
/** Of one message. A daemon that sends more is let go of. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

export function openDaemonSocket(path: string, handlers: DaemonSocketHandlers): DaemonSocket {
  const socket = new WebSocket("ws://localhost/", {
    createConnection: () => connect(path),
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  socket.on("open", handlers.onOpen);
  socket.on("message", (data: Buffer, isBinary) => {
    if (!isBinary) handlers.onText(data.toString("utf8"));
  });
  // What went wrong is of no interest: the close that follows says that it is over.
  socket.on("error", () => undefined);
  socket.on("close", handlers.onClosed);
  return {
    send(text) {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.terminate(),
  };
}
