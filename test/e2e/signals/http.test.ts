/** Signals over plain HTTP: what is taken in, what is not, and how it is told again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { startServer, withHome } from "../../kit/server-process.ts";
import {
  delta,
  openSignals,
  post,
  SignalEvents,
  signalOf,
  type RawSignal,
} from "../../kit/signals.ts";

const call = (more = {}) => signalOf("tool_call", { toolName: "look", agentId: "a1" }, more);

test("[SIG-12] one, several or one per line are taken, and the answer says which were not", async () => {
  await using atrium = await openTestAtrium();
  const one = await post(atrium, call());
  assert.deepEqual([one.status, one.body], [202, { accepted: 1, rejected: [] }]);
  const bad = { ...call(), payload: { toolName: "look" } };
  const several = await post(atrium, [call(), bad, call(), 7]);
  assert.equal(several.status, 202);
  assert.deepEqual(several.body, {
    accepted: 2,
    rejected: [
      { index: 1, path: "/payload/agentId", reason: "is required" },
      { index: 3, path: "", reason: "a signal is an object" },
    ],
  });
  const lines = [JSON.stringify(call()), "", "{", JSON.stringify(call())].join("\r\n");
  const ndjson = await post(atrium, lines, {
    "content-type": "application/x-ndjson; charset=utf-8",
  });
  assert.equal(ndjson.status, 202);
  assert.equal(ndjson.body.accepted, 2);
  assert.equal(ndjson.body.rejected[0].index, 1);
  assert.match(ndjson.body.rejected[0].reason, /^is not JSON/);
  await using events = await SignalEvents.open(atrium, "?after=0&type=tool_call");
  await events.until(() => events.events.length === 5);
  const places = events.events.map(({ id = "" }) => id.split(".").map(Number));
  // What else happens in the house, such as a visitor who comes in, has a place of its own.
  const entries = [...new Set(places.map(([seq]) => seq))].toSorted((a = 0, b = 0) => a - b);
  assert.deepEqual(
    places.map(([seq, index]) => [entries.indexOf(seq), index]),
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
    ],
  );
});

test("[SIG-12] where nothing is good the answer is 400 in the same shape", async () => {
  await using atrium = await openTestAtrium();
  for (const [body, path] of [
    [{ ...call(), id: undefined }, "/id"],
    [{ ...call(), timestamp: undefined }, "/timestamp"],
    [{ ...call(), source: undefined }, "/source"],
    [[{ ...call(), seq: 3 }], "/seq"],
    ["{", ""],
  ] as const) {
    const { status, body: answer } = await post(atrium, body);
    assert.equal(status, 400);
    assert.deepEqual(
      [answer.accepted, answer.rejected.length, answer.rejected[0].path],
      [0, 1, path],
    );
  }
  const many = await post(
    atrium,
    Array.from({ length: 300 }, () => ({})),
  );
  assert.equal(many.body.rejected.length, 300);
});

test("[SIG-13] what is too much, of another kind, or from a stranger is not taken", async () => {
  await using atrium = await openTestAtrium({ limits: { maxSignalBytes: 1_000_000 } });
  const kind = await post(atrium, "id=1", { "content-type": "application/x-www-form-urlencoded" });
  assert.deepEqual([kind.status, kind.body.error.code], [415, "body.foreign"]);
  const large = await post(atrium, call({ metadata: { text: "x".repeat(1_000_001) } }));
  assert.equal(large.status, 413);
  const many = await post(
    atrium,
    Array.from({ length: 2_001 }, () => call()),
  );
  assert.deepEqual([many.status, many.body.error.code], [413, "signals.many"]);
  const key = await post(atrium, call(), { "idempotency-key": "k".repeat(300) });
  assert.equal(key.status, 400);
  const stranger = await post({ ...atrium, token: "wrong" }, call());
  assert.equal(stranger.status, 401);
  const verb = await fetch(new URL("/api/signal", atrium.url), {
    headers: { authorization: `Bearer ${atrium.token}` },
  });
  assert.deepEqual([verb.status, verb.headers.get("allow")], [405, "POST"]);
  await using events = await SignalEvents.open(atrium, "?after=0");
  await post(atrium, call({ id: "only" }));
  await events.until(() => true);
  assert.deepEqual(
    events.events.map(({ data }) => data.id),
    ["only"],
  );
});

test("[SIG-14] a key makes a request happen once, also after a restart", async () => {
  await withHome(async (home) => {
    const keyed = { "idempotency-key": "k1" };
    // Without ids there is nothing else to know them by; two sources are two entries.
    const body = [call({ id: "" }), call({ id: "", source: "other" }), 7];
    const first = await (async () => {
      await using server = await startServer(home);
      const answer = await post(server, body, keyed);
      assert.deepEqual((await post(server, body, keyed)).body, answer.body);
      return answer;
    })();
    await using server = await startServer(home);
    const again = await post(server, body, keyed);
    assert.deepEqual([again.status, again.body], [202, first.body]);
    const other = await post(server, [call({ id: "x" })], keyed);
    assert.deepEqual([other.status, other.body.error.code], [409, "key.reused"]);
    await post(server, call({ id: "end" }));
    await using events = await SignalEvents.open(server, "?after=0");
    await events.until(({ data }) => data.id === "end");
    assert.equal(events.events.length, 3);
  });
});

test("[SIG-15] a source that is too fast is told when to come back, and others are not", async () => {
  await using atrium = await openTestAtrium({ limits: { signalsPerSecond: 10 } });
  const burst = await post(
    atrium,
    Array.from({ length: 100 }, () => call()),
  );
  assert.equal(burst.status, 202);
  const more = await post(atrium, [call(), call({ source: "other" })]);
  assert.deepEqual([more.status, more.body.error.code], [429, "rate-limited"]);
  assert.ok(Number(more.headers.get("retry-after")) >= 1);
  assert.equal((await post(atrium, call({ source: "other" }))).status, 202);
});

test("[SIG-5] nobody else is the server, and names have an end", async () => {
  await using atrium = await openTestAtrium();
  const long = "x".repeat(257);
  const { status, body } = await post(atrium, [
    call({ source: "atrium" }),
    call({ source: long }),
    call({ id: long }),
    call({ type: long }),
    call({ correlationId: long }),
    call({ source: "\0 \ud800" }),
  ]);
  assert.equal(status, 202);
  assert.equal(body.accepted, 1);
  assert.deepEqual(
    body.rejected.map(({ path }: { path: string }) => path),
    ["/source", "/source", "/id", "/type", "/correlationId"],
  );
});

test("[SIG-22] page after page, everything before a position is there once, to the beginning", async () => {
  await using atrium = await openTestAtrium();
  const ids = Array.from({ length: 2_345 }, (_, at) => `p${at}`);
  for (let at = 0; at < ids.length; at += 5) {
    await post(
      atrium,
      ids.slice(at, at + 5).map((id) => signalOf("x.call", { agentId: `a${at % 2}` }, { id })),
    );
  }
  type Page = { signals: { position: string; signal: RawSignal }[]; next?: string };
  const headers = { authorization: `Bearer ${atrium.token}` };
  const ask = (query: string): Promise<Response> =>
    fetch(new URL(`/api/signals${query}`, atrium.url), { headers });
  const readAll = async (query: string): Promise<string[]> => {
    const found: string[] = [];
    let before: string | undefined;
    do {
      const at: string = before === undefined ? "" : `&before=${before}`;
      const page = (await (await ask(`${query}${at}`)).json()) as Page;
      found.unshift(...page.signals.map(({ signal }) => signal.id));
      before = page.next;
    } while (before !== undefined);
    return found;
  };
  assert.deepEqual(await readAll("?limit=333&source=test"), ids);
  const some = ids.filter((_, at) => Math.floor(at / 5) % 2 === 1);
  assert.deepEqual(await readAll("?limit=1000&agent=a1"), some);
  assert.deepEqual(await readAll("?agent=nobody"), []);
  const first = (await (await ask("?limit=1&source=test")).json()) as Page;
  assert.deepEqual(
    first.signals.map(({ signal }) => signal.id),
    ["p2344"],
  );
  for (const query of ["?before=soon", "?limit=0", "?limit=1001", "?colour=red"]) {
    assert.equal((await ask(query)).status, 400, query);
  }
});

test("[SIG-21] an event stream is filtered by its query and goes on in the middle of an entry", async () => {
  await using atrium = await openTestAtrium();
  const of = (id: string, type: string, agentId: string, more = {}) =>
    signalOf(type, { agentId, any: 1 }, { id, ...more });
  await post(atrium, [
    of("p0", "x.call", "a1"),
    of("p1", "x.call", "a2"),
    of("p2", "x.result", "a1"),
    of("p3", "x.call", "a1", { correlationId: "r7" }),
  ]);
  const ids = async (query: string, last: string, headers = {}): Promise<string[]> => {
    await using events = await SignalEvents.open(atrium, query, headers);
    await events.until(({ data }) => data.id === last);
    return events.events.map(({ data }) => data.id);
  };
  assert.deepEqual(await ids("?after=0&agent=a1&type=x.call", "p3"), ["p0", "p3"]);
  assert.deepEqual(await ids("?after=0&type=x.*&agent=a1", "p3"), ["p0", "p2", "p3"]);
  assert.deepEqual(await ids("?after=0&agent=a2&agent=nobody", "p1"), ["p1"]);
  assert.deepEqual(await ids("?after=0&correlationId=r7&source=test", "p3"), ["p3"]);
  await using events = await SignalEvents.open(atrium, "?after=0");
  const { id = "" } = await events.until(({ data }) => data.id === "p1");
  assert.match(id, /^\d+\.1$/);
  assert.deepEqual(await ids("?after=0", "p3", { "last-event-id": id }), ["p2", "p3"]);
  const headers = { authorization: `Bearer ${atrium.token}` };
  for (const query of ["?colour=red", "?after=yesterday"]) {
    const response = await fetch(new URL(`/api/signals/stream${query}`, atrium.url), { headers });
    assert.equal(response.status, 400);
  }
});

test("[SIG-21] a position of another log is a reset, then the present", async () => {
  await using atrium = await openTestAtrium();
  await post(atrium, call());
  await using events = await SignalEvents.open(atrium, "", { "last-event-id": "900.2" });
  await events.until(({ event }) => event === "reset");
  await post(atrium, call({ id: "now" }));
  await events.until(({ data }) => data.id === "now");
  assert.equal(events.events.length, 2);
});

test("[SIG-11] visitors are listed with their age", async () => {
  await using atrium = await openTestAtrium();
  await post(
    atrium,
    signalOf("agent_state_change", { agentId: "guest", from: "idle", to: "acting" }),
  );
  await post(atrium, delta("hm", { source: "else" }));
  const response = await fetch(new URL("/api/signals/visitors", atrium.url), {
    headers: { authorization: `Bearer ${atrium.token}` },
  });
  const { visitors } = (await response.json()) as { visitors: Record<string, unknown>[] };
  assert.deepEqual(
    visitors.map(({ agentId, source, state, lastType }) => [agentId, source, state, lastType]),
    [
      ["a1", "else", "idle", "text_delta"],
      ["guest", "test", "acting", "agent_state_change"],
    ],
  );
  assert.ok(visitors.every(({ ageMs }) => typeof ageMs === "number" && ageMs >= 0));
});

test("[SIG-16] what people do comes and goes like any other signal", async () => {
  await using atrium = await openTestAtrium();
  await using person = await openSignals(atrium);
  await using watcher = await openSignals(atrium);
  await watcher.subscribe({ filter: { type: "user.*" } });
  const done = [
    signalOf("user.click", { target: "desk" }),
    signalOf("user.move", { entityId: "a1", toSlot: "s1" }),
    signalOf("user.zone", { bounds: { x: 0, y: 0, w: 1, h: 1 } }),
    signalOf("user.command", { entityId: "a1", action: "pause" }),
    signalOf("user.point", { position: { x: 1, y: 1 } }),
    signalOf("user.point", { position: { x: 2, y: 2 } }),
  ];
  assert.equal((await person.emit(...done)).accepted, 6);
  await watcher.until(({ type }) => type === "user.point");
  assert.deepEqual(
    watcher.signals.map(({ type }) => type),
    ["user.click", "user.move", "user.zone", "user.command", "user.point"],
  );
  assert.deepEqual(watcher.signals.at(-1)?.payload.position, { x: 2, y: 2 });
});

test("[SIG-23] whoever asks for nothing in particular hears everything from now on, with words gathered", async () => {
  await using atrium = await openTestAtrium();
  await post(atrium, call({ id: "before" }));
  await using board = await SignalEvents.open(atrium);
  await using reader = await SignalEvents.open(atrium, "?words=each");
  await using producer = await openSignals(atrium);
  const words = Array.from({ length: 200 }, (_, n) => delta(`${n} `, { correlationId: "run-1" }));
  await producer.emit(...words.slice(0, 100), call({ id: "between" }));
  await producer.emit(...words.slice(100), call({ id: "last" }));
  const isLast = ({ data }: { readonly data?: RawSignal }): boolean => data?.id === "last";
  await Promise.all([board.until(isLast), reader.until(isLast)]);
  const said = ({ events }: SignalEvents): readonly RawSignal[] =>
    events.flatMap(({ data }) => (data === undefined || data.source !== "test" ? [] : [data]));
  const textOf = (signals: readonly RawSignal[]): string =>
    signals.map(({ type, payload }) => (type === "text_delta" ? payload.content : "|")).join("");
  const whole = words.map(({ payload }) => payload.content);
  const expected = `${whole.slice(0, 100).join("")}|${whole.slice(100).join("")}|`;
  assert.equal(textOf(said(board)), expected);
  assert.equal(textOf(said(reader)), expected);
  assert.ok(!said(board).some(({ id }) => id === "before"));
  const pieces = said(board).filter(({ type }) => type === "text_delta");
  assert.ok(pieces.length < 100, `${pieces.length} pieces`);
  assert.equal(said(reader).length, 202);
  const wrong = await fetch(new URL("/api/signals/stream?words=some", atrium.url), {
    headers: { authorization: `Bearer ${atrium.token}` },
  });
  assert.equal(wrong.status, 400);
});
