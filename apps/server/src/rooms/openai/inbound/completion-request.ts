/** Reads and checks a request for a completion: everything that its answer depends on. */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { CrewMember } from "@atrium/core";
import { checkLater } from "@atrium/schema";
import { own } from "@atrium/wire";
import { ChatCompletionRequest } from "@atrium/wire/openai";
import { describeIssues } from "../../../platform/issues.ts";
import type { ClientToolset } from "../../../runs/client-calls/kept-calls.ts";
import type { IncomingMessage, OnceKey } from "../../../runs/message-intake.ts";
import { runKey } from "../../../runs/run-statuses.ts";
import {
  fail,
  ok,
  invalid,
  noSuchModel,
  type OpenaiError,
  type Result,
} from "../outbound/problem.ts";
import { bindingOf } from "./binding.ts";
import { readClientTools } from "./client-tools.ts";
import { readThread, type Thread } from "./messages.ts";
import { DEFAULT_MODEL, handleNamed, targetOf, type Target } from "./model-ids.ts";
import { unsupportedIn, withoutEffect } from "./unsupported-params.ts";

export interface CompletionRequest {
  /** The model as the client named it. */
  readonly model: string;
  readonly message: IncomingMessage;
  /** The conversation remembers. */
  readonly isBound: boolean;
  /** The answer must be a call of one of its tools. */
  readonly mustCall: boolean;
  readonly once: OnceKey | undefined;
  /** The client may come back for the answer, so the run goes on when it disconnects. */
  readonly isKept: boolean;
  readonly isStream: boolean;
  readonly withUsage: boolean;
  readonly stops: readonly string[];
  readonly withoutEffect: readonly string[];
}

const validator = checkLater(ChatCompletionRequest);
const MAX_KEY = 512;

export function parseRequest(
  sent: unknown,
  headers: IncomingHttpHeaders,
  crew: readonly CrewMember[],
  newId: () => string,
): Result<CompletionRequest> {
  const body = withoutNulls(sent);
  if (!validator.Check(body)) return fail(schemaProblem(body));
  const unsupported = unsupportedIn(body);
  if (unsupported !== undefined) return fail(unsupported);
  const model = body.model ?? DEFAULT_MODEL;
  const target = agentOf(crew, model, header(headers, "x-openclaw-agent-id"));
  if (!target.ok) return target;
  const thread = readThread(body.messages);
  if (!thread.ok) return thread;
  const tools = readClientTools(body);
  if (!tools.ok) return tools;
  const idempotencyKey = header(headers, "idempotency-key");
  if (idempotencyKey !== undefined && idempotencyKey.length > MAX_KEY) {
    return fail(invalid("Idempotency-Key", `It may have ${MAX_KEY} characters.`));
  }
  // The same key names the same run and the same conversation, also after a restart.
  const id = idempotencyKey === undefined ? newId() : uuidOf(idempotencyKey);
  const runId = `chatcmpl_${id}`;
  const sessionKey = header(headers, "x-openclaw-session-key");
  const user = nonEmpty(body.user);
  const affinity = header(headers, "x-session-affinity");
  const wanted = { target: target.value, sessionKey, user, affinity, ownId: id };
  const binding = bindingOf(crew, wanted);
  if (!binding.ok) return binding;
  const { key, isBound } = binding.value;
  const wish = header(headers, "x-openclaw-model");
  const thinking = body.reasoning_effort;
  const { stop } = body;
  return ok({
    model,
    message: {
      key,
      runId,
      ...contentOf(thread.value, isBound),
      ...callsOf(thread.value, tools.value),
      from: { clientId: "openai", clientMode: "api", name: user ?? null },
      // The client waits for an answer to this very message, and its text is no command.
      mode: "followup",
      isPlain: true,
      ...(thread.value.instructions !== null && { instructions: thread.value.instructions }),
      ...(wish !== undefined && { model: wish }),
      ...(thinking !== undefined && { thinking: thinking === "none" ? "off" : thinking }),
    },
    once:
      idempotencyKey === undefined
        ? undefined
        : { id: runKey(runId), digest: digestOf(body, key.text, wish) },
    isBound,
    mustCall: (tools.value?.mustCall ?? []).length > 0,
    isKept: isBound || idempotencyKey !== undefined,
    isStream: body.stream === true,
    withUsage: body.stream_options?.include_usage === true,
    stops: typeof stop === "string" ? [stop] : (stop ?? []),
    withoutEffect: withoutEffect(body),
  });
}

/** Every client here makes the calls of its own tools, so that one which sends no results has none. */
function callsOf(
  { results }: Thread,
  tools: ClientToolset | undefined,
): Pick<IncomingMessage, "clientTools" | "answers"> {
  return {
    ...(tools !== undefined && { clientTools: tools }),
    answers: {
      answers: results.map(({ callId, text }) => ({ callId, text })),
      mayCall: tools?.tools.map(({ name }) => name) ?? [],
    },
  };
}

/** A bound conversation has the earlier messages already; any other is given them too. */
function contentOf(
  { last, earlier }: Thread,
  isBound: boolean,
): Pick<IncomingMessage, "text" | "files" | "earlier"> {
  if (isBound || earlier.length === 0) return { text: last.text, files: last.files };
  const files = [...earlier.flatMap((message) => message.files), ...last.files];
  return {
    text: last.text,
    files,
    earlier: earlier.map(({ role, text, files: theirs }) => {
      // All files are handed over together; this marks the message that each belongs to.
      return { role, text: [text, ...theirs.map(({ name }) => `[${name}]`)].join("\n").trim() };
    }),
  };
}

function agentOf(
  crew: readonly CrewMember[],
  model: string,
  named: string | undefined,
): Result<Target> {
  const target = targetOf(crew, model);
  if (target === undefined) return fail(noSuchModel(model));
  if (named === undefined) return ok(target);
  const handle = handleNamed(crew, named.toLowerCase());
  return handle === undefined ? fail(noSuchModel(named)) : ok({ handle, isNamed: true });
}

function schemaProblem(body: unknown): OpenaiError {
  const issues = validator.Errors(body);
  const path = issues[0]?.instancePath ?? "";
  const param = path
    .slice(1)
    .replaceAll(/\/(\d+)/g, "[$1]")
    .replaceAll("/", ".");
  return invalid(
    param === "" ? "body" : param,
    `The request is not valid: ${describeIssues(issues)}`,
  );
}

/** Clients send `null` for what they leave unset. */
function withoutNulls(sent: unknown): unknown {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = own(headers, name);
  return typeof value === "string" ? nonEmpty(value.trim()) : undefined;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

/** Streaming changes how the answer is sent, so a retry may choose it anew. */
function digestOf(body: ChatCompletionRequest, key: string, wish: string | undefined): string {
  const { stream: _stream, stream_options: _options, ...rest } = body;
  const text = JSON.stringify([rest, key, wish ?? null]);
  return createHash("sha256").update(text).digest("base64url");
}

function uuidOf(text: string): string {
  const hex = createHash("sha256").update(`openai:${text}`).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
