/**
 * Claude's tool calls on one connection: each gets exactly one result while the connection lasts. When
 * it ends they are aborted, because the plugin that asked has already told Claude that they failed.
 */
import { Fault } from "@atrium/core";
import type { ToolCall, ToolResult as ToolResultFrame } from "@atrium/wire/bridge";
import type { ToolDeclaration, ToolResult } from "../../../agents/turn/agent-runtime.ts";
import type { Timers } from "../../../platform/timers.ts";

export interface ToolOwner {
  readonly tools: readonly ToolDeclaration[];
  callTool(name: string, args: unknown, signal: AbortSignal): Promise<ToolResult>;
}

export interface ToolCallLimits {
  readonly bridgeToolTimeoutMs: number;
  /** How long people have to answer. */
  readonly answerTimeoutMs: number;
}

export interface ToolCallDeps {
  readonly limits: ToolCallLimits;
  readonly timers: Timers;
  readonly send: (frame: ToolResultFrame) => void;
  readonly report: (fault: Fault) => void;
}

/** That nobody answered in time is an answer too, and it must arrive. */
const LAST_WORD_MS = 60_000;
const MAX_CONCURRENT = 64;
/** Of the whole frame, or of the text that is the result. */
const MAX_TOOL_CHARS = 1_000_000;

export class BridgeToolCalls {
  readonly #deps: ToolCallDeps;
  readonly #underWay = new Map<string, AbortController>();

  constructor(deps: ToolCallDeps) {
    this.#deps = deps;
  }

  isUnderWay(callId: string): boolean {
    return this.#underWay.has(callId);
  }

  begin({ call_id: callId, tool, args }: ToolCall, size: number, owner: ToolOwner): void {
    if (this.#underWay.size >= MAX_CONCURRENT) {
      return this.fail(callId, `Too many tool calls at once: at most ${MAX_CONCURRENT}.`);
    }
    if (size > MAX_TOOL_CHARS) {
      return this.fail(callId, `The arguments are too large (${size} characters).`);
    }
    const declared = owner.tools.find(({ name }) => name === tool);
    if (declared === undefined) {
      return this.fail(callId, `There is no tool called ${JSON.stringify(tool)}.`);
    }
    const { waitsForPeople = false } = declared;
    const { answerTimeoutMs, bridgeToolTimeoutMs } = this.#deps.limits;
    const timeoutMs = waitsForPeople ? answerTimeoutMs + LAST_WORD_MS : bridgeToolTimeoutMs;
    const controller = new AbortController();
    this.#underWay.set(callId, controller);
    const cancelTimeout = this.#deps.timers.after(timeoutMs, () => {
      const text = `${tool} did not finish within ${Math.ceil(timeoutMs / 1000)} s.`;
      this.#settle(callId, controller, { text, isError: true });
      controller.abort(new Fault("a tool took too long", { tool }));
    });
    run(owner, tool, args, controller.signal)
      .catch((cause: unknown) => this.#explain(tool, controller.signal, cause))
      .then((result) => this.#settle(callId, controller, result))
      .finally(cancelTimeout)
      .catch((cause: unknown) => this.#deps.report(new Fault("no tool result", { tool }, cause)));
  }

  fail(callId: string, error: string): void {
    this.#deps.send({ type: "tool_result", call_id: callId, ok: false, error });
  }

  abort(reason: string): void {
    const controllers = [...this.#underWay.values()];
    this.#underWay.clear();
    for (const controller of controllers) controller.abort(new Fault(reason));
  }

  #settle(callId: string, controller: AbortController, { text, isError }: ToolResult): void {
    // Timed out or aborted before; the id may even be in use again.
    if (this.#underWay.get(callId) !== controller) return;
    this.#underWay.delete(callId);
    if (text.length > MAX_TOOL_CHARS) {
      return this.fail(callId, `The result is too large (${text.length} characters).`);
    }
    if (isError) return this.fail(callId, text === "" ? "The tool failed." : text);
    this.#deps.send({ type: "tool_result", call_id: callId, ok: true, result: { text } });
  }

  #explain(tool: string, { aborted }: AbortSignal, cause: unknown): ToolResult {
    if (!aborted) this.#deps.report(new Fault("a tool threw", { tool }, cause));
    return { text: `${tool} failed inside the server.`, isError: true };
  }
}

/** Also one that throws at once is a rejection. */
async function run(
  owner: ToolOwner,
  tool: string,
  args: unknown,
  signal: AbortSignal,
): Promise<ToolResult> {
  return owner.callTool(tool, args, signal);
}
