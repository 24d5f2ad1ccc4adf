import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { test } from "node:test";

test("what answers HTTP is loaded with the first request, and not for peers that only open sockets", async () => {
  const loaded = new Set<string>();
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const isOurs = context.parentURL?.includes("/apps/server/src/") === true;
      if (isOurs && (specifier === "node:http" || specifier.startsWith("@hono/node-server"))) {
        loaded.add(specifier);
      }
      return found;
    },
  });
  const { openTestAtrium } = await import("../../kit/atrium.ts");
  await using atrium = await openTestAtrium();
  await atrium.connect();
  assert.deepEqual([...loaded], []);

  const paths = ["readyz", "healthz", "nothing-here", ""];
  const ask = (path: string): Promise<Response> => fetch(new URL(path, atrium.url));
  const first = await Promise.all(paths.map(ask));
  assert.ok(loaded.has("@hono/node-server"));
  const second = await Promise.all(paths.map(ask));
  const statuses = (answers: readonly Response[]): readonly number[] =>
    answers.map(({ status }) => status);
  assert.deepEqual(statuses(first), statuses(second));
  assert.equal(first[0]?.status, 200);
  assert.equal(await first[3]?.text(), await second[3]?.text());

  // A stream writes to its response by itself; nothing is sent after it.
  const stream = new AbortController();
  const headers = { authorization: `Bearer ${atrium.token}` };
  const { signal } = stream;
  const events = await fetch(new URL("api/signals/stream", atrium.url), { headers, signal });
  assert.equal(events.status, 200);
  assert.match(events.headers.get("content-type") ?? "", /^text\/event-stream/);
  stream.abort();
  assert.deepEqual(atrium.faults, []);
});
