/** The updates of a run while it goes on, and its end. */
import type { ChatMessage, TokenUsage } from "@atrium/wire/gateway";

export type RunUpdate =
  /** The server has it: it is being answered, or waits for its turn. Comes once. */
  | { readonly type: "accepted"; readonly runId: string }
  /** More words. */
  | TextUpdate
  /** What the agent thinks aloud, where it does. */
  | { readonly type: "thinking"; readonly delta: string }
  /** A tool is used; sent to clients with the `tool-events` capability. */
  | ToolUpdate
  /** The connection is gone; the client is on its way back. */
  | { readonly type: "lost"; readonly reason: string }
  | { readonly type: "back" }
  /** Always the last, and always one. */
  | RunEnd;

export type TextUpdate =
  /** `delta` follows what was said before; `text` is all of it. */
  | { readonly type: "text"; readonly delta: string; readonly text: string }
  /** What was said before no longer holds; this does. */
  | { readonly type: "rewritten"; readonly text: string };

export type ToolUpdate =
  | {
      readonly type: "tool";
      readonly phase: "start";
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
    }
  | {
      readonly type: "tool";
      readonly phase: "result";
      readonly callId: string;
      readonly name: string;
      readonly isError: boolean;
      readonly text: string;
    };

export interface RunEnd {
  readonly type: "end";
  readonly runId: string;
  readonly how: "completed" | "aborted" | "failed";
  /** The whole answer, or as much of it as there was. */
  readonly text: string;
  /** Why it failed or was stopped, for a person. */
  readonly reason?: string | undefined;
  readonly stopReason?: string | undefined;
  readonly message?: ChatMessage | undefined;
  readonly usage?: TokenUsage | undefined;
}
