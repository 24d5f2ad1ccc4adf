/** Detection of model servers, with small real servers on free ports of this machine. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Compile } from "@atrium/schema";
import { Runtimes } from "../settings/runtime-settings.ts";
import { MODEL_SERVER_TABLE } from "./model-servers.ts";
import type { ModelServerFinding } from "./probes/finding.ts";
import { openMachine, serverIn } from "./testing/machine.ts";

interface TestServer extends AsyncDisposable {
  readonly port: number;
  readonly asked: readonly string[];
}

async function serve(answer: RequestListener): Promise<TestServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`.trim());
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function find(port: number, timeoutMs = 5_000): Promise<ModelServerFinding> {
  await using machine = await openMachine();
  const row = { id: "ollama", name: "Ollama", port, start: "ollama serve", load: "ollama pull m" };
  await using detector = machine.open({
    modelServers: [row],
    modelServerTimeoutMs: timeoutMs,
    programs: [],
  });
  return serverIn(await detector.detect(false), "ollama");
}

const json =
  (value: unknown, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

test("[DETECT-5] the usual ports are known", () => {
  const ports = MODEL_SERVER_TABLE.map(({ id, port }) => [id, port]);
  assert.deepEqual(ports, [
    ["ollama", 11434],
    ["lm-studio", 1234],
    ["vllm", 8000],
    ["llama-cpp", 8080],
  ]);
});

test("[DETECT-5] a server is found with its models and the settings of a runtime", async () => {
  const models = [{ id: "qwen3:8b" }, { id: "gpt-oss:20b", owned_by: "library" }, { name: "x" }];
  await using server = await serve(json({ object: "list", data: models }));
  const found = await find(server.port);
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  assert.deepEqual(found, {
    id: "ollama",
    name: "Ollama",
    baseUrl,
    state: "ready",
    message: "Ready, with 2 models.",
    models: ["qwen3:8b", "gpt-oss:20b"],
    runtime: { type: "model", provider: "openai-compatible", baseUrl, model: "qwen3:8b" },
  });
  assert.ok(Compile(Runtimes).Check({ ollama: found.runtime }));
  assert.deepEqual(server.asked, ["GET /v1/models"]);
});

test("[DETECT-12] a model that embeds or reranks is listed and not proposed", async () => {
  const others = [
    "nomic-embed-text:latest",
    "mxbai-embed-large",
    "bge-m3:latest",
    "all-minilm:l6-v2",
    "text-embedding-qwen3-embedding-0.6b",
    "Qwen/Qwen3-Reranker-8B",
    "intfloat/e5-mistral-7b-instruct",
  ];
  const data = [...others, "gemma3:4b"].map((id) => ({ id }));
  await using server = await serve(json({ data }));
  const { models, runtime } = await find(server.port);
  assert.deepEqual(models, [...others, "gemma3:4b"]);
  assert.equal(runtime?.type === "model" && runtime.model, "gemma3:4b");
  await using only = await serve(json({ data: data.slice(0, 3) }));
  const found = await find(only.port);
  assert.deepEqual([found.state, found.runtime], ["broken", undefined]);
  assert.match(found.message, /^It has no model that answers, .*: run ollama pull m\.$/);
});

test("[DETECT-5] a list of models is bounded", async () => {
  const many = Array.from({ length: 500 }, (_, at) => ({ id: `m${at}` }));
  await using server = await serve(json({ data: [{ id: "x".repeat(1_000) }, ...many] }));
  const { models } = await find(server.port);
  assert.deepEqual([models.length, models[0]], [100, "m0"]);
});

test("[DETECT-5] what does not answer as a model server does is said to be so", async () => {
  let left = "";
  const cases: readonly (readonly [RequestListener, state: string, says: RegExp])[] = [
    [json({ object: "list", data: [] }), "broken", /^It has no model: run ollama pull m\.$/],
    // So says Ollama when it has none.
    [json({ object: "list", data: null }), "broken", /^It has no model: /],
    [json({ error: "no key" }, 401), "login-needed", /^Port \d+ wants a key: .*apiKeyEnv\.$/],
    [json({ error: "not found" }, 404), "missing", /^Another program answers on port \d+: /],
    [json({ data: "none" }), "missing", /^Another program answers/],
    [(_request, response) => response.end("<h1>It works!</h1>"), "missing", /^Another program/],
    [(_request, response) => response.writeHead(401).end("no"), "missing", /^Another program/],
    [
      (request, response) => {
        left = request.url ?? "";
        response.writeHead(302, { location: "/elsewhere" }).end();
      },
      "missing",
      /^Another program/,
    ],
    [(request) => request.socket.destroy(), "missing", /^Not running: start it with ollama serve/],
    [
      (_request, response) => response.end(`{"data":[{"id":"${"x".repeat(2_000_000)}"}]}`),
      "missing",
      /^Another program/,
    ],
  ];
  for (const [answer, state, says] of cases) {
    await using server = await serve(answer);
    const found = await find(server.port);
    assert.equal(found.state, state, found.message);
    assert.match(found.message, says);
    assert.deepEqual([found.models, found.runtime], [[], undefined]);
  }
  assert.equal(left, "/v1/models");
});

test("[DETECT-5] a server that hangs is not waited for, and one that is gone is not running", async () => {
  const server = await serve((_request, response) => void response.write('{"data":['));
  const { state, message } = await find(server.port, 100);
  assert.equal(state, "broken");
  assert.match(message, /^Port \d+ gave no answer within 0\.1 s: restart Ollama\.$/);
  await server[Symbol.asyncDispose]();
  assert.equal((await find(server.port)).message, "Not running: start it with ollama serve.");
});
