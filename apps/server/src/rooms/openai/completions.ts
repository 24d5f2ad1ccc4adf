/**
 * `POST /v1/chat/completions`: one message to an agent, and its answer.
 *
 *   token -> body -> request -> intake -> text as it is written ... -> end of the run, or of a part -> answer
 *      \        \        \         \                                       \
 *       `--------`--------`---------`---------------------------------------`-> an error in OpenAI's shape
 *
 * A run whose agent calls tools of the client's is answered in parts: each ends with calls, and the next request has
 * their results. A client that goes away stops its run, unless someone may come back for the answer: the conversation
 * remembers, or the request has an Idempotency-Key.
 */
import type { IncomingMessage as HttpRequest, ServerResponse } from "node:http";
import { Fault, refuse, resolveKey, type Clock, type CrewMember, type Ids } from "@atrium/core";
import type { ChatCompletion, ToolCall } from "@atrium/wire/openai";
import { isAuthFailure } from "../../access/authenticate.ts";
import type { HttpAccess } from "../../access/http-access.ts";
import { abortOnDisconnect } from "../../http/api.ts";
import { alreadySent, EventStream, type EventStreamRules } from "../../http/event-stream.ts";
import { readJsonBody, type BodyLimits } from "../../http/json-body.ts";
import type { ClientCall } from "../../runs/client-calls/kept-calls.ts";
import type { IncomingMessage, MessageIntake, SendReceipt } from "../../runs/message-intake.ts";
import type { RunStatuses } from "../../runs/run-statuses.ts";
import { parseRequest, type CompletionRequest } from "./inbound/completion-request.ts";
import {
  answerOf,
  CLOSING,
  demandCall,
  textOf,
  type CompletionResult,
} from "./outbound/completion-result.ts";
import {
  fail,
  bodyOf,
  deniedProblem,
  headersOf,
  problem,
  refusalProblem,
  type OpenaiError,
  type Result,
} from "./outbound/problem.ts";
import type { RunParts } from "./outbound/run-parts.ts";
import type { RunText } from "./outbound/run-text.ts";
import { createStopFilter } from "./outbound/stop-sequences.ts";
import { StreamedCompletion } from "./outbound/streamed.ts";

