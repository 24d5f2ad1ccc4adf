/** Requests and responses of a connected peer. */
import { Compile } from "@atrium/schema";
import { CLOSE, readJson } from "@atrium/wire";
import { connect, RequestFrame } from "@atrium/wire/gateway";
import { UnreadableMessage, type SessionProtocol } from "../../../pipeline/session-loop.ts";
import { describeIssues } from "../../../platform/issues.ts";
import { encodeReply } from "../frames/encode.ts";

const checkRequest = Compile(RequestFrame);
/** The id of responses to frames whose own id cannot be read. */
const NO_ID = "invalid";

export const gatewayProtocol: SessionProtocol<RequestFrame> = {
  read(text, mayExplain) {
    const frame = readRequest(text, mayExplain);
    if (frame instanceof UnreadableMessage || frame.method !== connect.name) return frame;
    return new UnreadableMessage("connect is only valid as the first request", frame.id);
  },
  route: ({ id, method, params }) => ({ id, method, params }),
  encode: (id = NO_ID, method = "", outcome) => encodeReply(id, method, outcome),
  tooManyErrors: { code: CLOSE.policy, reason: "too many invalid frames" },
};

export function readRequest(
  text: string,
  mayExplain: () => boolean,
): RequestFrame | UnreadableMessage {
  const { value: frame, problem } = readJson(text);
  if (problem !== undefined) {
    const { short, long } = problem;
    return new UnreadableMessage(badFrame(mayExplain() ? long : short), idOf(frame));
  }
  if (checkRequest.Check(frame)) return frame;
  const why = mayExplain() ? describeIssues(checkRequest.Errors(frame)) : "";
  return new UnreadableMessage(badFrame(why), idOf(frame));
}

function badFrame(why: string): string {
  return why === "" ? "invalid request frame" : `invalid request frame: ${why}`;
}

function idOf(frame: unknown): string {
  const isNamed = typeof frame === "object" && frame !== null && "id" in frame;
  return isNamed && typeof frame.id === "string" && frame.id !== "" ? frame.id : NO_ID;
}
