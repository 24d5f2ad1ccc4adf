import assert from "node:assert/strict";
import { request, type IncomingMessage } from "node:http";
/** Everything that is served over plain HTTP: paths, queries, headers and bodies, as they leave no other client. */
import { buildAnswer, buildStart } from "@atrium/wire/build";
import { ToolsInvokeRequest } from "@atrium/wire/gateway";
import { ChatCompletionRequest } from "@atrium/wire/openai";
import { within, type Door, type Fuzzer, type Place } from "./fuzzer.ts";
import { makeSignal } from "./socket-doors.ts";

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const PATIENCE_MS = 30_000;
const REFUSED = new Set([501, 503, 504]);
const READ = [
  "/api/world/at",
  "/api/world/events",
  "/api/world/scene",
  "/api/world/tasks/:x/calls",
  "/api/office",
  "/api/artifacts/:x",
  "/api/artifacts/:x/:x",
  "/api/artifacts/:x/changes",
  "/api/artifacts/:x/diff",
  "/api/artifacts/:x/file",
  "/api/artifacts/:x/comments",
  "/api/artifacts/:x/checks",
  "/api/checks/:x/output",
  "/api/builds",
  "/api/builds/:x",
  "/api/builds/:x/files",
  "/api/builds/:x/files/:x",
  "/api/builds/:x/events",
  "/api/builds/:x/diagnosis",
  "/api/signals",
  "/api/signals/stream",
  "/api/signals/visitors",
  "/api/login",
  "/sessions/:x/history",
  "/v1/models",
  "/v1/models/:x",
  "/v1/:x",
  "/health",
  "/readyz",
  "/metrics",
  "/control-ui-config.json",
  "/",
  "/:x",
  "/:x/:x",
  "/assets/:x",
];
const QUERIES =
  "seq time after before limit cursor type source agentId version against path side whole".split(
    " ",
  );
const VERBS = ["GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];

export function openHttpDoor({ url, token }: Place, fuzzer: Fuzzer): Door {
  const { chance, make, text, note } = fuzzer;
  /** Sent as it is, or as a browser would. */
  const part = (): string => {
    const raw = text().slice(0, 4_000);
    return chance.percent(15) ? raw.replaceAll(/[^!-~]/g, "%FF") : encode(raw);
  };
  const place = (path: string): string => path.replaceAll(":x", part);
  const query = (): string => {
    if (chance.percent(40)) return "";
    const name = (): string => (chance.percent(70) ? chance.pick(QUERIES) : part());
    return `?${name()}=${part()}${chance.percent(30) ? `&${name()}=${part()}` : ""}`;
  };

  const acts: readonly (() => Asked)[] = [
    () => ({ method: "POST", path: "/api/signal", body: makeSignal(fuzzer) }),
    () => ({ method: "POST", path: "/api/signal", body: [makeSignal(fuzzer), text()] }),
    () => ({ method: "POST", path: "/api/builds", body: make(buildStart.params, "build") }),
    () => ({
      method: "POST",
      path: place("/api/builds/:x/answers"),
      body: make(buildAnswer.params, "build"),
    }),
    () => ({ method: "POST", path: place("/api/builds/:x/cancel"), body: make({}) }),
    () => ({ method: "POST", path: place(`/sessions/:x/kill${query()}`), body: make({}) }),
    () => ({
      method: "POST",
      path: "/tools/invoke",
      body: make(ToolsInvokeRequest),
    }),
    () => ({
      method: "POST",
      path: "/v1/chat/completions",
      body: make(ChatCompletionRequest),
    }),
    () => ({ method: "POST", path: "/api/login", body: { token: text() } }),
    () => ({ method: "POST", path: "/api/logout", body: text() }),
  ];

  function ask(): Asked {
    if (chance.percent(45)) return chance.pick(acts)();
    return { method: chance.pick(VERBS), path: place(chance.pick(READ)) + query() };
  }

  return {
    name: "http",
    async call() {
      const asked = ask();
      note("http", asked);
      fuzzer.count("http", "calls");
      const headers = {
        ...(chance.percent(95) && { authorization: `Bearer ${token}` }),
        ...(chance.percent(20) && { "idempotency-key": encode(text().slice(0, 500)) }),
        ...(chance.percent(10) && { "x-openclaw-session-key": encode(text().slice(0, 500)) }),
        ...(chance.percent(10) && { "x-openclaw-agent-id": encode(text().slice(0, 500)) }),
        ...(chance.percent(5) && { cookie: `atrium=${encode(text().slice(0, 500))}` }),
        ...(asked.body !== undefined && { "content-type": "application/json" }),
      };
      const status = await within(
        PATIENCE_MS,
        send(url, asked, headers, (said) =>
          fuzzer.learn(said, asked.path.startsWith("/api/builds") ? "build" : "http"),
        ),
      );
      assert.ok(status !== undefined, "no answer");
      // Refused for now and not done in time are answers; broken is not.
      if (status >= 200 && status < 300) fuzzer.count("http", "taken");
      assert.ok(status < 500 || REFUSED.has(status), `answered ${status}`);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** The status, once the answer is there or, where it is a stream, has begun. */
function send(
  url: string,
  { method, path, body }: Asked,
  headers: Readonly<Record<string, string>>,
  learn: (answer: unknown) => void,
): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      const { statusCode = 0 } = answer;
      if (answer.headers["content-type"]?.includes("event-stream") === true) {
        sent.destroy();
        resolve(statusCode);
      } else {
        readAll(answer, learn).then(() => resolve(statusCode), reject);
      }
    });
    // A body that is refused unread ends in a reset, after the answer.
    sent.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNRESET" || error.code === "EPIPE") resolve(0);
      else reject(error);
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function readAll(answer: IncomingMessage, learn: (answer: unknown) => void): Promise<void> {
  answer.setEncoding("utf8");
  let text = "";
  for await (const piece of answer) text += String(piece);
  if (answer.headers["content-type"]?.includes("json") === true && text !== "") {
    learn(JSON.parse(text));
  }
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