export interface CompletionsDeps {
  readonly access: HttpAccess;
  readonly intake: Pick<MessageIntake, "send" | "stop">;
  readonly runs: Pick<RunStatuses, "awaiting">;
  readonly parts: RunParts;
  readonly runText: RunText;
  readonly crew: readonly CrewMember[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly body: BodyLimits;
  readonly stream: EventStreamRules;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
  readonly report: (fault: Fault) => void;
}

export interface Exchange {
  readonly incoming: HttpRequest;
  readonly outgoing: ServerResponse;
}

const MS_PER_SECOND = 1_000;
/** What a header can carry unescaped. */
const PRINTABLE = /^[\x21-\x7e]+$/;

export function createCompletions(
  deps: CompletionsDeps,
): (exchange: Exchange) => Promise<Response> {
  return async ({ incoming, outgoing }) => {
    const principal = deps.access(incoming);
    if (isAuthFailure(principal)) return failed(deniedProblem(principal), true);
    const body = await readJsonBody(incoming, deps.body);
    if (!body.ok) return failed(problem(body.status, `${body.reason}.`), true);
    const request = parseRequest(body.value, incoming.headers, deps.crew, () => deps.ids.next());
    if (!request.ok) return failed(request.problem);
    return answer(request.value, outgoing, deps);
  };
}

async function answer(
  sent: CompletionRequest,
  outgoing: ServerResponse,
  deps: CompletionsDeps,
): Promise<Response> {
  if (deps.closing.aborted) return failed(CLOSING, true);
  const gone = abortOnDisconnect(outgoing);
  const request = { ...sent, message: continuing(sent, deps) };
  const taken = await deps.intake.send(request.message, request.once);
  if (!taken.ok) return failed(refusalProblem(taken));
  const receipt = taken.value;
  const ended = request.isStream
    ? await stream(request, receipt, outgoing, gone, deps)
    : await waitForPart(request, receipt, gone, deps);
  if (gone.aborted && !request.isKept) {
    await giveUp(request.message.key.text, receipt.runId, deps);
  }
  if (request.isStream) return alreadySent();
  if (!ended.ok) return failed(ended.problem);
  return Response.json(completion(request, ended.value), { headers: headersFor(request) });
}

/** Results belong to the conversation in which the calls were made, which nothing else in the request names. */
function continuing(
  { message, isBound }: CompletionRequest,
  { runs, crew }: Pick<CompletionsDeps, "runs" | "crew">,
): IncomingMessage {
  const [first] = message.answers?.answers ?? [];
  const waiting = isBound || first === undefined ? undefined : runs.awaiting(first.callId);
  const key = waiting && resolveKey(crew, waiting.key);
  if (key?.ok !== true || key.value.agentId !== message.key.agentId) return message;
  const { earlier: _known, ...rest } = message;
  return { ...rest, key: key.value };
}

async function stream(
  request: CompletionRequest,
  receipt: SendReceipt,
  outgoing: ServerResponse,
  gone: AbortSignal,
  deps: CompletionsDeps,
): Promise<Result<CompletionResult>> {
  const { model, message, stops, withUsage } = request;
  const { runId, part } = receipt;
  const created = Math.floor(deps.clock.now() / MS_PER_SECOND);
  const { textLength } = await deps.parts.startOf(runId, part);
  const events = new EventStream(outgoing, headersFor(request), deps.stream);
  const header = { id: message.runId, created, model };
  const streamed = new StreamedCompletion(events, header, createStopFilter(stops), withUsage);
  using _following = deps.runText.follow(runId, (text) => {
    // What is said after the calls is for whoever makes them.
    if (deps.parts.isOver(runId, part)) return;
    streamed.progress(part === 0 ? text : textOf(text.slice(textLength)));
  });
  const ended = await waitForPart(request, receipt, gone, deps);
  streamed.finish(ended);
  return ended;
}

/** Never rejects: once a stream has begun, an error can only be sent as its last event. */
async function waitForPart(
  { mustCall }: CompletionRequest,
  { runId, part }: SendReceipt,
  gone: AbortSignal,
  { parts, closing, report }: CompletionsDeps,
): Promise<Result<CompletionResult>> {
  try {
    const known = await parts.wait(runId, part, AbortSignal.any([gone, closing]));
    const isCut = known.pause === undefined && known.status?.ended === undefined;
    if (isCut && closing.aborted) return fail(CLOSING);
    // An agent that goes on after calls has heard the demand of the request that brought the tools.
    return mustCall && part === 0 ? demandCall(answerOf(known)) : answerOf(known);
  } catch (cause) {
    report(new Fault("a run could not be waited for", { runId }, cause));
    return fail(refusalProblem(refuse("internal")));
  }
}

/** The client is gone, so a failure is only reported. */
async function giveUp(key: string, runId: string, deps: CompletionsDeps): Promise<void> {
  try {
    await deps.intake.stop(key, runId, "the client went away");
  } catch (cause) {
    deps.report(new Fault("a run could not be stopped", { runId }, cause));
  }
}

function completion(
  { model, message, stops }: CompletionRequest,
  result: CompletionResult,
): ChatCompletion {
  const filter = createStopFilter(stops);
  const text = filter.push(result.text) + filter.end();
  const { calls } = result;
  const content = text === "" && calls.length > 0 ? null : text;
  return {
    id: message.runId,
    object: "chat.completion",
    created: Math.floor(result.requestedAt / MS_PER_SECOND),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content,
          refusal: null,
          ...(calls.length > 0 && { tool_calls: calls.map(toolCallOf) }),
        },
        logprobs: null,
        finish_reason: filter.isCut && calls.length === 0 ? "stop" : result.finishReason,
      },
    ],
    usage: result.usage,
  };
}

function toolCallOf({ id, name, arguments: input }: ClientCall): ToolCall {
  return { id, type: "function", function: { name, arguments: input } };
}

function headersFor({ message, withoutEffect }: CompletionRequest): Record<string, string> {
  const key = message.key.text;
  return {
    "x-request-id": message.runId,
    ...(PRINTABLE.test(key) && { "x-openclaw-session-key": key }),
    ...(withoutEffect.length > 0 && { "x-atrium-without-effect": withoutEffect.join(", ") }),
  };
}

/** `isEarly`: the rest of the request is not read. */
function failed(why: OpenaiError, isEarly = false): Response {
  const headers = { ...headersOf(why), ...(isEarly && { connection: "close" }) };
  return Response.json(bodyOf(why), { status: why.status, headers });
}
