/**
 * `POST /v1/chat/completions`: one message said to an agent, and its answer.
 *
 *   token -> body -> asked -> front desk -> words on their way ... -> how the run ended -> answer
 *      \        \        \           \                                     \
 *       `--------`--------`-----------`-------------------------------------`-> an error in OpenAI's shape
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
  bad,
  bodyOf,
  deniedProblem,
  headersOf,
  problem,
  refusalProblem,
  type OpenaiError,
  type Read,
} from "./outbound/problem.ts";
import type { RunText } from "./outbound/run-text.ts";
import { createCut } from "./outbound/stop-sequences.ts";
import { StreamedCompletion } from "./outbound/streamed.ts";

export interface CompletionsDeps {
  readonly access: HttpAccess;
  readonly intake: Pick<MessageIntake, "send" | "stop">;
  readonly runs: Pick<RunStatuses, "wait">;
  readonly words: RunText;
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
/** What a header can hold as it is. */
const PRINTABLE = /^[\x21-\x7e]+$/;

export function createCompletions(
  deps: CompletionsDeps,
): (exchange: Exchange) => Promise<Response> {
  return async ({ incoming, outgoing }) => {
    const principal = deps.access(incoming);
    if (isAuthFailure(principal)) return failed(deniedProblem(principal), true);
    const body = await readJsonBody(incoming, deps.limits);
    if (!body.ok) return failed(problem(body.status, `${body.reason}.`), true);
    const asked = parseRequest(body.value, incoming.headers, deps.crew, () => deps.ids.next());
    if (!asked.ok) return failed(asked.problem);
    return answer(asked.value, outgoing, deps);
  };
}

async function answer(
  asked: CompletionRequest,
  outgoing: ServerResponse,
  deps: CompletionsDeps,
): Promise<Response> {
  if (deps.closing.aborted) return failed(CLOSING, true);
  const gone = abortOnDisconnect(outgoing);
  const sent = await deps.intake.send(asked.message, asked.once);
  if (!sent.ok) return failed(refusalProblem(sent));
  const { key, runId } = asked.message;
  const ended = asked.isStream
    ? await stream(asked, outgoing, gone, deps)
    : await waited(runId, gone, deps);
  if (gone.aborted && !asked.isKept) await giveUp(key.text, runId, deps);
  if (asked.isStream) return alreadySent();
  if (!ended.ok) return failed(ended.problem);
  return Response.json(completion(asked, ended.value), { headers: told(asked) });
}

async function stream(
  asked: CompletionRequest,
  outgoing: ServerResponse,
  gone: AbortSignal,
  deps: CompletionsDeps,
): Promise<Read<CompletionResult>> {
  const { model, message, stops, withUsage } = asked;
  const created = Math.floor(deps.clock.now() / MS_PER_SECOND);
  const events = new EventStream(outgoing, told(asked), deps.limits);
  const described = { id: message.runId, created, model };
  const completing = new StreamedCompletion(events, described, createCut(stops), withUsage);
  using _words = deps.words.follow(message.runId, (text) => completing.progress(text));
  const ended = await waited(message.runId, gone, deps);
  completing.finish(ended);
  return ended;
}

/** Never rejects: a stream that has begun has no other way to say that something broke. */
async function waited(
  runId: string,
  gone: AbortSignal,
  { runs, closing, report }: CompletionsDeps,
): Promise<Read<CompletionResult>> {
  try {
    const known = await runs.wait(runId, AbortSignal.any([gone, closing]));
    return known?.ended === undefined && closing.aborted ? bad(CLOSING) : answerOf(known);
  } catch (cause) {
    report(new Fault("a run could not be waited for", { runId }, cause));
    return bad(refusalProblem(refuse("internal")));
  }
}

/** Nobody is there to be told when it fails. */
async function giveUp(key: string, runId: string, deps: CompletionsDeps): Promise<void> {
  try {
    await deps.intake.stop(key, runId, "the client went away");
  } catch (cause) {
    deps.report(new Fault("a run could not be stopped", { runId }, cause));
  }
}

function completion(
  { model, message, stops }: CompletionRequest,
  answered: CompletionResult,
): ChatCompletion {
  const cut = createCut(stops);
  const content = cut.push(answered.text) + cut.end();
  return {
    id: message.runId,
    object: "chat.completion",
    created: Math.floor(answered.askedAt / MS_PER_SECOND),
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, refusal: null },
        logprobs: null,
        finish_reason: cut.isCut ? "stop" : answered.finishReason,
      },
    ],
    usage: answered.usage,
  };
}

function told({ message, withoutEffect }: CompletionRequest): Record<string, string> {
  const key = message.key.text;
  return {
    "x-request-id": message.runId,
    ...(PRINTABLE.test(key) && { "x-openclaw-session-key": key }),
    ...(withoutEffect.length > 0 && { "x-atrium-without-effect": withoutEffect.join(", ") }),
  };
}

/** `isEarly`: what the client still sends is not read. */
function failed(why: OpenaiError, isEarly = false): Response {
  const headers = { ...headersOf(why), ...(isEarly && { connection: "close" }) };
  return Response.json(bodyOf(why), { status: why.status, headers });
}
