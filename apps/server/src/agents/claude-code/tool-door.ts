/**
 * How the tools of a turn get into a Claude process: a small MCP server that Claude Code starts beside itself, and
 * that finds its way back to us by its environment. Who serves it is decided where the parts meet.
 */
import type { ToolDeclaration, ToolResult } from "../agent-runtime.ts";

export interface ToolDoorOptions {
  readonly conversationKey: string;
  readonly claudeSession: string;
  readonly tools: readonly ToolDeclaration[];
  /** The signal: nobody waits for the result any more. */
  readonly callTool: (name: string, input: unknown, signal?: AbortSignal) => Promise<ToolResult>;
  /** The MCP server has found its way to us; it is the process of that number. */
  readonly onFound?: (pid: number) => void;
  /** We have lost sight of it. It may come back. */
  readonly onLost?: () => void;
}

export interface ToolDoor {
  /** The MCP server, as Claude Code is to start it. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Sends a message through Claude Code's channel. Nobody tells whether it arrives. */
  readonly deliver?: (content: string) => void;
  close(): Promise<void>;
}

export type OpenToolDoor = (options: ToolDoorOptions) => Promise<ToolDoor>;
