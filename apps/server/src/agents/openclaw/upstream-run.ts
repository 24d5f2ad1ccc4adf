/**
 * What a gateway knows of one run, asked for when events may have been missed.
 *
 * A message that the gateway has taken is never sent to it again: gateways forget what they have taken
 * when they restart, and would do it a second time.
 */
import { fieldsOf, textIn, type Fields } from "../turn/json-fields.ts";
import { contentText, listIn } from "./frame-fields.ts";
import type { GatewayLink } from "./gateway-link.ts";

export type UpstreamRunState =
  | { readonly state: "running" }
  /** It neither says that the run goes on nor how it ended. */
  | { readonly state: "unclear" }
  | { readonly state: "forgotten" }
  | { readonly state: "completed"; readonly text: string; readonly stopReason: string | undefined }
  | { readonly state: "stopped"; readonly text: string }
  | { readonly state: "failed"; readonly text: string; readonly reason: string };

export interface RunName {
  readonly runId: string;
  readonly sessionKey: string;
}

const SOON_MS = 1;
const NEWEST = 50;

export async function readRun(
  link: Pick<GatewayLink, "request">,
  { runId, sessionKey }: RunName,
): Promise<UpstreamRunState> {
  const waited = fieldsOf(await link.request("agent.wait", { runId, timeoutMs: SOON_MS }));
  const status = textIn(waited, "status");
  const reply = contentText(waited["terminalReply"]);
  if (status === "ok" && reply !== undefined) {
    return { state: "completed", text: reply, stopReason: textIn(waited, "stopReason") };
  }
  if (waited["pending"] === true) return { state: "running" };
  const history = fieldsOf(await link.request("chat.history", { sessionKey, limit: NEWEST }));
  const text = replyIn(listIn(history, "messages"), runId);
  if (status === "ok") return { state: "completed", text: text ?? "", stopReason: undefined };
  if (status === "error") {
    const reason = textIn(waited, "error") ?? "it failed";
    return textIn(waited, "stopReason") === "rpc"
      ? { state: "stopped", text: text ?? "" }
      : { state: "failed", text: text ?? "", reason };
  }
  if (isActive(fieldsOf(history["sessionInfo"]), runId)) return { state: "running" };
  if (text !== undefined) return { state: "completed", text, stopReason: undefined };
  return waited["pending"] === false ? { state: "forgotten" } : { state: "unclear" };
}

function isActive(session: Fields, runId: string): boolean {
  const active: unknown = session["activeRunIds"];
  return Array.isArray(active) && active.includes(runId);
}

/** What was answered to this run: marked with its id, or following the message that is. */
function replyIn(messages: readonly Fields[], runId: string): string | undefined {
  let isOurs = false;
  let text: string | undefined;
  for (const message of messages) {
    const role = textIn(message, "role");
    const marks = [
      textIn(message, "idempotencyKey"),
      textIn(fieldsOf(message["__openclaw"]), "runId"),
    ];
    if (role === "user") isOurs = marks.some((mark) => mark?.startsWith(runId) === true);
    if (role === "assistant" && (isOurs || marks.includes(runId))) {
      text = `${text === undefined || text === "" ? "" : `${text}\n\n`}${contentText(message) ?? ""}`;
    }
  }
  return text;
}
