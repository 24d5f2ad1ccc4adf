/**
 * Google's generateContent on loopback, as far as Gemini CLI uses it: https://ai.google.dev/api/generate-content
 * It answers as the test says; what wants JSON by a schema, such as the choice of a model, gets an object that fits.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import type { Behavior } from "./model-server/behavior.ts";
import type { Body } from "./model-server/model-server.ts";

export interface GeminiServer extends AsyncDisposable {
  /** Without a path. */
  readonly url: string;
  /** What it was asked, without errands of the program. */
  readonly requests: readonly Body[];
  idle(): Promise<void>;
}

type Part = Readonly<Record<string, unknown>>;

const METHOD = /\/models\/([^:]+):(streamGenerateContent|generateContent|countTokens)$/;
const USAGE = { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 };
const CHOICE = { reasoning: "test", model_choice: "flash", next_speaker: "user" };

export async function openGeminiServer(decide: (body: Body) => Behavior): Promise<GeminiServer> {
  const requests: Body[] = [];
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
    const [, model, method] = METHOD.exec(path) ?? [];
    if (method === undefined) return reply(response, 404, { error: { message: `no ${path}` } });
    const sent = (await json(request)) as object;
    const body: Body = { ...sent, model };
    if (method === "countTokens") return reply(response, 200, { totalTokens: 11 });
    const config = body.generationConfig ?? {};
    const isErrand = config.responseMimeType === "application/json" || body.tools === undefined;
    if (!isErrand) requests.push(body);
    const behavior: Behavior = isErrand
      ? { type: "answer", chunks: [JSON.stringify(CHOICE)] }
      : decide(body);
    if (method === "generateContent") return reply(response, 200, whole(behavior));
    response.writeHead(200, { "content-type": "text/event-stream" });
    await stream(behavior, response);
  };

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
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

async function stream(behavior: Behavior, response: ServerResponse): Promise<void> {
  const send = (parts: readonly Part[], finishReason?: string): void => {
    response.write(`data: ${JSON.stringify(contentOf(parts, finishReason))}\r\n\r\n`);
  };
  if (behavior.type === "forever") {
    while (!response.destroyed) {
      send([{ text: behavior.chunk }]);
      await setTimeout(behavior.everyMs);
    }
    return;
  }
  // Whatever else a model can do wrong is tested where models are spoken with directly.
  if (behavior.type !== "answer") return;
  for (const text of behavior.chunks ?? []) {
    send([{ text }]);
    await setTimeout(behavior.chunkDelayMs ?? 0);
  }
  const calls = (behavior.toolCalls ?? []).map(({ name, input }) => ({
    functionCall: { name, args: input },
  }));
  send(calls.length > 0 ? calls : [{ text: "" }], "STOP");
  response.end();
}

function whole(behavior: Behavior): object {
  const chunks = behavior.type === "answer" ? (behavior.chunks ?? []) : [];
  return contentOf([{ text: chunks.join("") }], "STOP");
}

function contentOf(parts: readonly Part[], finishReason: string | undefined): object {
  return {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason }],
    usageMetadata: USAGE,
    modelVersion: "test-model",
  };
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
