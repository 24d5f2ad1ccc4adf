import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { openHooksServer } from "./hooks-server.ts";

const post = (url: string, body: string): Promise<Response> => fetch(url, { method: "POST", body });

test("[CLAUDE-8] hooks arrive under a secret path on loopback, and nowhere else", async () => {
  const server = await openHooksServer(randomUUID);
  const heard: string[] = [];
  const one = server.register((event) => void heard.push(event));
  const two = server.register(() => ({ decision: "of another" }));
  assert.match(one.url, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f-]{36}$/);
  const hook = JSON.stringify({ hook_event_name: "Stop" });
  assert.deepEqual(await (await post(one.url, hook)).json(), {});
  assert.deepEqual(await (await post(two.url, hook)).json(), { decision: "of another" });
  assert.deepEqual(heard, ["Stop"]);
  assert.equal((await post(new URL("/guess", one.url).href, hook)).status, 404);
  assert.equal((await post(new URL("/", one.url).href, hook)).status, 404);
  assert.equal((await fetch(one.url)).status, 404);
  assert.equal((await post(one.url, "not json")).status, 400);
  assert.equal((await post(one.url, "{}")).status, 400);
  one.remove();
  assert.equal((await post(one.url, hook)).status, 404);
  await server.close();
});

test("[LISTEN-9] whoever tries paths where hooks arrive is counted, and slowed; a hook is not", async () => {
  const guesses: string[] = [];
  const server = await openHooksServer(randomUUID, (address) =>
    guesses.push(address) > 2 ? 5 : 0,
  );
  const { url } = server.register(() => undefined);
  const statuses = [];
  for (let n = 0; n < 4; n++) {
    statuses.push((await post(new URL(`/guess-${n}`, url).href, "{}")).status);
  }
  assert.deepEqual(statuses, [404, 404, 429, 429]);
  assert.deepEqual(new Set(guesses), new Set(["127.0.0.1"]));
  assert.equal((await post(url, JSON.stringify({ hook_event_name: "Stop" }))).status, 200);
  assert.equal(guesses.length, 4);
  await server.close();
});

test("[CLAUDE-8] a hook of any size is answered or refused, never kept", async () => {
  const server = await openHooksServer(randomUUID);
  const { url } = server.register(() => undefined);
  const body = JSON.stringify({ hook_event_name: "Stop", junk: "x".repeat(33 * 1024 * 1024) });
  const status = await post(url, body).then(
    (response) => response.status,
    () => "refused",
  );
  assert.ok(status === 413 || status === "refused", String(status));
  await server.close();
});
