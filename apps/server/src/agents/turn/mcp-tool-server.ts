/**
 * How the tools of a turn get into a Claude process: a small MCP server that Claude Code starts beside itself, and
 * that finds its way back to us by its environment. Who serves it is decided where the parts meet.
 */
import type { ToolDeclaration, ToolResult, TurnInbound } from "./agent-runtime.ts";

export interface InboundToolMessage {
  readonly id: string;
  readonly content: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Something it asks to be allowed, by the five letters it gave it. */
export interface BridgedRequest {
  readonly code: string;
  readonly tool: string;
  readonly input: unknown;
  readonly rationale: string;
}

export interface DroppedToolMessage {
  readonly reason: "overflow" | "closed";
  readonly mayHaveArrived: boolean;
}

export interface McpToolServerOptions {
  readonly conversationKey: string;
  readonly claudeSession: string;
  readonly tools: readonly ToolDeclaration[];
  /** The signal: nobody waits for the result any more. */
  readonly callTool: (name: string, input: unknown, signal?: AbortSignal) => Promise<ToolResult>;
  /** The MCP server has found its way to us; it is the process of that number. */
  readonly onFound?: (pid: number) => void;
  /** We have lost sight of it. It may come back. */
  readonly onLost?: () => void;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Left out: whatever it asks for over the bridge is denied. */
  readonly onPermission?: (request: BridgedRequest) => void;
  readonly onDropped?: (messageId: string, drop: DroppedToolMessage) => void;
  /** Somebody else starts it, with a secret of the settings: it comes and goes, and this server stays open. */
  readonly isByHand?: boolean;
}

export interface McpToolServer {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Sends a message over the bridge; while nobody is there it waits. */
  readonly deliver?: (message: InboundToolMessage) => void;
  /** A message that has not been sent yet is not sent any more. */
  readonly withdraw?: (id: string) => void;
  readonly replyPermission?: (code: string, behavior: "allow" | "deny") => void;
  readonly isConnected?: boolean;
  close(): Promise<void>;
}

export interface OpenMcpToolServer {
  (options: McpToolServerOptions): Promise<McpToolServer>;
  /** What its command reads besides the server's Node; for a program that is confined. Left out: nothing. */
  readonly reads?: readonly string[];
}

export function inboundToolMessage(
  { messageId, text, sender, channel, at }: TurnInbound,
  attachments: readonly unknown[],
): InboundToolMessage {
  return {
    id: messageId,
    content: text,
    meta: {
      message_id: messageId,
      user: sender.name,
      user_id: sender.id,
      ts: new Date(at).toISOString(),
      source_channel: channel,
      ...(attachments.length > 0 && { attachments }),
    },
  };
}
