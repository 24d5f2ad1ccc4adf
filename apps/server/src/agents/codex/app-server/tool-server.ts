/**
 * The tools we offer Codex: an MCP server that Codex starts, which passes each call to the current turn. A call between
 * turns is answered with an error.
 */
import type { ToolDeclaration, ToolResult, Turn, TurnHost } from "../../turn/agent-runtime.ts";
import type { OpenMcpToolServer } from "../../turn/mcp-tool-server.ts";
import { secretsIn } from "../../turn/redact.ts";
import { nameTools } from "../../turn/tool-names.ts";
import { callTool } from "../../turn/use-tool.ts";

export interface CodexToolServer {
  /** Codex's configuration of it; empty when we have no tools for it. */
  readonly config: Readonly<Record<string, unknown>>;
  /** What its environment holds and nobody may say. */
  readonly secrets: readonly string[];
  isOurs(server: string): boolean;
  toolName(server: string, tool: string): string;
  /** Calls go to this turn until the returned object is disposed of. */
  serve(host: TurnHost): Disposable;
  close(): Promise<void>;
}

const SERVER = "atrium";
/** A tool may wait for people, who may take days; Codex would wait for a minute. */
const TOOL_TIMEOUT_SECONDS = 7 * 24 * 3600;
const BETWEEN_TURNS: ToolResult = {
  text: "This tool can only be called during a turn.",
  isError: true,
};

export async function openCodexToolServer(
  openServer: OpenMcpToolServer | undefined,
  { conversation }: Turn,
  offered: readonly ToolDeclaration[],
  mark: Readonly<Record<string, string>>,
): Promise<CodexToolServer> {
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
  const env = { ...server?.env, ...mark, SYNTHESIS_TRANSPORT: "codex" };
  const entry = { command, args, env, tool_timeout_sec: TOOL_TIMEOUT_SECONDS };
  const isOurs = (name: string): boolean => server !== undefined && name === SERVER;
  return {
    config: server === undefined ? {} : { [`mcp_servers.${SERVER}`]: entry },
    secrets: secretsIn(env),
    isOurs,
    toolName: (name, tool) => (isOurs(name) ? tools.nameOf(tool) : `mcp__${name}__${tool}`),
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
