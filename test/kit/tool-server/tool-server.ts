/** The door to a turn's tools, for tests: the MCP server beside this file, over HTTP on loopback. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import type { OpenMcpToolServer } from "../../../apps/server/src/agents/turn/mcp-tool-server.ts";

interface Asked {
  readonly name?: string;
  readonly input?: unknown;
}

const SERVER = join(import.meta.dirname, "mcp-stdio.ts");

const open: OpenMcpToolServer = async ({ tools, callTool, conversationKey }) => {
  const token = randomUUID();
  const server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      if (request.headers.authorization !== `Bearer ${token}`) {
        response.writeHead(401).end();
        return;
      }
      const { name, input } = (await json(request)) as Asked;
      response.end(JSON.stringify(name === undefined ? listed : await called(name, input)));
    };
    void serve();
  });
  const listed = {
    tools: tools.map(({ name, description, input }) => ({ name, description, inputSchema: input })),
  };
  const called = async (name: string, input: unknown): Promise<object> => {
    const { text, isError } = await callTool(name, input);
    return { content: [{ type: "text", text }], isError };
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    command: [process.execPath, SERVER],
    env: {
      SYNTHESIS_BRIDGE_URL: `http://127.0.0.1:${port}/`,
      SYNTHESIS_BRIDGE_TOKEN: token,
      SYNTHESIS_OPENCLAW_SESSION: conversationKey,
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};

export const openToolServer: OpenMcpToolServer = Object.assign(open, { reads: [SERVER] });
