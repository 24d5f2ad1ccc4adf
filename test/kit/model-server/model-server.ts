/**
 * A model server on loopback that does as it is told: real HTTP, the vendors' formats, and every way a
 * model can disappoint. What it does is taken from the queue, else decided by `decide`.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { anthropicFormat } from "./anthropic-format.ts";
import type { Answer, Behavior } from "./behavior.ts";
import type { Format, Writer } from "./format.ts";
import { openaiFormat } from "./openai-format.ts";
import { responsesFormat } from "./responses-format.ts";

/** What a client sent, looked into as it came. */
// oxlint-disable-next-line typescript/no-explicit-any -- each vendor's requests have their own shape
export type Body = any;

export interface ModelRequest {
  readonly format: Format["name"];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Body;
  /** What the last message says, if it is text. */
  readonly lastText: string;
}

export interface ModelServer extends AsyncDisposable {
  /** For all formats. */
  readonly baseUrl: string;
  /** What to do with the next requests, one each. */
  readonly queue: Behavior[];
  readonly requests: readonly ModelRequest[];
  /** Requests that are being answered. */
  readonly underWay: number;
  /** Resolves when a request that was being answered has been left by the client or is done. */
  idle(): Promise<void>;
}

const FORMATS = [openaiFormat, anthropicFormat, responsesFormat];

export async function openModelServer(
  decide: (request: ModelRequest) => Behavior = echo,
): Promise<ModelServer> {
  const queue: Behavior[] = [];
  const requests: ModelRequest[] = [];
  const underWay = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    underWay.add(response);
    response.on("close", () => {
      underWay.delete(response);
      server.emit("left");
    });
    void serve(request, response);
  });

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const format = FORMATS.find((candidate) => candidate.path === path);
    if (request.method === "GET" && path === "/v1/models") {
      return reply(response, 200, {
        object: "list",
        data: [{ id: "test-model", object: "model" }],
      });
    }
    if (format === undefined) {
      return reply(response, 404, { error: { message: `no ${path} here` } });
    }
    const body: Body = await json(request);
    const asked: ModelRequest = {
      format: format.name,
      headers: request.headers,
      body,
      lastText: lastTextIn(body.messages ?? body.input),
    };
    requests.push(asked);
    const behavior = queue.shift() ?? decide(asked);
    if (behavior.type !== "status") {
      return behave(behavior, response, format.write(requests.length), body.stream === true);
    }
    const { status, message, code, headers } = behavior;
    reply(response, status, format.errorBody(message, code), headers);
  };

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    queue,
    requests,
    get underWay() {
      return underWay.size;
    },
    async idle() {
      while (underWay.size > 0) await once(server, "left");
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function behave(
  behavior: Exclude<Behavior, { type: "status" }>,
  response: ServerResponse,
  format: Writer,
  isStream: boolean,
): Promise<void> {
  switch (behavior.type) {
    case "answer":
      if (isStream) return stream(response, eventsOf(behavior, format), behavior.chunkDelayMs);
      return reply(response, 200, format.whole(behavior));
    case "error event":
      await send(response, beginning(behavior.chunks, format));
      return void response.end(format.errorEvent(behavior.message));
    case "cut":
      await send(response, beginning(behavior.chunks, format));
      return void (behavior.how === "end" ? response.end() : response.socket?.resetAndDestroy());
    case "garbage":
      await send(response, beginning(behavior.chunks, format));
      return void response.end('data: {"choices": [\u0000\u0007 not json\n\ndata: <html>\n\n');
    case "stall":
      return send(response, beginning(behavior.chunks, format));
    case "silence":
      return behavior.afterHeaders === true ? send(response, [":\n\n"]) : undefined;
    case "forever":
      await send(response, beginning([], format));
      while (!response.destroyed) {
        await send(response, format.text(behavior.chunk));
        await setTimeout(behavior.everyMs);
      }
  }
}

function beginning(chunks: readonly string[], format: Writer): string[] {
  return [...format.opening({ type: "answer" }), ...chunks.flatMap((text) => format.text(text))];
}

function eventsOf(answer: Answer, format: Writer): string[] {
  return [
    ...format.opening(answer),
    ...(answer.reasoning === undefined ? [] : format.reasoning(answer.reasoning)),
    ...(answer.chunks ?? []).flatMap((text) => format.text(text)),
    ...(answer.toolCalls ?? []).flatMap((call, index) => format.toolCall(call, index)),
    ...format.closing(answer),
  ];
}

async function stream(
  response: ServerResponse,
  events: readonly string[],
  delayMs: number | undefined,
): Promise<void> {
  for (const event of events) {
    if (response.destroyed) return;
    await send(response, [event]);
    if (delayMs !== undefined) await setTimeout(delayMs);
  }
  response.end();
}

/** Resolves when the bytes have left, so that what follows comes after them. */
async function send(response: ServerResponse, events: readonly string[]): Promise<void> {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  await new Promise<void>((resolve) => {
    response.write(events.join(""), () => resolve());
  });
}

function reply(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function echo({ lastText }: ModelRequest): Behavior {
  const usage = { inputTokens: 10, outputTokens: 5 };
  return { type: "answer", chunks: [`You said: ${lastText}`], usage };
}

function lastTextIn(messages: Body): string {
  // A client may end with a note of its own, which is not what anyone said.
  const content = messages?.findLast(({ role }: Body) => role !== "system")?.content;
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part: Body) => part.text ?? []).join("\n");
}
