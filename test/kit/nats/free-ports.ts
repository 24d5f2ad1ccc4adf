/**
 * Ports that nobody listens on. They lie below those that the kernel gives away by itself, so that a server that was
 * ended and starts again finds its own free.
 */
import { once } from "node:events";
import { createServer, type Server } from "node:net";

const FIRST = 15_000;
const COUNT = 15_000;

export async function freePorts(count: number): Promise<readonly number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const server = held.has(port) ? undefined : await tryListen(port);
    if (server !== undefined) held.set(port, server);
  }
  await Promise.all([...held.values()].map((server) => once(server.close(), "close")));
  return [...held.keys()];
}

async function tryListen(port: number): Promise<Server | undefined> {
  const server = createServer();
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return server;
  } catch {
    return undefined;
  }
}
