/**
 * Socket.IO as its documentation would have it for peers that come back: connection state recovery
 * on, WebSocket only. It keeps what was sent in memory and nothing on disk.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "socket.io";

const http = createServer();
const io = new Server(http, {
  transports: ["websocket"],
  connectionStateRecovery: {},
  // Longer than any run: its heartbeat is no part of what is measured.
  pingInterval: 600_000,
});

io.on("connection", (socket) => {
  socket.on("publish", (payload: unknown) => io.emit("chat", payload));
});

http.listen(0, "127.0.0.1", () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is one
  const { port } = http.address() as AddressInfo;
  console.log(JSON.stringify({ port }));
});
