/**
 * The least a server of events can do: write the same event so many times to whoever asks, one per turn
 * of the loop, and end. It decides nothing and keeps nothing.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [count = "1", text = ""] = process.argv.slice(2);

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  let left = Number(count);
  const write = (): void => {
    if (left-- === 0) {
      response.end();
      return;
    }
    response.write(`id: ${left}\ndata: ${text}\n\n`);
    setImmediate(write);
  };
  write();
});

server.listen(0, "127.0.0.1", () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is one
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ port }));
});
