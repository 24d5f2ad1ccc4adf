import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { followSignals, SignalsRefused, type SignalUpdate } from "./follow-signals.ts";

type Visit = (request: IncomingMessage, response: ServerResponse) => void;

/** A server whose visits go as they are told to, one after the other. */
async function openServer(visits: readonly Visit[]) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    visits[asked.length - 1]?.(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/#token=secret`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const told = (n: number, id?: string): string => {
  const signal = { id: `s${n}`, type: "note", timestamp: n, source: "test", payload: { n } };
  return `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(signal)}\n\n`;
};

const stream =
  (...pieces: readonly string[]): Visit =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) response.write(piece);
  };

const cut =
  (visit: Visit): Visit =>
  (request, response) => {
    visit(request, response);
    setImmediate(() => response.end());
  };

/** No time passes between attempts. */
const deps = {
  setTimer(run: () => void) {
    const timer = setImmediate(run);
    return () => clearImmediate(timer);
  },
};

const briefly = (update: SignalUpdate): unknown =>
  update.type === "signal" ? [update.signal.payload["n"], update.position] : update.type;

test("[CLIENT-34] signals are told as they come, and after a lost connection from where it was", async () => {
  const torn = told(3, "3.0");
  await using server = await openServer([
    cut(stream(": hello\n\n", told(1, "1.0"), told(2, "2.0"), told(9))),
    (_, response) => void response.writeHead(503).end("not yet"),
    stream(torn.slice(0, 20), torn.slice(20), "event: reset\ndata: {}\n\n", told(4, "1.0")),
  ]);
  const heard: unknown[] = [];
  const wanted = { url: server.url, type: ["no*"], agent: ["a", "b"], after: "0", deps };
  for await (const update of followSignals(wanted)) {
    heard.push(briefly(update));
    if (heard.length === 10) break;
  }
  assert.deepEqual(heard, [
    "open",
    [1, "1.0"],
    [2, "2.0"],
    [9, undefined],
    "lost",
    "lost",
    "open",
    [3, "3.0"],
    "reset",
    [4, "1.0"],
  ]);
  assert.deepEqual(
    server.asked.map(({ headers }) => headers["last-event-id"]),
    ["0", "2.0", "2.0"],
  );
  const [first] = server.asked;
  assert.equal(first?.url, "/api/signals/stream?type=no*&agent=a&agent=b");
  assert.equal(first?.headers.authorization, "Bearer secret");
});

test("[CLIENT-34] what another try would meet again is thrown, with what the server said", async () => {
  const body = JSON.stringify({
    error: { code: "params.invalid", message: "zz is not a position" },
  });
  await using server = await openServer([
    (_, response) => void response.writeHead(400).end(body),
    (_, response) => void response.writeHead(401).end("<html>"),
  ]);
  for (const [status, message] of [
    [400, "zz is not a position"],
    [401, "status 401"],
  ] as const) {
    await assert.rejects(
      followSignals({ url: server.url, deps }).next(),
      (error) =>
        error instanceof SignalsRefused && error.status === status && error.message === message,
    );
  }
});

test("[CLIENT-34] its signal ends it, while it listens and while it waits", async () => {
  await using server = await openServer([stream(told(1, "1.0"))]);
  const listening = new AbortController();
  const first: unknown[] = [];
  for await (const update of followSignals({ url: server.url, signal: listening.signal, deps })) {
    first.push(briefly(update));
    if (update.type === "signal") listening.abort();
  }
  assert.deepEqual(first, ["open", [1, "1.0"]]);
  const waiting = new AbortController();
  const forever = { setTimer: () => () => undefined };
  const options = { url: "http://127.0.0.1:1/", signal: waiting.signal, deps: forever };
  const second: unknown[] = [];
  for await (const update of followSignals(options)) {
    second.push(briefly(update));
    setImmediate(() => waiting.abort());
  }
  assert.deepEqual(second, ["lost"]);
});
