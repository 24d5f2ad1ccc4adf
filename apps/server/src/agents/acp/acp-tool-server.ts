/**
 * Our tools in an agent's hands: an MCP server that the agent starts beside itself, and behind it whatever turn the
 * agent is in. What it calls between turns is answered with an error.
 */
import type { McpServer } from "@agentclientprotocol/sdk";
import type { ToolDeclaration, ToolResult, Turn, TurnHost } from "../turn/agent-runtime.ts";
import type { OpenMcpToolServer } from "../turn/mcp-tool-server.ts";
import { nameTools } from "../turn/tool-names.ts";
import { callTool } from "../turn/use-tool.ts";

export interface AcpToolServer {
  /** As the agent is to start it; empty where we have no tools for it. */
  readonly servers: readonly McpServer[];
  /** From now on it is this turn's tools that are called, until disposed of. */
  wear(host: TurnHost): Disposable;
  has(name: string): boolean;
  close(): Promise<void>;
}

const SERVER = "atrium";
const BETWEEN_TURNS: ToolResult = {
  text: "This tool can only be called during a turn.",
  isError: true,
};

export async function openToolBelt(
  openDoor: OpenMcpToolServer | undefined,
  { conversation }: Turn,
  offered: readonly ToolDeclaration[],
): Promise<AcpToolServer> {
  let host: TurnHost | undefined;
  const tools = nameTools(offered);
  const door =
    offered.length === 0
      ? undefined
      : await openDoor?.({
          conversationKey: conversation.key,
          claudeSession: conversation.sessionId,
          tools: tools.declarations,
          callTool: async (name, input) =>
            host === undefined ? BETWEEN_TURNS : callTool(host, tools.nameOf(name), input),
        });
  const [command = "", ...args] = door?.command ?? [];
  const given = { ...door?.env, SYNTHESIS_TRANSPORT: "acp" };
  const env = Object.entries(given).map(([name, value]) => ({ name, value }));
  const names = new Set(tools.declarations.map(({ name }) => `mcp__${SERVER}__${name}`));
  return {
    servers: door === undefined ? [] : [{ name: SERVER, command, args, env }],
    has: (name) => names.has(name),
    wear(next) {
      host = next;
      return {
        [Symbol.dispose]() {
          if (host === next) host = undefined;
        },
      };
    },
    close: async () => door?.close(),
  };
}
