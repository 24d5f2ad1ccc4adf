/**
 * Our tools as an MCP server over HTTP, for agents that start none: on loopback, for whoever shows the secret that was
 * made for this one agent. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 *
 * Every request is answered by itself: there is no session, and nothing is said unasked. The result of a tool is
 * streamed, because people may take long to answer, and a connection on which nothing is heard is given up.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import manifest from "../../../../package.json" with { type: "json" };
import { isSameSecret } from "../../../access/secrets.ts";
import type { Timers } from "../../../platform/timers.ts";
import type { ToolDeclaration, ToolResult } from "../../turn/agent-runtime.ts";
import { fieldsOf, parseFields, textIn, type Fields } from "../../turn/json-fields.ts";

export interface HttpToolServerDeps {
  readonly timers: Timers;
  readonly newSecret: () => string;
  /** Has the secrets that are good for something now; nobody may say them. */
  readonly secretsInUse?: Set<string> | undefined;
}

export interface HttpToolServer {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  close(): Promise<void>;
}

type CallTool = (name: string, input: unknown) => Promise<ToolResult>;

const PATH = "/mcp";
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Well below the minutes after which clients give up. */
const SIGN_OF_LIFE_MS = 15_000;
/** What we do is the same in all of them; the first is for a client that wants another. */
const PROTOCOL_VERSIONS = ["2025-06-18", "2025-11-25", "2025-03-26"] as const;
const METHOD_NOT_FOUND = -32_601;

export async function openHttpToolServer(
  tools: readonly ToolDeclaration[],
  callTool: CallTool,
  { timers, newSecret, secretsInUse = new Set() }: HttpToolServerDeps,
): Promise<HttpToolServer> {
  const secret = newSecret();
  const authorization = `Bearer ${secret}`;
  const server = createServer((request, response) => {
    const given = request.headers.authorization ?? "";
    if (!isSameSecret(given, authorization)) {
      response.writeHead(401, { connection: "close" }).end();
      return;
    }
    serve(request, response).catch(() => response.destroy());
  });
  // A person may take long to answer.
  server.requestTimeout = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== PATH) return void response.writeHead(404).end();
    if (request.method !== "POST") return void response.writeHead(405, { allow: "POST" }).end();
    const body = await readBody(request);
    if (body === undefined) return void response.destroy();
    const message = parseFields(body);
    if (message === undefined) return void response.writeHead(400).end();
    const { id } = message;
    if (typeof id !== "number" && typeof id !== "string") {
      // A notification, or an answer to something that was not asked.
      return void response.writeHead(202).end();
    }
    const method = textIn(message, "method") ?? "";
    const params = fieldsOf(message["params"]);
    if (method === "tools/call") return streamCall(id, params, response);
    const answer = answerTo(method, params, tools);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  }

  async function streamCall(
    id: number | string,
    params: Fields,
    response: ServerResponse,
  ): Promise<void> {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    const { progressToken } = fieldsOf(params["_meta"]);
    let progress = 0;
    const giveSign = (): void => {
      const sign = { method: "notifications/progress", params: { progressToken, progress } };
      progress++;
      response.write(progressToken === undefined ? ": at work\n\n" : eventOf(sign));
      cancel = timers.after(SIGN_OF_LIFE_MS, giveSign);
    };
    let cancel = timers.after(SIGN_OF_LIFE_MS, giveSign);
    response.write(": at work\n\n");
    response.once("close", () => cancel());
    const { text, isError } = await callTool(
      textIn(params, "name") ?? "",
      params["arguments"] ?? {},
    );
    cancel();
    response.end(eventOf({ id, result: { content: [{ type: "text", text }], isError } }));
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  secretsInUse.add(secret);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    headers: [{ name: "Authorization", value: authorization }],
    async close() {
      secretsInUse.delete(secret);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerTo(method: string, params: Fields, tools: readonly ToolDeclaration[]): object {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: versionFor(textIn(params, "protocolVersion")),
          capabilities: { tools: {} },
          serverInfo: { name: "atrium", title: "Atrium", version: manifest.version },
        },
      };
    case "ping":
      return { result: {} };
    case "tools/list":
      return {
        result: {
          tools: tools.map(({ name, description, input }) => ({
            name,
            description,
            inputSchema: input,
          })),
        },
      };
    default:
      return { error: { code: METHOD_NOT_FOUND, message: "Unknown method." } };
  }
}

function versionFor(wanted: string | undefined): string {
  return PROTOCOL_VERSIONS.find((version) => version === wanted) ?? PROTOCOL_VERSIONS[0];
}

function eventOf(message: object): string {
  return `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no encoding is set, so parts are bytes
    const bytes = part as Buffer;
    size += bytes.length;
    if (size > MAX_BODY_BYTES) return undefined;
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString("utf8");
}
