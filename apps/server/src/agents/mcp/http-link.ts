/**
 * An MCP server at an address: each message is a POST, and its answer JSON or a stream of events.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 *
 * It is not followed elsewhere: the headers that it is given are meant for this address.
 */
import {
  MAX_MESSAGE_BYTES,
  McpServerFailure,
  readMessage,
  TOO_LONG,
  type McpLink,
} from "./mcp-link.ts";

export interface HttpServerAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const ACCEPT = "application/json, text/event-stream";
/** For messages that nobody waits for. */
const NOTICE_MS = 5_000;

export function openHttpLink({ url, headers }: HttpServerAddress, version: string): McpLink {
  let session: string | undefined;
  let isBegun = false;

  async function send(method: "POST" | "DELETE", body: object | null, signal: AbortSignal) {
    const own = {
      ...headers,
      accept: ACCEPT,
      "content-type": "application/json",
      ...(isBegun && { "mcp-protocol-version": version }),
      ...(session !== undefined && { "mcp-session-id": session }),
    };
    const text = body === null ? {} : { body: JSON.stringify(body) };
    try {
      return await fetch(url, { method, headers: own, ...text, signal, redirect: "error" });
    } catch (cause) {
      signal.throwIfAborted();
      throw new McpServerFailure(`is not reached at ${originOf(url)}`, { cause });
    }
  }
  const sendNotice = async (body: object): Promise<void> => {
    await drop(await send("POST", body, AbortSignal.timeout(NOTICE_MS)));
  };

  return {
    async request({ id, method, params }, signal) {
      const message = { jsonrpc: "2.0", id, method, params };
      const response = await send("POST", message, signal);
      if (!response.ok) {
        await drop(response);
        throw new McpServerFailure(`answered ${response.status}${hintFor(response.status)}`);
      }
      session ??= response.headers.get("mcp-session-id") ?? undefined;
      isBegun = true;
      for await (const text of messagesIn(response, signal)) {
        const received = readMessage(text);
        if (received?.type === "answer" && received.id === id) return received.fields;
        if (received?.type === "request") await sendNotice(received.reply);
      }
      throw new McpServerFailure("sent something that is not MCP");
    },
    async notify(method) {
      await sendNotice({ jsonrpc: "2.0", method });
    },
    async close() {
      if (session === undefined) return;
      await send("DELETE", null, AbortSignal.timeout(NOTICE_MS)).then(drop, () => undefined);
    },
  };
}

async function drop({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => undefined);
}

/** The texts of all messages, and leaving it closes the connection. */
async function* messagesIn(response: Response, signal: AbortSignal): AsyncGenerator<string, void> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const decoder = new TextDecoder();
  let text = "";
  try {
    const body: AsyncIterable<Uint8Array> | null = response.body;
    for await (const bytes of body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length > MAX_MESSAGE_BYTES) throw new McpServerFailure(TOO_LONG);
      if (!isStream) continue;
      const events = text.split(/\r?\n\r?\n/);
      text = events.pop() ?? "";
      yield* events.map(dataOf);
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof McpServerFailure) throw cause;
    throw new McpServerFailure("ended its answer too early", { cause });
  }
  yield isStream ? dataOf(text) : text;
}

function dataOf(event: string): string {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  return lines.map((line) => line.slice("data:".length).replace(/^ /, "")).join("\n");
}

function hintFor(status: number): string {
  if (status !== 401 && status !== 403) return "";
  return ": it wants other credentials; name the variable that holds them in headersEnv";
}

/** No user, no password, no query. */
function originOf(url: string): string {
  return URL.parse(url)?.host ?? "its address";
}
