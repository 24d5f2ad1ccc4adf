import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { Compile } from "@atrium/schema";
import { ErrorBody } from "@atrium/wire/openai";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { apiError, openaiClient, saying } from "../../kit/openai.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

test("[OAI-11] a run that fails is an error that is not tried again", async () => {
  await using atrium = await openTestAtrium();
  const error = await apiError(
    openaiClient(atrium).chat.completions.create(saying("[[fail: the kettle is cold]]")),
  );
  assert.deepEqual([error.status, error.code, error.type], [500, "run.failed", "api_error"]);
  assert.match(error.message, /the kettle is cold/);
  assert.equal(error.headers?.get("x-should-retry"), "false");
  await using peer = await atrium.connect();
  const { sessions } = await peer.ask("sessions.list");
  assert.equal(sessions.length, 1, "the client has asked once");
});

test("[OAI-11] OpenAI's client, with its own retries, does not say a failed message twice", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium).withOptions({ maxRetries: 2 });
  await apiError(client.chat.completions.create(saying("[[fail: no]]")));
  await using peer = await atrium.connect();
  assert.equal((await peer.ask("sessions.list")).sessions.length, 1);
});

test("[OAI-11] a stream that fails in the middle ends with an error event", async () => {
  await using atrium = await openTestAtrium();
  const asked = { ...saying("[[say: So far.]] [[fail: broken]]"), stream: true as const };
  const heard: string[] = [];
  const error = await apiError(
    (async () => {
      for await (const chunk of await openaiClient(atrium).chat.completions.create(asked)) {
        heard.push(chunk.choices[0]?.delta.content ?? "");
      }
    })(),
  );
  assert.equal(heard.join(""), "So far.");
  assert.match(error.message, /broken/);
  const raw = await (await post(atrium, asked)).text();
  const lines = raw.trimEnd().split("\n\n");
  assert.equal(lines.at(-1), "data: [DONE]");
  assert.ok(Compile(ErrorBody).Check(JSON.parse(lines.at(-2)!.slice("data: ".length))));
});

test("[OAI-11] a run that someone else stops is an error too", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const bound = openaiClient(atrium, { headers: { "x-openclaw-session-key": "notes" } });
  const answer = apiError(bound.chat.completions.create(saying("[[hang]]")));
  await underWay(peer, "notes");
  await peer.ask("chat.abort", { sessionKey: "notes" });
  const { status, code } = await answer;
  assert.deepEqual([status, code], [409, "run.aborted"]);
});

test("[OAI-13] a client that goes away in the middle of a stream stops its run", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const { data: stream, response } = await openaiClient(atrium)
    .chat.completions.create({ ...saying("[[say: Well.]] [[hang]]"), stream: true })
    .withResponse();
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta.content === "Well.") break;
  }
  stream.controller.abort();
  await settled(peer, response.headers.get("x-openclaw-session-key") ?? "", "killed");
});

test("[OAI-13] a client that goes away while it waits for an answer stops its run", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const leaving = new AbortController();
  const asked = openaiClient(atrium).chat.completions.create(saying("[[hang]]"), {
    signal: leaving.signal,
  });
  const answer = apiError(asked);
  const key = await anyUnderWay(peer);
  leaving.abort();
  await answer;
  await settled(peer, key, "killed");
});

test("[OAI-13] a client that stops reading loses its stream, and its run is stopped", async () => {
  await using atrium = await openTestAtrium({ limits: { maxBufferedBytes: 10_000 } });
  await using peer = await atrium.connect();
  // More waits for it than may wait as soon as this is said.
  const body = JSON.stringify({
    ...saying(`[[say: ${"x".repeat(20_000)}]] [[hang]]`),
    stream: true,
  });
  const silent = connect(atrium.port, "127.0.0.1");
  silent.on("error", () => undefined).pause();
  silent.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${atrium.token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await until(async () => (await rows(peer)).find(({ status }) => status === "killed"));
  silent.destroy();
});

test("[OAI-13] in a conversation that remembers the run goes on without its client", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const key = "agent:main:openai-user:ann";
  const asked = { ...saying("[[say: Wait.]] [[sleep: 200ms]] [[say: Done.]]"), user: "ann" };
  const stream = await openaiClient(atrium).chat.completions.create({ ...asked, stream: true });
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta.content === "Wait.") break;
  }
  await settled(peer, key, "done");
  const { messages } = await peer.ask("chat.history", { sessionKey: key });
  assert.equal(messages.at(-1).content[0].text, "Wait.\nDone.");
});

test("[OAI-12] with an Idempotency-Key the message is said once", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const keyed = { headers: { "Idempotency-Key": "k1" } };
  const asked = saying("[[sleep: 100ms]] [[say: once]]");
  const [first, second] = await Promise.all([
    client.chat.completions.create(asked, keyed),
    client.chat.completions.create(asked, keyed),
  ]);
  assert.deepEqual(second, first);
  const stream = await client.chat.completions.create({ ...asked, stream: true }, keyed);
  const chunks = await Array.fromAsync(stream);
  assert.equal(chunks[0]?.id, first.id);
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join(""), "once");
  await using peer = await atrium.connect();
  const { sessions } = await peer.ask("sessions.list");
  assert.deepEqual([sessions.length, sessions[0].totalMessages], [1, 2]);
  const other = await apiError(client.chat.completions.create(saying("[[say: else]]"), keyed));
  assert.deepEqual([other.status, other.code], [409, "key.reused"]);
});

