/** The MCP server about tides at an address on loopback. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export interface TidesHttp extends AsyncDisposable {
  readonly url: string;
  /** Of every request, with its method. */
  readonly requests: readonly {
    readonly method: string;
    readonly rpc: string;
    readonly headers: IncomingHttpHeaders;
  }[];
}

export interface TidesHttpOptions {
  /** In a stream of events, after something else. */
  readonly isStreamed?: boolean;
  /** Answers so and nothing else. */
  readonly status?: number;
  readonly location?: string;
  readonly text?: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
}

interface Params {
  readonly protocolVersion?: string;
}

export async function openTidesHttp(options: TidesHttpOptions = {}): Promise<TidesHttp> {
  const requests: TidesHttp["requests"][number][] = [];
  const server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      const { method = "", headers } = request;
      const {
        id,
        method: rpc = "",
        params = {},
      } = method === "POST" ? ((await json(request)) as Message) : ({} as Message);
      requests.push({ method, rpc, headers });
      if (method === "GET") {
        // It begins no messages of its own.
        response.writeHead(405).end();
        return;
      }
      if (options.status !== undefined) {
        const { location } = options;
        response.writeHead(options.status, location === undefined ? {} : { location }).end("no");
        return;
      }
      if (id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const answer =
        options.text ?? JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(rpc, params) });
      response.setHeader("mcp-session-id", "session-of-tides");
      if (options.isStreamed !== true) {
        response.setHeader("content-type", "application/json");
        response.end(answer);
        return;
      }
      response.setHeader("content-type", "text/event-stream");
      const ping = JSON.stringify({ jsonrpc: "2.0", id: "p1", method: "ping" });
      response.write(`: hello\n\nevent: message\ndata: ${ping}\n\n`);
      response.end(`event: message\ndata: ${answer}\n\n`);
    };
    void serve();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function resultOf(method: string, { protocolVersion = "2025-11-25" }: Params): object {
  switch (method) {
    case "initialize":
      return {
        // Any version does for so little.
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "tides", version: "1" },
      };
    case "tools/list":
      return { tools: [{ name: "tide", description: "Tides.", inputSchema: { type: "object" } }] };
    default:
      return { content: [{ type: "text", text: "High water at noon." }] };
  }
}
