/**
 * The tools we offer an ACP agent: an MCP server that the agent starts, or one that we serve over HTTP, which passes each
 * call to the agent's current turn. A call between turns is answered with an error.
 */
import type { McpServer } from "@agentclientprotocol/sdk";
import type { ToolDeclaration, ToolResult, Turn, TurnHost } from "../../turn/agent-runtime.ts";
import type { OpenMcpToolServer } from "../../turn/mcp-tool-server.ts";
import { nameTools } from "../../turn/tool-names.ts";
import { callTool } from "../../turn/use-tool.ts";
import { openHttpToolServer, type HttpToolServerDeps } from "./http-tool-server.ts";
import { createOwnCalls, type OwnCalls, type ToolConvention } from "./own-calls.ts";

export interface AcpToolServer {
  /** What the agent is told of; empty when we have no tools for it. */
  readonly servers: readonly McpServer[];
  /** Calls go to this turn until the returned object is disposed of. */
  serve(host: TurnHost): Disposable;
  readonly calls: OwnCalls;
  close(): Promise<void>;
}

export type ToolTransport = "stdio" | "http";

export interface ToolServerDeps extends HttpToolServerDeps {
  readonly openMcpToolServer?: OpenMcpToolServer | undefined;
}

const SERVER = "atrium";
const BETWEEN_TURNS: ToolResult = {
  text: "This tool can only be called during a turn.",
  isError: true,
};

export async function openAcpToolServer(
  deps: ToolServerDeps,
  { conversation }: Turn,
  offered: readonly ToolDeclaration[],
  convention: ToolConvention & { readonly toolTransport: ToolTransport },
): Promise<AcpToolServer> {
  let host: TurnHost | undefined;
  const named = nameTools(offered);
  const { declarations } = named;
  const call = async (name: string, input: unknown): Promise<ToolResult> =>
    host === undefined ? BETWEEN_TURNS : callTool(host, named.nameOf(name), input);
  const names = declarations.map(({ name }) => [name, named.nameOf(name)] as const);
  const opened = await open();
  return {
    servers: opened?.servers ?? [],
    calls: createOwnCalls(names, convention),
    serve(next) {
      host = next;
      return {
        [Symbol.dispose]() {
          if (host === next) host = undefined;
        },
      };
    },
    close: async () => opened?.close(),
  };

  async function open(): Promise<Pick<AcpToolServer, "servers" | "close"> | undefined> {
    if (offered.length === 0) return undefined;
    if (convention.toolTransport === "http") {
      const server = await openHttpToolServer(declarations, call, deps);
      const { url, headers } = server;
      return {
        servers: [{ type: "http", name: SERVER, url, headers: [...headers] }],
        close: () => server.close(),
      };
    }
    const server = await deps.openMcpToolServer?.({
      conversationKey: conversation.key,
      claudeSession: conversation.sessionId,
      tools: declarations,
      callTool: call,
    });
    if (server === undefined) return undefined;
    const [command = "", ...args] = server.command;
    const given = { ...server.env, SYNTHESIS_TRANSPORT: "acp" };
    const env = Object.entries(given).map(([name, value]) => ({ name, value }));
    return { servers: [{ name: SERVER, command, args, env }], close: () => server.close() };
  }
}
