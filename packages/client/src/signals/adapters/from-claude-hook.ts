/**
 * A hook of Claude Code as signals, and of programs that have taken over its hooks: Codex, Qwen Code, Copilot CLI with
 * results of its own, and Gemini CLI under names of its own. Every hook is a process of its own, so nothing is remembered from one to the next:
 * what was true before a change of state is what Claude Code's own order says it was.
 */
import type { AgentState, SignalEnvelope } from "@atrium/wire/signal";
import { asObject, looseObject, looseText, type Loose } from "../loose.ts";
import { createEmitter, type Producer, type EmitSignal, type SignalDraft } from "../producer.ts";

interface Hook {
  readonly body: Loose;
  /** The session, or the subagent in it. */
  readonly agentId: string;
  /** The session. */
  readonly mainId: string;
  readonly sessionId: string;
  readonly meta: SignalDraft;
  readonly emit: EmitSignal;
}

/** Where Claude Code says how it went and there is no such hook as failure. */
const FAILED_KEYS = ["is_error", "isError", "interrupted"] as const;

/** What Gemini CLI calls the same. */
const GEMINI_NAMES: ReadonlyMap<string, string> = new Map([
  ["BeforeAgent", "UserPromptSubmit"],
  ["BeforeTool", "PreToolUse"],
  ["AfterTool", "PostToolUse"],
  ["AfterAgent", "Stop"],
]);

/** Whose hooks are understood: what the agents of each program are called. */
export const HOOK_AGENTS: ReadonlyMap<string, string> = new Map([
  ["claude-code", "claude"],
  ["codex", "codex"],
  ["copilot", "copilot"],
  ["gemini", "gemini"],
  ["qwen", "qwen"],
]);

/** `program` begins the name of the agent: whose session it is. */
export function fromClaudeHook(
  piece: unknown,
  producer: Producer,
  program = "claude",
): readonly SignalEnvelope[] {
  const body = looseObject(piece);
  const given = looseText(body?.["hook_event_name"]);
  const name = given === undefined ? undefined : (GEMINI_NAMES.get(given) ?? given);
  if (body === undefined || name === undefined) return [];
  const sessionId = looseText(body["session_id"] ?? body["sessionId"]) ?? "session";
  const cwd = looseText(body["cwd"]);
  const metadata = { hook: given, sessionId, ...(cwd !== undefined && { cwd }) };
  // A prompt and all that follows from it is one episode; before the first there is only the session.
  const correlationId = looseText(body["prompt_id"]) ?? looseText(body["turn_id"]) ?? sessionId;
  const mainId = `${program}:${sessionId}`;
  const agentId = looseText(body["agent_id"]) ?? mainId;
  const meta = { correlationId, metadata };
  return translate(name, { body, agentId, mainId, sessionId, meta, emit: createEmitter(producer) });
}

function translate(name: string, hook: Hook): readonly SignalEnvelope[] {
  const { body, agentId, meta, emit } = hook;
  switch (name) {
    case "SessionStart":
      return [change(hook, "idle", "idle", `session ${looseText(body["source"]) ?? "started"}`)];
    case "UserPromptSubmit": {
      const description = looseText(body["prompt"]);
      const payload = {
        taskId: meta.correlationId ?? hook.sessionId,
        from: "user",
        to: agentId,
        ...(description !== undefined && { description }),
      };
      return [emit("task_dispatch", payload, meta), change(hook, "idle", "thinking")];
    }
    case "PreToolUse": {
      const input = asObject(body["tool_input"]);
      const payload = { ...toolOf(hook), ...(input !== undefined && { input: { ...input } }) };
      return [
        emit("tool_call", payload, meta),
        change(hook, "thinking", "acting", payload.toolName),
      ];
    }
    case "PostToolUse": {
      const response = body["tool_response"] ?? body["tool_result"];
      return [toolResult(hook, response, !hasFailed(response)), ...back(hook)];
    }
    case "PostToolUseFailure":
      return [toolResult(hook, body["error"], false), ...back(hook)];
    case "PermissionRequest":
      return [change(hook, "acting", "waiting", `permission: ${toolOf(hook).toolName}`)];
    case "Notification": {
      const isQuestion = looseText(body["notification_type"]) === "permission_prompt";
      return isQuestion ? [change(hook, "acting", "waiting", looseText(body["message"]))] : [];
    }
    case "SubagentStart": {
      const from = hook.mainId;
      const kind = looseText(body["agent_type"]);
      const payload = {
        taskId: agentId,
        from,
        to: agentId,
        ...(kind !== undefined && { description: kind }),
      };
      return [emit("task_dispatch", payload, meta), change(hook, "idle", "thinking")];
    }
    case "SubagentStop":
      return end(hook, agentId);
    case "Stop":
      return end(hook, meta.correlationId ?? hook.sessionId);
    case "StopFailure":
      return failure(hook);
    case "SessionEnd":
      return [change(hook, "done", "idle", looseText(body["reason"]))];
    default:
      return [];
  }
}

function change(
  { agentId, meta, emit }: Hook,
  from: AgentState,
  to: AgentState,
  reason?: string,
): SignalEnvelope {
  const payload = { agentId, from, to, ...(reason !== undefined && { reason }) };
  return emit("agent_state_change", payload, meta);
}

function back(hook: Hook): readonly SignalEnvelope[] {
  return [change(hook, "acting", "thinking")];
}

function toolOf({ body, agentId }: Hook): { toolName: string; agentId: string; callId?: string } {
  const callId = looseText(body["tool_use_id"]);
  const toolName = looseText(body["tool_name"]) ?? "unknown";
  return { toolName, agentId, ...(callId !== undefined && { callId }) };
}

function toolResult(hook: Hook, response: unknown, success: boolean): SignalEnvelope {
  const output = asObject(response);
  const payload = {
    ...toolOf(hook),
    success,
    ...(output !== undefined && { output: { ...output } }),
  };
  return hook.emit("tool_result", payload, hook.meta);
}

function hasFailed(response: unknown): boolean {
  const object = looseObject(response);
  // Copilot CLI's own word for it.
  const kind = looseText(object?.["result_type"]) ?? "success";
  return kind !== "success" || FAILED_KEYS.some((key) => object?.[key] === true);
}

function end(hook: Hook, taskId: string): readonly SignalEnvelope[] {
  const { body, agentId, meta, emit } = hook;
  const result = looseText(body["last_assistant_message"] ?? body["prompt_response"]);
  const payload = { taskId, success: true, agentId, ...(result !== undefined && { result }) };
  return [emit("completion", payload, meta), change(hook, "thinking", "done")];
}

function failure(hook: Hook): readonly SignalEnvelope[] {
  const { body, agentId, meta, emit } = hook;
  const code = looseText(body["error"]);
  const message = looseText(body["last_assistant_message"]) ?? code ?? "The turn failed.";
  const error = {
    message,
    severity: "error",
    agentId,
    ...(code !== undefined && { code }),
  } as const;
  const taskId = meta.correlationId ?? hook.sessionId;
  return [
    emit("error", error, meta),
    emit("completion", { taskId, success: false, agentId, result: message }, meta),
    change(hook, "thinking", "error", message),
  ];
}
