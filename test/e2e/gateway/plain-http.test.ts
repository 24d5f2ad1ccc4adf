import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile, type TSchema } from "@atrium/schema";
import { PlainError, SessionHistoryPage, ToolsInvokeResult } from "@atrium/wire/gateway";
import { openTestAtrium } from "../../kit/atrium.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

interface Server {
  readonly url: string;
  readonly token: string;
}

interface Answered {
  readonly status: number;
  // Whatever came; tests look into it without a schema on purpose.
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly body: any;
}

test("[GWHTTP-1] a tool is called and its text is the result", async () => {
  await using atrium = await openTestAtrium();
  const { status, body } = await invoke(atrium, { tool: "agents_list", action: "json", args: {} });
  assert.equal(status, 200);
  assert.ok(isValid(ToolsInvokeResult, body));
  const { agents } = JSON.parse(body.result.content[0].text);
  assert.equal(agents[0].id, "main");
  const named = await invoke(atrium, { tool: "nothing", name: "now" });
  assert.match(named.body.result.content[0].text, /"utc":"\d{4}-/);
});

test("[GWHTTP-1] what cannot be done is told with its status", async () => {
  await using atrium = await openTestAtrium();
  const cases: readonly (readonly [Record<string, unknown>, number, RegExp])[] = [
    [{ tool: "paint" }, 404, /paint/],
    [{}, 400, /tool/],
    [{ tool: "now", args: { planet: "mars" } }, 400, /unexpected property 'planet'/],
    [{ tool: "now", args: { timeZone: "Mars/Olympus" } }, 400, /Mars\/Olympus/],
    [{ tool: "now", args: [] }, 400, /args/],
    [{ tool: "now", sessionKey: "agent:nobody:main" }, 404, /nobody/],
    [{ tool: "sessions_history", args: { sessionKey: "notes" } }, 400, /no conversation/],
  ];
  for (const [asked, wanted, message] of cases) {
    const { status, body } = await invoke(atrium, asked);
    assert.equal(status, wanted, JSON.stringify(asked));
    assert.ok(isValid(PlainError, body));
    assert.match(body.error.message, message);
  }
});

test("[GWHTTP-1] the token, the method and the size come first", async () => {
  await using atrium = await openTestAtrium();
  assert.equal((await invoke({ ...atrium, token: "wrong" }, { tool: "now" })).status, 401);
  const read = await fetch(`${atrium.url}tools/invoke`);
  assert.deepEqual([read.status, read.headers.get("allow")], [405, "POST"]);
  const big = await invoke(atrium, { tool: "now", args: { timeZone: "x".repeat(2_100_000) } });
  assert.equal(big.status, 413);
  const page = { origin: "https://elsewhere.example" };
  const foreign = await fetch(`${atrium.url}tools/invoke`, { method: "POST", headers: page });
  assert.equal(foreign.status, 403);
});

test("[GWHTTP-3] a dry run looks and does nothing", async () => {
  await using atrium = await openTestAtrium();
  const args = { sessionKey: "main", message: "hi" };
  const dry = await invoke(atrium, { tool: "sessions_send", args, dryRun: true });
  assert.deepEqual([dry.status, dry.body.result.dryRun], [200, true]);
  const bad = await invoke(atrium, { tool: "sessions_send", args: {}, dryRun: true });
  assert.equal(bad.status, 400);
  const { body } = await invoke(atrium, { tool: "sessions_list" });
  assert.equal(JSON.parse(body.result.content[0].text).total, 0);
});

test("[GWHTTP-2] a call with a key is made once, also when two ask at the same time", async () => {
  await using atrium = await openTestAtrium();
  const args = { sessionKey: "agent:eng_1:main", message: "[[sleep: 100ms]] [[say: done]]" };
  const asked = { tool: "sessions_send", args, idempotencyKey: "k1" };
  const [first, second] = await Promise.all([invoke(atrium, asked), invoke(atrium, asked)]);
  assert.equal(JSON.parse(first.body.result.content[0].text).reply, "done");
  assert.deepEqual(second, first);
  assert.deepEqual(await invoke(atrium, asked), first);
  await using peer = await atrium.connect();
  const { messages } = await peer.ask("chat.history", { sessionKey: "agent:eng_1:main" });
  assert.equal(messages.length, 2);
  const other = await invoke(atrium, { ...asked, args: { ...args, message: "else" } });
  assert.deepEqual([other.status, other.body.error.type], [409, "key.reused"]);
});

test("[GWHTTP-2] a call is not made again after a restart", async () => {
  await withHome(async (home) => {
    const asked = { tool: "now", idempotencyKey: "k1" };
    const ask = async (): Promise<Answered> => {
      await using server = await startServer(home);
      return await invoke(server, asked);
    };
    const first = await ask();
    assert.equal(first.status, 200);
    assert.deepEqual(await ask(), first, "the time of the first call");
  });
});

test("[GWHTTP-2] a call that was cut off is not made again", async () => {
  await withHome(async (home) => {
    const args = { sessionKey: "agent:eng_1:main", message: "[[hang]]" };
    const asked = { tool: "sessions_send", args, idempotencyKey: "k2" };
    {
      await using server = await startServer(home);
      await using peer = await server.connect();
      await peer.ask("sessions.subscribe");
      const begun = peer.next((frame) => frame.event === "sessions.changed");
      const cut = invoke(server, asked).catch(() => undefined);
      await begun;
      await server.end("SIGKILL");
      await cut;
    }
    await using server = await startServer(home);
    const again = await invoke(server, asked);
    assert.deepEqual([again.status, again.body.error.type], [409, "call.unfinished"]);
    await using peer = await server.connect();
    const { messages } = await peer.ask("chat.history", { sessionKey: "agent:eng_1:main" });
    const asks = messages.filter((message: { role: string }) => message.role === "user");
    assert.equal(asks.length, 1);
  });
});

test("[GWHTTP-5] a conversation in which something runs is stopped, and says whether there was anything", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const kill = async (key: string, token = atrium.token, method = "POST"): Promise<Answered> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${atrium.url}sessions/${key}/kill`, { method, headers });
    return { status: answer.status, body: await answer.json() };
  };
  assert.equal((await kill("main")).status, 404);
  const began = peer.first(({ event, payload }) => event === "agent" && payload.runId === "r1");
  await peer.ask("chat.send", { sessionKey: "main", message: "[[hang]]", idempotencyKey: "r1" });
  await began;
  assert.equal((await kill("main", "wrong")).status, 401);
  assert.equal((await kill("main", atrium.token, "GET")).status, 405);
  const ended = peer.first(({ event, payload }) => event === "chat" && payload.state === "aborted");
  assert.deepEqual(await kill("agent%3Amain%3Amain"), {
    status: 200,
    body: { ok: true, killed: true },
  });
  await ended;
  assert.deepEqual((await kill("main")).body, { ok: true, killed: false });
});

test("[GWHTTP-4] a conversation's history is read a page at a time", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  for (let n = 1; n <= 5; n++) {
    await peer.ask("chat.inject", { sessionKey: "main", message: `note ${n}` });
  }
  const texts: string[] = [];
  let cursor = "";
  do {
    const query = `limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`;
    const { status, body } = await history(atrium, "agent:main:main", query);
    assert.equal(status, 200);
    assert.ok(isValid(SessionHistoryPage, body), JSON.stringify(body));
    assert.equal(body.sessionKey, "agent:main:main");
    texts.unshift(
      ...body.items.map((item: { content: { text: string }[] }) => item.content[0]?.text),
    );
    assert.equal(body.hasMore, body.nextCursor !== undefined);
    cursor = body.nextCursor ?? "";
  } while (cursor !== "");
  assert.deepEqual(texts, ["note 1", "note 2", "note 3", "note 4", "note 5"]);
  const short = await history(atrium, "main", "limit=1");
  assert.deepEqual([short.body.items[0].__openclaw.seq, short.body.nextCursor], [5, "5"]);
});

test("[GWHTTP-4] a page asked for wrongly is refused", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await peer.ask("chat.inject", { sessionKey: "main", message: "a note" });
  assert.equal((await history({ ...atrium, token: "wrong" }, "main")).status, 401);
  assert.equal((await history(atrium, "agent:main:nothing")).status, 404);
  assert.equal((await history(atrium, "agent:nobody:main")).status, 404);
  for (const query of ["limit=0", "limit=x", "cursor=-1", "cursor=1.5"]) {
    const { status, body } = await history(atrium, "main", query);
    assert.equal(status, 400, query);
    assert.ok(isValid(PlainError, body));
  }
  const written = await fetch(`${atrium.url}sessions/main/history`, { method: "POST" });
  assert.equal(written.status, 405);
});

test("[TOOL-2] the tools tell what is there", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const long = "x".repeat(10_000);
  await peer.ask("chat.inject", { sessionKey: "main", message: long });
  const ask = async (tool: string, args = {}) => {
    const { body } = await invoke(atrium, { tool, args });
    return JSON.parse(body.result.content[0].text);
  };
  const headOfLog = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${atrium.token}` };
    const office = await fetch(`${atrium.url}api/office`, { headers });
    return ((await office.json()) as { seq: number }).seq;
  };
  const before = await headOfLog();
  const { sessions, total } = await ask("sessions_list", { agentId: "main" });
  assert.deepEqual([total, sessions[0].key], [1, "agent:main:main"]);
  assert.equal((await ask("sessions_list", { agentId: "eng_1" })).total, 0);
  const status = await ask("session_status");
  assert.deepEqual([status.key, status.status, status.messages], ["agent:main:main", "idle", 1]);
  const { messages } = await ask("sessions_history", { sessionKey: "main" });
  assert.deepEqual([messages[0].text.length, messages[0].cutOffChars], [4_000, 6_000]);
  const { utc, local } = await ask("now", { timeZone: "Europe/Helsinki" });
  assert.ok(Math.abs(Date.parse(utc) - Date.now()) < 60_000);
  assert.match(local, /\d{4}/);
  assert.ok((await ask("agents_list")).agents.length > 0);
  assert.equal(await headOfLog(), before, "nothing was written");
});

