/**
 * Where Claude Code's HTTP hooks arrive: on loopback, under a path nobody can guess, one for each process. What is
 * not a hook of a process we run is told nothing but 404, and after a few tries 429.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Fields } from "../../turn/json-fields.ts";
import { parseFields } from "../../turn/json-fields.ts";

/** What the hook answers; it may take its time. Undefined: nothing, and Claude Code goes on as if not asked. */
export type OnHook = (
  event: string,
  body: Fields,
  left: AbortSignal,
) => Promise<object | undefined> | object | undefined;

export interface HooksServer {
  register(onHook: OnHook): { readonly url: string; readonly remove: () => void };
  close(): Promise<void>;
}

const MAX_BYTES = 32 * 1024 * 1024;

/** Counts a wrong path from an address; how long the next one should wait, zero for not at all. */
export type OnGuess = (address: string) => number;

export async function openHooksServer(
  newSecret: () => string,
  onGuess: OnGuess = () => 0,
  /** Has those that are good for something now. */
  inUse = new Set<string>(),
): Promise<HooksServer> {
  const listeners = new Map<string, OnHook>();
  const server = createServer((request, response) => {
    if (!listeners.has(request.url ?? "")) {
      const isSlowed = onGuess(request.socket.remoteAddress ?? "unknown") > 0;
      response.writeHead(isSlowed ? 429 : 404, { connection: "close" }).end();
      return;
    }
    serve(listeners.get(request.url ?? ""), request, response).catch(() => response.destroy());
  });
  // A person may take long to answer.
  server.requestTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    register(onHook) {
      const secret = newSecret();
      const path = `/${secret}`;
      listeners.set(path, onHook);
      inUse.add(secret);
      return {
        url: `http://127.0.0.1:${port}${path}`,
        remove() {
          listeners.delete(path);
          inUse.delete(secret);
        },
      };
    },
    async close() {
      for (const path of listeners.keys()) inUse.delete(path.slice(1));
      listeners.clear();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(
  onHook: OnHook | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (onHook === undefined || request.method !== "POST") return void response.writeHead(404).end();
  const text = await read(request);
  if (text === undefined) return void response.writeHead(413).end();
  const body = parseFields(text);
  const event = body?.["hook_event_name"];
  if (body === undefined || typeof event !== "string") return void response.writeHead(400).end();
  const left = new AbortController();
  response.once("close", () => left.abort());
  const answer = (await onHook(event, body, left.signal)) ?? {};
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(answer));
}

async function read(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no encoding is set, so parts are bytes
    const bytes = part as Buffer;
    size += bytes.length;
    if (size > MAX_BYTES) return undefined;
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString("utf8");
}
