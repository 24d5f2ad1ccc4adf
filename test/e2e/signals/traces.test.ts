/** Traces of OpenTelemetry at the door: taken as signals, counted once, refused where they cannot be read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  JSON_TRACES,
  PROTOBUF_TRACES,
} from "../../../apps/server/src/rooms/signal/otlp/testing/exported-traces.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { SignalEvents } from "../../kit/signals.ts";

interface Address {
  readonly url: string;
  readonly token: string;
}

const PROTOBUF = { "content-type": "application/x-protobuf" };
const JSON_TYPE = { "content-type": "application/json" };

function send(
  { url, token }: Address,
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const bytes = typeof body === "string" ? body : new Uint8Array(body);
  return fetch(new URL("/v1/traces", url), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: bytes,
  });
}

test("[SIG-26] an export becomes signals, once, however it is packed and however often it is sent", async () => {
  await using atrium = await openTestAtrium();
  const packed = { ...PROTOBUF, "content-encoding": "gzip" };
  for (const [body, headers] of [
    [PROTOBUF_TRACES, PROTOBUF],
    [gzipSync(PROTOBUF_TRACES), packed],
    [PROTOBUF_TRACES, PROTOBUF],
  ] as const) {
    const answer = await send(atrium, body, headers);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), "application/x-protobuf");
    assert.equal((await answer.arrayBuffer()).byteLength, 0, "nothing was rejected");
  }
  const json = await send(atrium, JSON.stringify(JSON_TRACES), JSON_TYPE);
  assert.deepEqual([json.status, await json.json()], [200, {}]);
  await using events = await SignalEvents.open(atrium, "?after=0&source=otel:scout");
  // Nine of each export: the second and the third were the first again.
  await events.until(() => events.events.length >= 18);
  assert.equal(events.events.length, 18);
  const visitors = await fetch(new URL("/api/signals/visitors", atrium.url), {
    headers: { authorization: `Bearer ${atrium.token}` },
  });
  assert.match(await visitors.text(), /Scout/);
  assert.deepEqual(atrium.faults, []);
});

test("[SIG-27] what cannot be read is refused with the reason, and nothing of it is taken", async () => {
  await using atrium = await openTestAtrium({ limits: { maxSignalBytes: 100_000 } });
  const bomb = gzipSync(Buffer.alloc(10_000_000));
  const packed = { ...PROTOBUF, "content-encoding": "gzip" };
  for (const [body, headers, status, reason] of [
    [PROTOBUF_TRACES.subarray(0, 100), PROTOBUF, 400, /cut off/],
    ["{}", JSON_TYPE, 400, /resourceSpans is missing/],
    ["{", JSON_TYPE, 400, /not JSON/],
    ["x", { "content-type": "text/plain" }, 415, /application\/x-protobuf/],
    ["x", { ...JSON_TYPE, "content-encoding": "br" }, 415, /br is not supported/],
    ["x", packed, 400, /not gzip/],
    [bomb, packed, 413, /unpacked, the body is larger than 100000 bytes/],
    [Buffer.alloc(200_000), PROTOBUF, 413, /larger than 100000 bytes/],
  ] as const) {
    const answer = await send(atrium, body, headers);
    assert.equal(answer.status, status);
    assert.match(await answer.text(), reason);
  }
  const stranger = await send({ ...atrium, token: "wrong-token-of-a-stranger" }, "{}", JSON_TYPE);
  assert.equal(stranger.status, 401);
  await using events = await SignalEvents.open(atrium, "?after=0&source=otel:*&words=each");
  const answer = await send(atrium, PROTOBUF_TRACES, PROTOBUF);
  assert.equal(answer.status, 200);
  await events.until(() => events.events.length >= 9);
  assert.equal(events.events.length, 9);
  assert.deepEqual(atrium.faults, []);
});

test("[SIG-27] a source that is too fast is told when to send again", async () => {
  await using atrium = await openTestAtrium({ limits: { signalsPerSecond: 5 } });
  assert.equal((await send(atrium, PROTOBUF_TRACES, PROTOBUF)).status, 200);
  const again = await send(atrium, PROTOBUF_TRACES, PROTOBUF);
  assert.equal(again.status, 429);
  assert.match(again.headers.get("retry-after") ?? "", /^\d+$/);
});
