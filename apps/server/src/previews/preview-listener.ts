/**
 * The port of previews, and nothing else of the server: no API, no socket, no login.
 *
 * Whoever is slow, silent or many is let go, so that previews cannot take anything from the server's own port.
 */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";

export interface PreviewListener extends AsyncDisposable {
  readonly port: number;
}

export interface PreviewListenerOptions {
  readonly host: string;
  /** The first that is free is taken; 0 is any. */
  readonly ports: Iterable<number>;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

// As in listener.ts.
const { createServer } = process.getBuiltinModule("node:http");
const MAX_CONNECTIONS = 128;
const REQUEST_TIMEOUT_MS = 10_000;
const SILENCE_MS = 30_000;
const SWEEP_MS = 1_000;

/** Undefined: none of them can be had. */
export async function openPreviewListener({
  host,
  ports,
  answer,
}: PreviewListenerOptions): Promise<PreviewListener | undefined> {
  for (const wanted of ports) {
    const server = createServer(
      {
        headersTimeout: REQUEST_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        connectionsCheckingInterval: SWEEP_MS,
      },
      (request, response) => void answer(request, response),
    );
    server.maxConnections = MAX_CONNECTIONS;
    server.timeout = SILENCE_MS;
    server.on("upgrade", (_request, socket) => socket.destroy());
    server.listen(wanted, host);
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    // One that cannot be let in costs no one else anything.
    server.on("error", () => undefined);
    const address = server.address();
    return {
      port: typeof address === "object" && address !== null ? address.port : wanted,
      async [Symbol.asyncDispose]() {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await closed;
      },
    };
  }
  return undefined;
}