test("[TOOL-6] agents use the same tools in their turns, and talk to each other with them", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const ask = async (message: string): Promise<string> => {
    const args = { sessionKey: "main", message };
    const { body } = await invoke(atrium, { tool: "sessions_send", args });
    return JSON.parse(body.result.content[0].text).reply;
  };
  assert.match(await ask("[[tool: agents_list {}]]"), /agents_list returned: .*Eng 1/);
  assert.match(await ask('[[tool: agents_list {"x":1}]]'), /agents_list failed: .*unexpected/);
  const relay = '{"sessionKey":"agent:eng_1:main","message":"What do you think?"}';
  assert.match(await ask(`[[tool: sessions_send ${relay}]]`), /sessions_send returned: .*answered/);
  const { messages } = await peer.ask("chat.history", { sessionKey: "agent:eng_1:main" });
  assert.equal(messages[0].content[0].text, "What do you think?");
});

async function invoke(server: Server, body: unknown): Promise<Answered> {
  const response = await fetch(`${server.url}tools/invoke`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

async function history(server: Server, key: string, query = ""): Promise<Answered> {
  const response = await fetch(
    `${server.url}sessions/${encodeURIComponent(key)}/history?${query}`,
    { headers: { authorization: `Bearer ${server.token}` } },
  );
  return { status: response.status, body: await response.json() };
}

function isValid(schema: TSchema, value: unknown): boolean {
  return Compile(schema).Check(value);
}
