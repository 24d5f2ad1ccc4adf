/** A way to a server that breaks: every connection through it ends after as many bytes as it is given. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface CutProxy extends AsyncDisposable {
  readonly port: number;
  /** How many connections it has cut. */
  readonly cuts: number;
}

/** `allow` says how many bytes, both ways together, the next connection may carry. */
export async function openCutProxy(target: number, allow: () => number): Promise<CutProxy> {
  const open = new Set<Socket>();
  let cuts = 0;
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    let left = allow();
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on("error", end);
      from.on("close", () => {
        open.delete(from);
        end();
      });
      from.on("data", (chunk: Buffer) => {
        if (left <= 0) return;
        const part = chunk.subarray(0, left);
        left -= part.length;
        if (left > 0) to.write(part);
        else {
          cuts += 1;
          // The last bytes leave, a frame cut in the middle with them; then both ends see it end.
          to.write(part, end);
        }
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    get cuts() {
      return cuts;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
  };
}
