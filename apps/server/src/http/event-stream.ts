/**
 * Server-sent events on one response: data as it comes, a comment when there has been none for a while,
 * so that nobody in between takes a silent connection for a dead one. A reader that falls too far behind
 * is let go; where events have ids it comes back with the last one it has.
 */
import type { ServerResponse } from "node:http";

export interface EventStreamRules {
  readonly keepAliveMs: number;
  readonly maxBufferedBytes: number;
}

const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** For those who only ask whether there is a stream. */
export function headOfStream(): Response {
  return new Response(null, { headers: STREAM_HEADERS });
}

/**
 * What an endpoint answers with that has written to the response by itself. Endpoints run once somebody has asked, and by
 * then it is loaded (listen/answer-later.ts).
 */
export async function alreadySent(): Promise<Response> {
  const { RESPONSE_ALREADY_SENT } = await import("@hono/node-server/utils/response");
  return RESPONSE_ALREADY_SENT;
}

export class EventStream {
  readonly #response: ServerResponse;
  readonly #rules: EventStreamRules;
  readonly #silence: NodeJS.Timeout;

  constructor(
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    rules: EventStreamRules,
  ) {
    this.#response = response;
    this.#rules = rules;
    response.writeHead(200, { ...headers, ...STREAM_HEADERS });
    // Who hears nothing for a while should know that it listens.
    response.flushHeaders();
    this.#silence = setInterval(() => this.#write(": keep-alive\n\n"), rules.keepAliveMs);
    response.once("close", () => clearInterval(this.#silence));
  }

  send(data: unknown): void {
    this.sendText(JSON.stringify(data));
  }

  /** JSON that is text already, perhaps with the id a reader comes back with. */
  sendText(json: string, id?: number | string): void {
    this.#silence.refresh();
    this.#write(id === undefined ? `data: ${json}\n\n` : `id: ${id}\ndata: ${json}\n\n`);
  }

  /** One that is not a message: readers have to listen for its name. */
  sendEvent(name: string, data: unknown): void {
    this.#write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** Resolves when the reader has room again: for what is read from the log faster than it can be sent. */
  async room(): Promise<void> {
    const response = this.#response;
    if (!response.writableNeedDrain || response.destroyed) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    response.once("drain", resolve).once("close", resolve);
    await promise;
    response.off("drain", resolve).off("close", resolve);
  }

  end(last?: string): void {
    clearInterval(this.#silence);
    if (this.#response.destroyed) return;
    this.#response.end(last === undefined ? undefined : `data: ${last}\n\n`);
  }

  #write(text: string): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    response.write(text);
    if (response.writableLength > this.#rules.maxBufferedBytes) response.destroy();
  }
}
