/** How messages reach an MCP server and come back: what the two transports have in common. */
import { fieldsOf, parseFields, textIn, type Fields } from "../turn/json-fields.ts";

export interface McpRequest {
  readonly id: number;
  readonly method: string;
  readonly params: object;
}

export interface McpLink {
  /** Resolves with what the server answers, a result or an error. Rejects with McpServerFailure when it cannot any more. */
  request(request: McpRequest, signal: AbortSignal): Promise<Fields>;
  notify(method: string): Promise<void>;
  close(): Promise<void>;
}

/** A server that cannot be used; the message is the rest of a sentence that begins with its name. */
export class McpServerFailure extends Error {
  override readonly name = "McpServerFailure";
}

/** The largest message that is read. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
export const TOO_LONG = `sent a message of more than ${MAX_MESSAGE_BYTES} bytes`;

const METHOD_NOT_FOUND = -32_601;

export type McpMessage =
  | { readonly type: "answer"; readonly id: number; readonly fields: Fields }
  /** Which it wants to be answered. */
  | { readonly type: "request"; readonly reply: object }
  | { readonly type: "notification" };

/** Undefined for what is no message of the protocol. */
export function readMessage(text: string): McpMessage | undefined {
  const fields = parseFields(text);
  if (fields === undefined || fields["jsonrpc"] !== "2.0") return undefined;
  const { id } = fields;
  const method = textIn(fields, "method");
  if (method === undefined) {
    return typeof id === "number" ? { type: "answer", id, fields } : undefined;
  }
  if (typeof id !== "number" && typeof id !== "string") return { type: "notification" };
  return { type: "request", reply: { jsonrpc: "2.0", id, ...answerTo(method) } };
}

/** Of what a server may ask a client for, we only have that we are there. */
function answerTo(method: string): object {
  if (method === "ping") return { result: {} };
  return { error: { code: METHOD_NOT_FOUND, message: `Atrium does not serve ${method}.` } };
}

/** What it answered, or why not. */
export function resultIn(answer: Fields): { readonly result: Fields } | { readonly error: string } {
  if (answer["error"] === undefined) return { result: fieldsOf(answer["result"]) };
  const { message } = fieldsOf(answer["error"]);
  return { error: typeof message === "string" ? message : JSON.stringify(answer["error"]) };
}
