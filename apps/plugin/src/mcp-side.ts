/**
 * The side that Claude Code sees: an MCP server over stdio that is also a channel.
 *
 * Version 1 of the SDK, on purpose: Claude Code refuses channels on connections that negotiated a newer
 * revision of MCP. What the SDK has no types for, the channel's notifications, goes to the transport as
 * it is.
 */
import type { Readable, Writable } from "node:stream";
import type { BridgeTool } from "@atrium/wire/bridge";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Timers } from "./system.ts";
import type { CallOutcome } from "./tool-calls.ts";

export interface McpDeps {
  readonly input: Readable;
  readonly output: Writable;
  readonly version: string;
  readonly instructions: string;
  readonly timers: Timers;
  readonly log: (line: string) => void;
  readonly listTools: () => Promise<readonly BridgeTool[]>;
  readonly callTool: (
    name: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ) => Promise<CallOutcome>;
  readonly onInitialized: () => void;
  /** Left out: it is no channel, and offers tools only. */
  readonly onNotification?: (method: string, params: unknown) => void;
}

export interface McpSide {
  notify(method: string, params?: Record<string, unknown>): void;
  close(): Promise<void>;
}

/** Clients that wait no longer than a minute for a sign of life are given one before that. */
const PROGRESS_MS = 25_000;
const CHANNEL = { "claude/channel": {}, "claude/channel/permission": {} };

export async function openMcpSide(deps: McpDeps): Promise<McpSide> {
  const { input, output, version, log } = deps;
  const mcp = new McpServer(
    { name: "atrium", version },
    {
      capabilities: {
        tools: { listChanged: true },
        ...(deps.onNotification !== undefined && { experimental: CHANNEL }),
      },
      instructions: deps.instructions,
    },
  );
  const { server } = mcp;
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const tools = await deps.listTools();
    return { tools: tools.map(describe) };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const stop = reportProgress(params._meta?.progressToken);
    try {
      const { text, isError } = await deps.callTool(params.name, params.arguments ?? {}, signal);
      return { content: [{ type: "text", text }], isError };
    } finally {
      stop();
    }
  });
  server.fallbackNotificationHandler = async ({ method, params }) =>
    deps.onNotification?.(method, params);
  server.oninitialized = deps.onInitialized;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's server is no event target
  server.onerror = (error) => log(error.message);
  const transport = new StdioServerTransport(input, output);
  const notify = (method: string, params?: Record<string, unknown>): void => {
    transport
      .send({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) })
      .catch((cause: unknown) => log(`could not write: ${String(cause)}`));
  };

  /** That a call which waits for people is under way, for clients that asked to be told. */
  function reportProgress(progressToken: string | number | undefined): () => void {
    let progress = 0;
    const schedule = (): (() => void) =>
      deps.timers.after(PROGRESS_MS, () => {
        notify("notifications/progress", { progressToken, progress: ++progress });
        cancel = schedule();
      });
    let cancel = progressToken === undefined ? undefined : schedule();
    return () => cancel?.();
  }

  await mcp.connect(transport);
  return { notify, close: () => mcp.close() };
}

/** MCP wants the schema of an object, and says so in the type. */
function describe({ name, description, inputSchema, input_schema: older }: BridgeTool) {
  const schema = { ...(inputSchema ?? older), type: "object" as const };
  return { name, ...(description !== undefined && { description }), inputSchema: schema };
}
