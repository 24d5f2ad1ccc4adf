/** A way to a server on this machine that can be cut, and that can swallow what the server says. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface BreakableWire extends AsyncDisposable {
  readonly port: number;
  /** How many times someone has come this way. */
  readonly connections: number;
  /** The ends that are open: two for each who is there. */
  readonly openEnds: number;
  /** While true, nothing that the server says arrives. */
  isDeaf: boolean;
  /** While true, nobody gets through. */
  isClosed: boolean;
  /** Runs at every chunk on its way to the server, before it is passed on. */
  onUpstream: () => void;
  cut(): void;
}

export async function openBreakableWire(serverPort: number): Promise<BreakableWire> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((near) => {
    if (wire.isClosed) {
      near.destroy();
      return;
    }
    connections += 1;
    const far = connect(serverPort, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      const other = socket === near ? far : near;
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    near.on("data", (chunk) => {
      wire.onUpstream();
      far.write(chunk);
    });
    far.on("data", (chunk) => {
      if (!wire.isDeaf) near.write(chunk);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const wire: BreakableWire = {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    get connections() {
      return connections;
    },
    get openEnds() {
      return sockets.size;
    },
    isDeaf: false,
    isClosed: false,
    onUpstream: () => undefined,
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      wire.cut();
      await once(server, "close");
    },
  };
  return wire;
}