test("[OAI-12] whoever comes back in the middle of an answer hears all of it", async () => {
  await using atrium = await openTestAtrium();
  const client = openaiClient(atrium);
  const asked = {
    ...saying("[[say: One.]] [[sleep: 300ms]] [[say: Two.]]"),
    stream: true as const,
  };
  const keyed = { headers: { "Idempotency-Key": "k2" } };
  for await (const chunk of await client.chat.completions.create(asked, keyed)) {
    if (chunk.choices[0]?.delta.content === "One.") break;
  }
  const chunks = await Array.fromAsync(await client.chat.completions.create(asked, keyed));
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join(""), "One.\nTwo.");
});

test("[OAI-12] the same answer comes after a restart", async () => {
  await withHome(async (home) => {
    const ask = async () => {
      await using server = await startServer(home);
      const keyed = { headers: { "Idempotency-Key": "k3" } };
      return await openaiClient(server).chat.completions.create(saying("[[say: kept]]"), keyed);
    };
    const first = await ask();
    assert.equal(first.choices[0]?.message.content, "kept");
    assert.deepEqual(await ask(), first);
  });
});

test("[OAI-11] when the server closes, whoever waits is told so", async () => {
  const atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const client = openaiClient(atrium);
  const waiting = apiError(client.chat.completions.create(saying("[[hang]]")));
  const key = await anyUnderWay(peer);
  assert.ok(key);
  const response = await post(atrium, { ...saying("[[hang]]"), stream: true });
  const [error, raw] = await Promise.all([waiting, response.text(), atrium.close()]);
  assert.deepEqual([error.status, error.code], [503, "closing"]);
  assert.match(raw, /"code":"closing"/);
  assert.match(raw, /data: \[DONE\]\n\n$/);
});

test("[OAI-3] a body over the limit is refused before it is parsed", async () => {
  await using atrium = await openTestAtrium({ limits: { maxBodyBytes: 1000 } });
  const big = await post(atrium, saying("x".repeat(2000)));
  assert.equal(big.status, 413);
  assert.ok(Compile(ErrorBody).Check(await big.json()));
  // Without a length beforehand it is counted while it comes.
  const chunk = new TextEncoder().encode("[".repeat(400));
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(chunk),
  });
  const endless = await fetch(`${atrium.url}v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${atrium.token}` },
    body,
    duplex: "half",
  });
  assert.equal(endless.status, 413);
});

test("[OAI-3] a body that is not JSON is refused, and a slow one given up, while others are served", async () => {
  await using atrium = await openTestAtrium({ limits: { bodyTimeoutMs: 150 } });
  const nonsense = await fetch(`${atrium.url}v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${atrium.token}` },
    body: "{nonsense",
  });
  assert.equal(nonsense.status, 400);
  const slow = connect(atrium.port, "127.0.0.1");
  slow.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${atrium.token}\r\n` +
      `content-length: 100\r\n\r\n{"messages":`,
  );
  let answer = "";
  slow.setEncoding("utf8").on("data", (text: string) => (answer += text));
  const closed = once(slow, "close");
  const meanwhile = await openaiClient(atrium).chat.completions.create(saying("[[say: hi]]"));
  assert.equal(meanwhile.choices[0]?.message.content, "hi");
  await closed;
  assert.match(answer, /^HTTP\/1\.1 408 /);
});

test("[OAI-3] a stranger's body is not read at all", async () => {
  await using atrium = await openTestAtrium();
  const stranger = connect(atrium.port, "127.0.0.1");
  stranger.write(
    "POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000000\r\n\r\n{",
  );
  let answer = "";
  stranger.setEncoding("utf8").on("data", (text: string) => (answer += text));
  await once(stranger, "close");
  assert.match(answer, /^HTTP\/1\.1 401 /);
});

test("[OAI-3] unknown paths and wrong methods are told in OpenAI's shape", async () => {
  await using atrium = await openTestAtrium();
  const headers = { authorization: `Bearer ${atrium.token}` };
  const cases = [
    ["GET", "v1/chat/completions", 405],
    ["POST", "v1/models", 405],
    ["POST", "v1/embeddings", 404],
    ["GET", "v1/nothing", 404],
  ] as const;
  for (const [method, path, status] of cases) {
    const response = await fetch(`${atrium.url}${path}`, { method, headers });
    assert.equal(response.status, status, path);
    assert.ok(Compile(ErrorBody).Check(await response.json()));
  }
  const { status } = await apiError(
    openaiClient(atrium).embeddings.create({ model: "openclaw", input: "x" }),
  );
  assert.equal(status, 404);
});

interface Asks {
  ask(method: string, params?: unknown): Promise<{ sessions: Row[]; session?: Row }>;
}

interface Row {
  readonly key: string;
  readonly status?: string;
  readonly hasActiveRun?: boolean;
}

async function rows(peer: Asks): Promise<readonly Row[]> {
  return (await peer.ask("sessions.list", { limit: 100 })).sessions;
}

/** The log tells everyone when; asking again until then is the simplest way to hear it. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function anyUnderWay(peer: Asks): Promise<string> {
  return until(async () => (await rows(peer)).find((row) => row.hasActiveRun === true)?.key);
}

function underWay(peer: Asks, name: string): Promise<string> {
  return until(async () => {
    return (await rows(peer)).find((row) => row.key.endsWith(name) && row.hasActiveRun)?.key;
  });
}

function settled(peer: Asks, key: string, status: string): Promise<Row> {
  return until(async () => {
    return (await rows(peer)).find((row) => row.key === key && row.status === status);
  });
}

function post(atrium: TestAtrium, body: unknown): Promise<Response> {
  return fetch(`${atrium.url}v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${atrium.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
