/**
 * Server-sent events on one response: data as it comes, a comment when there has been none for a while,
 * so that nobody in between takes a silent connection for a dead one. A reader that falls too far behind
 * is let go.
 */
import type { ServerResponse } from "node:http";

export interface EventStreamRules {
  readonly keepAliveMs: number;
  readonly maxBufferedBytes: number;
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
    response.writeHead(200, {
      ...headers,
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    this.#silence = setInterval(() => this.#write(": keep-alive\n\n"), rules.keepAliveMs);
    response.once("close", () => clearInterval(this.#silence));
  }

  send(data: unknown): void {
    this.#silence.refresh();
    this.#write(`data: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    clearInterval(this.#silence);
    if (!this.#response.destroyed) this.#response.end("data: [DONE]\n\n");
  }

  #write(text: string): void {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    response.write(text);
    if (response.writableLength > this.#rules.maxBufferedBytes) response.destroy();
  }
}
