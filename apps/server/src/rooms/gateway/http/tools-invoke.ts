/** `POST /tools/invoke`: one tool called by a program, without a turn around it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { resolveKey, type CrewMember } from "@atrium/core";
import { checkLater } from "@atrium/schema";
import {
  ToolsInvokeRequest,
  type ToolsInvokeResult,
  type ToolsInvokeRequest as InvokeRequest,
} from "@atrium/wire/gateway";
import type { ToolDeclaration } from "../../../agents/turn/agent-runtime.ts";
import { readJsonBody } from "../../../http/json-body.ts";
import { describeIssues } from "../../../platform/issues.ts";
import type { AgentTools } from "../../../runs/agent-policy.ts";
import type { ToolCalls } from "../../../tools/tool-calls.ts";
import { errorResponse, refusalResponse } from "./error-response.ts";

export interface ToolsInvokeDeps {
  readonly crew: readonly CrewMember[];
  readonly toolbox: AgentTools;
  readonly calls: ToolCalls;
  readonly limits: { readonly bodyTimeoutMs: number };
}

const MAX_BYTES = 2 * 1024 * 1024;
const MAIN = "main";
const validator = checkLater(ToolsInvokeRequest);

export async function answerInvoke(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  deps: ToolsInvokeDeps,
): Promise<Response> {
  const { bodyTimeoutMs: timeoutMs } = deps.limits;
  const body = await readJsonBody(incoming, { maxBytes: MAX_BYTES, timeoutMs });
  if (!body.ok) {
    return errorResponse(body.status, "invalid_request", body.reason, { connection: "close" });
  }
  const request = body.value;
  if (!validator.Check(request)) {
    return errorResponse(400, "invalid_request", describeIssues(validator.Errors(request)));
  }
  const name = request.name ?? request.tool;
  if (name === undefined) {
    return errorResponse(400, "invalid_request", "tool must name the tool to call");
  }
  const declared = deps.toolbox.declarations.find((tool) => tool.name === name);
  if (declared === undefined) return errorResponse(404, "not_found", `Tool not available: ${name}`);
  const key = resolveKey(deps.crew, request.sessionKey ?? MAIN, request.agentId);
  if (!key.ok) return refusalResponse(key);
  const input = inputOf(request, declared);
  const objection = deps.toolbox.inputProblem(name, input);
  if (objection !== undefined) return errorResponse(400, "invalid_request", objection);
  if (request.dryRun === true) return done(`${name} could be called with this.`, true);

  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const { text, agentId } = key.value;
  const result = await deps.calls.call(
    { name, input, context: { key: text, runId: null, agentId, signal: gone.signal } },
    request.idempotencyKey,
  );
  if (!result.ok) return refusalResponse(result);
  return result.value.isError
    ? errorResponse(400, "tool_error", result.value.text)
    : done(result.value.text);
}

/** `action` is for tools that have one; others are called as if it had not been sent, as the peer does. */
function inputOf({ args = {}, action }: InvokeRequest, { input }: ToolDeclaration): unknown {
  const { properties } = input;
  const takesAction =
    typeof properties === "object" && properties !== null && "action" in properties;
  return action !== undefined && takesAction && !("action" in args) ? { ...args, action } : args;
}

function done(text: string, isDry = false): Response {
  const content = [{ type: "text" as const, text }];
  const body: ToolsInvokeResult = {
    ok: true,
    result: { content, ...(isDry && { dryRun: true }) },
  };
  return Response.json(body);
}
