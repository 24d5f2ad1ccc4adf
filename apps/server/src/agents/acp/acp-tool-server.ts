/**
 * The tools we offer an ACP agent: an MCP server that the agent starts, which passes each call to the agent's current
 * turn. A call between turns is answered with an error.
 */
import type { McpServer } from "@agentclientprotocol/sdk";
import type { ToolDeclaration, ToolResult, Turn, TurnHost } from "../turn/agent-runtime.ts";
import type { OpenMcpToolServer } from "../turn/mcp-tool-server.ts";
import { nameTools } from "../turn/tool-names.ts";
import { callTool } from "../turn/use-tool.ts";

export interface AcpToolServer {
  /** What the agent starts; empty when we have no tools for it. */
  readonly servers: readonly McpServer[];
  /** Calls go to this turn until the returned object is disposed of. */
  serve(host: TurnHost): Disposable;
  has(name: string): boolean;
  close(): Promise<void>;
}

const SERVER = "atrium";
const BETWEEN_TURNS: ToolResult = {
  text: "This tool can only be called during a turn.",
  isError: true,
};

export async function openAcpToolServer(
  openServer: OpenMcpToolServer | undefined,
  { conversation }: Turn,
  offered: readonly ToolDeclaration[],
): Promise<AcpToolServer> {
  let host: TurnHost | undefined;
  const tools = nameTools(offered);
  const server =
    offered.length === 0
      ? undefined
      : await openServer?.({
          conversationKey: conversation.key,
          claudeSession: conversation.sessionId,
          tools: tools.declarations,
          callTool: async (name, input) =>
            host === undefined ? BETWEEN_TURNS : callTool(host, tools.nameOf(name), input),
        });
  const [command = "", ...args] = server?.command ?? [];
  const given = { ...server?.env, SYNTHESIS_TRANSPORT: "acp" };
  const env = Object.entries(given).map(([name, value]) => ({ name, value }));
  const names = new Set(tools.declarations.map(({ name }) => `mcp__${SERVER}__${name}`));
  return {
    servers: server === undefined ? [] : [{ name: SERVER, command, args, env }],
    has: (name) => names.has(name),
    serve(next) {
      host = next;
      return {
        [Symbol.dispose]() {
          if (host === next) host = undefined;
        },
      };
    },
    close: async () => server?.close(),
  };
}
