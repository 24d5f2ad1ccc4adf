/**
 * Claude's tool calls on their way to the server and back. Every call ends: with its result, or with an
 * error that says what is known. A call that was under way when the connection was lost is not made
 * again, because nobody here can know whether it took effect.
 */
import type { ToolCall, ToolResult } from "@atrium/wire/bridge";
import type { Timers } from "./system.ts";

export interface CallOutcome {
  readonly text: string;
  readonly isError: boolean;
}

export interface ToolCallDeps {
  readonly timers: Timers;
  /** False when there is no connection. */
  readonly send: (frame: ToolCall) => boolean;
  /** Why there will be no connection any more. */
  readonly endReason: () => string | undefined;
}

interface Pending {
  readonly tool: string;
  readonly settle: (outcome: CallOutcome) => void;
}

/** How long a call waits for a connection to come back. */
const TIMEOUT_MS = 5_000;

export class ToolCalls {
  readonly #deps: ToolCallDeps;
  readonly #pending = new Map<string, Pending>();
  readonly #waiting = new Set<() => void>();
  #count = 0;

  constructor(deps: ToolCallDeps) {
    this.#deps = deps;
  }

  async call(
    tool: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<CallOutcome> {
    const callId = `tc_${++this.#count}`;
    const frame: ToolCall = { type: "tool_call", call_id: callId, tool, args };
    return new Promise((resolve) => {
      const settle = (outcome: CallOutcome): void => {
        this.#pending.delete(callId);
        resolve(outcome);
      };
      // Before it is sent: the answer may be there at once.
      this.#pending.set(callId, { tool, settle });
      signal.addEventListener("abort", () => settle(failed("The call was cancelled.")));
      if (this.#deps.send(frame)) return;
      this.#pending.delete(callId);
      this.#whenUp(() => {
        if (signal.aborted) return;
        this.#pending.set(callId, { tool, settle });
        if (!this.#deps.send(frame)) settle(this.#unreachable());
      });
    });
  }

  settle(frame: ToolResult): void {
    this.#pending.get(frame.call_id)?.settle(outcomeOf(frame));
  }

  onUp(): void {
    for (const resume of this.#waiting) resume();
  }

  onDown(reason: string): void {
    for (const { tool, settle } of this.#pending.values()) {
      settle(
        failed(
          `The connection to Atrium was lost while ${tool} was under way (${reason}). It is not known whether it took effect.`,
        ),
      );
    }
    if (this.#deps.endReason() !== undefined) this.onUp();
  }

  /** Goes on when there is a connection, when there will be none, or when it has waited long enough. */
  #whenUp(resume: () => void): void {
    if (this.#deps.endReason() !== undefined) {
      resume();
      return;
    }
    const resumeOnce = (): void => {
      cancel();
      this.#waiting.delete(resumeOnce);
      resume();
    };
    const cancel = this.#deps.timers.after(TIMEOUT_MS, resumeOnce);
    this.#waiting.add(resumeOnce);
  }

  #unreachable(): CallOutcome {
    const reason = this.#deps.endReason();
    return failed(
      reason === undefined
        ? "Atrium cannot be reached right now. The tool was not called; try again in a moment."
        : `Atrium no longer serves this session (${reason}). The tool was not called.`,
    );
  }
}

function failed(text: string): CallOutcome {
  return { text, isError: true };
}

function outcomeOf(frame: ToolResult): CallOutcome {
  if (!frame.ok) return failed(frame.error);
  const { result } = frame;
  const hasText = typeof result === "object" && result !== null && "text" in result;
  if (hasText && typeof result.text === "string") return { text: result.text, isError: false };
  return { text: typeof result === "string" ? result : JSON.stringify(result), isError: false };
}
