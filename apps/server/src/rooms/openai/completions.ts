/**
 * `POST /v1/chat/completions`: one message to an agent, and its answer.
 *
 *   token -> body -> request -> intake -> text as it is written ... -> end of the run -> answer
 *      \        \        \         \                                       \
 *       `--------`--------`---------`---------------------------------------`-> an error in OpenAI's shape
 *
 * A client that goes away stops its run, unless someone may come back for the answer: the conversation
 * remembers, or the request has an Idempotency-Key.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Fault, refuse, type Clock, type CrewMember, type Ids } from "@atrium/core";
import type { ChatCompletion } from "@atrium/wire/openai";
import { isAuthFailure } from "../../access/authenticate.ts";
import type { HttpAccess } from "../../access/http-access.ts";
import { abortOnDisconnect } from "../../http/api.ts";
import { alreadySent, EventStream, type EventStreamRules } from "../../http/event-stream.ts";
import { readJsonBody, type BodyLimits } from "../../http/json-body.ts";
import type { MessageIntake } from "../../runs/message-intake.ts";
import type { RunStatuses } from "../../runs/run-statuses.ts";
import { parseRequest, type CompletionRequest } from "./inbound/completion-request.ts";
import { answerOf, CLOSING, type CompletionResult } from "./outbound/completion-result.ts";
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
import type { RunText } from "./outbound/run-text.ts";
import { createStopFilter } from "./outbound/stop-sequences.ts";
import { StreamedCompletion } from "./outbound/streamed.ts";

export interface CompletionsDeps {
  readonly access: HttpAccess;
  readonly intake: Pick<MessageIntake, "send" | "stop">;
  readonly runs: Pick<RunStatuses, "wait">;
  readonly runText: RunText;
  readonly crew: readonly CrewMember[];
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: BodyLimits & EventStreamRules;
  /** Aborted when the server closes. */
  readonly closing: AbortSignal;
  readonly report: (fault: Fault) => void;
}

export interface Exchange {
  readonly incoming: IncomingMessage;
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
    const body = await readJsonBody(incoming, deps.limits);
    if (!body.ok) return failed(problem(body.status, `${body.reason}.`), true);
    const request = parseRequest(body.value, incoming.headers, deps.crew, () => deps.ids.next());
    if (!request.ok) return failed(request.problem);
    return answer(request.value, outgoing, deps);
  };
}

async function answer(
  request: CompletionRequest,
  outgoing: ServerResponse,
  deps: CompletionsDeps,
): Promise<Response> {
  if (deps.closing.aborted) return failed(CLOSING, true);
  const gone = abortOnDisconnect(outgoing);
  const sent = await deps.intake.send(request.message, request.once);
  if (!sent.ok) return failed(refusalProblem(sent));
  const { key, runId } = request.message;
  const ended = request.isStream
    ? await stream(request, outgoing, gone, deps)
    : await waitForEnd(runId, gone, deps);
  if (gone.aborted && !request.isKept) await giveUp(key.text, runId, deps);
  if (request.isStream) return alreadySent();
  if (!ended.ok) return failed(ended.problem);
  return Response.json(completion(request, ended.value), { headers: headersFor(request) });
}

async function stream(
  request: CompletionRequest,
  outgoing: ServerResponse,
  gone: AbortSignal,
  deps: CompletionsDeps,
): Promise<Result<CompletionResult>> {
  const { model, message, stops, withUsage } = request;
  const created = Math.floor(deps.clock.now() / MS_PER_SECOND);
  const events = new EventStream(outgoing, headersFor(request), deps.limits);
  const header = { id: message.runId, created, model };
  const streamed = new StreamedCompletion(events, header, createStopFilter(stops), withUsage);
  using _following = deps.runText.follow(message.runId, (text) => streamed.progress(text));
  const ended = await waitForEnd(message.runId, gone, deps);
  streamed.finish(ended);
  return ended;
}

/** Never rejects: once a stream has begun, an error can only be sent as its last event. */
async function waitForEnd(
  runId: string,
  gone: AbortSignal,
  { runs, closing, report }: CompletionsDeps,
): Promise<Result<CompletionResult>> {
  try {
    const known = await runs.wait(runId, AbortSignal.any([gone, closing]));
    return known?.ended === undefined && closing.aborted ? fail(CLOSING) : answerOf(known);
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
  const content = filter.push(result.text) + filter.end();
  return {
    id: message.runId,
    object: "chat.completion",
    created: Math.floor(result.requestedAt / MS_PER_SECOND),
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, refusal: null },
        logprobs: null,
        finish_reason: filter.isCut ? "stop" : result.finishReason,
      },
    ],
    usage: result.usage,
  };
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
