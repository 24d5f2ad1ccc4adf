/**
 * The least a JSON server on `ws` can do: parse, answer, stringify. It checks nothing, knows no one
 * and keeps nothing. `publish` is a loop that sends the same string to each client.
 *
 * With an argument (JSON), every answer carries that value instead of the request.
 */
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

interface Request {
  readonly id: string;
  readonly method: string;
  readonly params?: unknown;
}

const [given] = process.argv.slice(2);
const fixed: unknown = given === undefined ? undefined : JSON.parse(given);
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
let seq = 0;

server.on("connection", (socket) => {
  socket.on("message", (data: Buffer) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not checking is the point
    const request = JSON.parse(data.toString()) as Request;
    if (request.method === "publish") publish(request.params);
    socket.send(
      JSON.stringify({ type: "res", id: request.id, ok: true, payload: fixed ?? request }),
    );
  });
});

server.on("listening", () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is one
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ port }));
});

function publish(payload: unknown): void {
  const text = JSON.stringify({ type: "event", event: "chat", payload, seq: ++seq });
  for (const client of server.clients) client.send(text);
}
