import type { McpServers } from "../../settings/mcp-server-settings.ts";
/**
 * One running Claude Code, whatever way we speak with it: the interface of the four transports.
 *
 *   headless      JSON lines on its standard streams
 *   interactive   a terminal to type into, and hooks that tell what happens
 *   channel       as interactive, but messages arrive through the bridge
 *   bridge        the bridge's frames and nothing else, whatever program speaks them
 *
 * A process serves one conversation, one turn at a time, and has at most one listener.
 */
import type {
  Skill,
  TurnAttachment,
  TurnEvent,
  TurnFailureKind,
  TurnInbound,
  TurnUsage,
} from "../../turn/agent-runtime.ts";
import type { ClaudeConfinement } from "./sandbox-settings.ts";

export interface ClaudePrompt {
  readonly text: string;
  readonly attachments: readonly TurnAttachment[];
  /** The messages it is made of, for a transport that delivers each by itself. */
  readonly messages?: readonly TurnInbound[];
  readonly runId?: string;
}

export interface PermissionPrompt {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly description: string | undefined;
  readonly cwd: string | undefined;
}

export type PermissionDecision =
  | { readonly behavior: "allow"; readonly input?: unknown }
  | { readonly behavior: "deny"; readonly message: string };

export type ProcessEvent =
  | Extract<TurnEvent, { readonly type: "text" | "thinking" | "tool.called" | "tool.returned" }>
  | ({ readonly type: "permission.wanted" } & PermissionPrompt)
  /** Somebody at the terminal was faster. */
  | { readonly type: "permission.settled"; readonly id: string }
  | { readonly type: "usage"; readonly usage: TurnUsage }
  | { readonly type: "retrying"; readonly attempt: number; readonly reason: string }
  /** What was added has been taken in. */
  | { readonly type: "heard"; readonly text: string }
  /** Our tools are gone and will not come back to this process. */
  | { readonly type: "tools.lost" }
  /** `isAtWork`: the turn is given up, but Claude Code does not know that yet. */
  | { readonly type: "ended"; readonly ending: ClaudeEnding; readonly isAtWork?: boolean }
  | { readonly type: "gone"; readonly why: string };

export type ClaudeEnding =
  | { readonly how: "completed"; readonly stopReason: string }
  | { readonly how: "interrupted" }
  | { readonly how: "failed"; readonly kind: TurnFailureKind; readonly reason: string };

export interface ClaudeProcess {
  readonly pid: number | undefined;
  /** False as soon as it has ended or was told to. */
  readonly isUsable: boolean;
  /** Whether it has said anything since it was started: from then on a message may have been read. */
  readonly hasSpoken: boolean;
  /** Whether it has begun with what was said last; where that cannot be known, it has. */
  readonly hasTakenPrompt: boolean;
  /** Whether an interrupted turn leaves it as it was. */
  readonly survivesInterrupt: boolean;
  readonly ended: Promise<string>;
  /** Hears what happens from now on; undefined: nobody does. */
  listen(listener: ((event: ProcessEvent) => void) | undefined): void;
  say(prompt: ClaudePrompt): void;
  /** Adds to what it is at; left out: nothing can be added. Taken in, it is told as `heard`. */
  add?(text: string): void;
  permit(id: string, decision: PermissionDecision): void;
  interrupt(): void;
  loseTools(): void;
  /** Ends it, by force if need be; resolves when nothing of it is left. */
  stop(): Promise<void>;
}

/** It will not start however often it is tried; the message says what a person can do. */
export class ClaudeUnusable extends Error {
  override readonly name = "ClaudeUnusable";
}

export interface Launch {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly claudeSession: string;
  readonly isResumed: boolean;
  readonly permissionMode: string;
  readonly model: string | undefined;
  readonly effort: string | undefined;
  readonly instructions: string;
  readonly extraArgs: readonly string[];
  /** How it is confined; left out: it works where the settings say, with the rights of the server's user. */
  readonly confinement?: ClaudeConfinement;
  /** The program that brings our tools, as Claude Code is to start it. */
  readonly toolServer: readonly string[] | undefined;
  /** Servers of the settings, besides ours. */
  readonly mcpServers?: McpServers;
  /** Whether it also uses servers that its user has configured in it. */
  readonly ownSettings?: boolean;
  /** Of its agent, in a plugin that was made for them. */
  readonly skills?: { readonly pluginFolder: string; readonly list: readonly Skill[] } | undefined;
}
