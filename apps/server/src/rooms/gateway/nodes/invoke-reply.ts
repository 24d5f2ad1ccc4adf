/** The end of an invocation as a response: a payload, or an error that includes the node's own. */
import type { InvocationCutoff, InvocationOutcome } from "@atrium/core";
import { readJson, type ResultOf } from "@atrium/wire";
import type { ErrorCode, nodeInvoke } from "@atrium/wire/gateway";
import { FailedReply } from "../frames/encode.ts";

interface NodeError {
  readonly code: string | null;
  readonly message: string;
}

const CUTS: Readonly<Record<InvocationCutoff, NodeError>> = {
  timeout: { code: "TIMEOUT", message: "node invoke timed out" },
  disconnected: {
    code: "DISCONNECTED",
    message: "the node's connection ended before it answered; whether the command ran is not known",
  },
  interrupted: {
    code: "INTERRUPTED",
    message: "the server stopped before the node answered; whether the command ran is not known",
  },
  abandoned: { code: "ABORTED", message: "node invoke cancelled: everyone who asked had left" },
  erased: {
    code: "ERASED",
    message: "the answer was erased with a conversation that was deleted",
  },
  oversize: { code: "OVERSIZE", message: "the node's answer was too big to keep" },
};

export function invokeReply(
  { nodeId, command }: { readonly nodeId: string; readonly command: string },
  outcome: InvocationOutcome,
): ResultOf<typeof nodeInvoke> | FailedReply {
  if (outcome.status !== "done") return failed({ nodeId, command }, nodeErrorOf(outcome));
  if (!("payloadJson" in outcome)) {
    return { ok: true, nodeId, command, payload: outcome.payload, payloadJSON: null };
  }
  const { payloadJson } = outcome;
  return { ok: true, nodeId, command, payload: parse(payloadJson), payloadJSON: payloadJson };
}

/** Why a command was not run to its end, in one sentence. */
export function whyFailed(outcome: FailedInvocation): string {
  const { code, message } = nodeErrorOf(outcome);
  return code === null ? message : `${code}: ${message}`;
}

type FailedInvocation = Exclude<InvocationOutcome, { readonly status: "done" }>;

function nodeErrorOf(outcome: FailedInvocation): NodeError {
  if (outcome.status === "cut") return CUTS[outcome.by];
  const { code, message } = outcome;
  return { code, message: message ?? "node invoke failed" };
}

function failed(subject: object, nodeError: NodeError): FailedReply {
  const { code, message } = nodeError;
  return new FailedReply(
    { ok: false, ...subject },
    {
      code: "UNAVAILABLE" satisfies ErrorCode,
      message: code === null ? message : `${code}: ${message}`,
      // The same key gives the same answer: a retry needs a new key, and a person's judgment.
      retryable: false,
      details: { nodeError, nodeCommandDispatched: true },
    },
  );
}

/** A payload that is declared as JSON and is not is passed on as text. */
function parse(text: string): unknown {
  const { value, problem } = readJson(text);
  return problem === undefined ? value : text;
}
