/**
 * peers/socket-io.ts in a process of its own. Its peers speak Engine.IO 4 and Socket.IO 5 by hand,
 * straight over a WebSocket: the real client would cost the generator more than the server spends.
 */
import { RawSocket, type FrameTest } from "../load/raw-socket.ts";
import { CHAT_PAYLOAD } from "./chat-event.ts";
import { startChild } from "./child-server.ts";
import type { Target } from "./target.ts";

const SOCKET_IO = new URL("../peers/socket-io.ts", import.meta.url);
const PATH = "/socket.io/?EIO=4&transport=websocket";
// Engine.IO: 0 open, 4 message; within a message, Socket.IO: 0 connect, 2 event.
const OPEN = "0";
const CONNECT = "40";
const EVENT = "42";
const FOUR = "4".charCodeAt(0);
const TWO = "2".charCodeAt(0);

const isEvent: FrameTest = (bytes, at) => bytes[at] === FOUR && bytes[at + 1] === TWO;

export async function startSocketIo(): Promise<Target> {
  const child = await startChild(SOCKET_IO);
  return {
    name: "socket.io with recovery",
    pid: child.pid,
    join: () => joinSocketIo(child.port),
    publication: `${EVENT}${JSON.stringify(["publish", CHAT_PAYLOAD])}`,
    isEvent,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

async function joinSocketIo(port: number): Promise<RawSocket> {
  const socket = await RawSocket.open(port, PATH);
  await socket.next((head) => head.startsWith(OPEN));
  const connected = socket.next((head) => head.startsWith(CONNECT));
  socket.send(CONNECT);
  await connected;
  return socket;
}
