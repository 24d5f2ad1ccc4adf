import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { test } from "node:test";
import { EventStream } from "./event-stream.ts";

test("[OAI-13] a client that does not read is let go, and costs no more than the limit", async () => {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  await using server = createServer((_request, response) => resolve(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => undefined).pause();
  client.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  const response = await promise;
  const closed = once(response, "close");
  const maxBufferedBytes = 1_000_000;
  const events = new EventStream(response, {}, { keepAliveMs: 60_000, maxBufferedBytes });
  const piece = "x".repeat(100_000);
  let waiting = 0;
  // More than any socket takes in by itself.
  for (let sent = 0; sent < 1_000 && !response.destroyed; sent++) {
    events.send(piece);
    if (!response.destroyed) waiting = Math.max(waiting, response.writableLength);
    await new Promise((next) => setImmediate(next));
  }
  assert.ok(response.destroyed);
  assert.ok(waiting <= maxBufferedBytes);
  await closed;
  events.send("what is said to nobody is said to nobody");
  events.end();
  client.destroy();
});

test("[PAGE-12] a stream answers at once, before there is anything to tell", async () => {
  const rules = { keepAliveMs: 60_000, maxBufferedBytes: 1_000 };
  await using server = createServer(
    (_request, response) => void new EventStream(response, {}, rules),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const ending = new AbortController();
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    signal: AbortSignal.any([ending.signal, AbortSignal.timeout(10_000)]),
  });
  assert.equal(answer.headers.get("content-type"), "text/event-stream; charset=utf-8");
  ending.abort();
});
