/** Signals over a socket. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openPeer } from "../../kit/raw-peer.ts";
import { startServer, withHome } from "../../kit/server-process.ts";
import {
  delta,
  openSignals,
  post,
  SignalSocket,
  signalOf,
  type SignalFrame,
} from "../../kit/signals.ts";

const call = (more = {}) => signalOf("tool_call", { toolName: "look", agentId: "a1" }, more);
const pathOf = ({ wsUrl }: { wsUrl: string }) => new URL("/ws/signals", wsUrl).href;

test("[SIG-18] the token is shown at the door or said first", async () => {
  await using atrium = await openTestAtrium();
  await using shown = await openSignals(atrium);
  assert.equal(shown.frames[0]?.type, "welcome");
  const said = new SignalSocket(await openPeer(pathOf(atrium)));
  const welcome = await said.ask({ type: "hello", auth: { token: atrium.token } });
  assert.equal(welcome.type, "welcome");
  assert.equal(typeof welcome.epoch, "string");
  await said.subscribe();
  said.peer.close();
  for (const [frame, headers] of [
    [{ type: "hello", auth: { token: "wrong" } }, {}],
    [{ type: "hello" }, {}],
    [{ type: "subscribe" }, {}],
    [undefined, { authorization: "Bearer wrong" }],
  ] as const) {
    await using peer = await openPeer(pathOf(atrium), { headers });
    if (frame !== undefined) peer.send(frame);
    assert.equal((await peer.closed).code, 1008);
    assert.equal(peer.frames[0]?.type, "error");
  }
  await using open = await openTestAtrium({ args: ["--auth", "none"] });
  const local = new SignalSocket(await openPeer(pathOf(open)));
  await local.subscribe();
  local.peer.close();
});

test("[SIG-19] a subscription gets what it wants, and a new one takes its place", async () => {
  await using atrium = await openTestAtrium();
  await using producer = await openSignals(atrium);
  const of = (type: string, agentId: string, more = {}) =>
    signalOf(type, { agentId, any: 1 }, more);
  const watchers = await Promise.all(
    [
      {},
      { type: "x.one" },
      { type: ["x.one", "x.two"], agent: "a2" },
      { source: "sour*" },
      { correlationId: "run-1" },
    ].map(async (filter) => {
      const watcher = await openSignals(atrium);
      await watcher.subscribe({ filter });
      return watcher;
    }),
  );
  await producer.emit(
    of("x.one", "a1", { id: "1" }),
    of("x.two", "a2", { id: "2" }),
    of("x.two", "a1", { id: "3", source: "source" }),
    of("x.one", "a2", { id: "4", correlationId: "run-1" }),
    signalOf("task_dispatch", { taskId: "t", from: "a2", to: "a3" }, { id: "5" }),
  );
  await producer.emit(
    of("end", "a2", { id: "end", type: "x.one", source: "source", correlationId: "run-1" }),
  );
  for (const watcher of watchers) await watcher.until(({ id }) => id === "end");
  assert.deepEqual(
    watchers.map(({ signals }) =>
      signals
        .map(({ id }) => id)
        .toSorted()
        .join(" "),
    ),
    ["1 2 3 4 5 end", "1 4 end", "2 4 end", "3 end", "4 end"],
  );
  const [everything] = watchers;
  assert.ok(everything);
  await everything.subscribe({ filter: { type: "never" } });
  assert.equal((await everything.ask({ type: "unsubscribe" })).type, "unsubscribed");
  await everything.subscribe({ filter: { type: "x.last" } });
  await producer.emit(of("x.one", "a1", { id: "6" }), of("x.last", "a1", { id: "7" }));
  await everything.until(({ id }) => id === "7");
  assert.ok(!everything.signals.some(({ id }) => id === "6"));
  for (const watcher of watchers) watcher.peer.close();
});

test("[SIG-20] after a position comes all that followed, then the present, once each", async () => {
  await using atrium = await openTestAtrium();
  await using producer = await openSignals(atrium);
  let sent = 0;
  const more = async (count: number): Promise<void> => {
    const made = Array.from({ length: count }, () => signalOf("n", { n: sent++ }));
    assert.equal((await producer.emit(...made)).accepted, count);
  };
  for (let n = 0; n < 40; n++) await more(50);
  await using late = await openSignals(atrium);
  await late.subscribe({ after: "0" });
  // What comes while the past is being told.
  for (let n = 0; n < 20; n++) await more(10);
  await late.until(({ payload }) => payload.n === sent - 1);
  assert.deepEqual(
    late.signals.map(({ payload }) => payload.n),
    [...Array(sent).keys()],
  );
  const middle = late.frames.find(({ signal }) => signal?.payload.n === 1_234);
  await using resumed = await openSignals(atrium);
  await resumed.subscribe({ after: middle?.position });
  await more(1);
  await resumed.until(({ payload }) => payload.n === sent - 1);
  assert.deepEqual(
    resumed.signals.map(({ payload }) => payload.n),
    Array.from({ length: sent - 1_235 }, (_, n) => n + 1_235),
  );
  const future = await resumed.ask({ type: "subscribe", after: "99999.0" });
  assert.deepEqual([future.type, future.code], ["error", "position.foreign"]);
  const other = await resumed.ask({ type: "subscribe", after: "1.0", epoch: "another" });
  assert.equal(other.code, "position.foreign");
});

test("[SIG-20] a past larger than any buffer is told to a peer that reads slowly", async () => {
  await using atrium = await openTestAtrium({ limits: { maxBufferedBytes: 1_000_000 } });
  const text = "x".repeat(100_000);
  for (let n = 0; n < 100; n++) await post(atrium, signalOf("big", { n, text }));
  await using slow = await openSignals(atrium);
  slow.peer.socket.pause();
  slow.peer.send({ type: "subscribe", after: "0" });
  // Long enough for a server that would not wait to fill its buffers.
  for (let n = 0; n < 200; n++) await new Promise((resolve) => setImmediate(resolve));
  slow.peer.socket.resume();
  await slow.until(({ payload }) => payload.n === 99);
  assert.deepEqual(
    slow.signals.map(({ payload }) => payload.n),
    [...Array(100).keys()],
  );
});

test("[SIG-16] what is emitted is answered as a POST would be", async () => {
  await using atrium = await openTestAtrium();
  await using producer = await openSignals(atrium);
  const answer = await producer.emit(call(), { ...call(), payload: {} });
  assert.deepEqual(answer, {
    type: "emitted",
    id: answer.id,
    accepted: 1,
    rejected: [{ index: 1, path: "/payload/toolName", reason: "is required" }],
  });
  assert.equal((await producer.ask({ type: "emit", signal: call() })).accepted, 1);
  const many = await producer.emit(...Array.from({ length: 2_001 }, () => call()));
  assert.equal(many.code, "signals.many");
});

test("[SIG-16] a signal that comes by itself is taken like one in an emit, whatever its type", async () => {
  await using atrium = await openTestAtrium();
  await using watcher = await openSignals(atrium);
  await watcher.subscribe({ filter: { source: "test" } });
  await using producer = await openSignals(atrium);
  for (const type of ["tool_call", "deploy.finished", "hello", "emit", "subscribe", "__proto__"]) {
    const payload = type === "tool_call" ? { toolName: "look", agentId: "a1" } : { any: 1 };
    const bare = signalOf(type, payload, { id: `bare-${type}` });
    const answer = producer.peer.next((frame) => frame.id === bare.id);
    const heard = watcher.peer.next((frame: SignalFrame) => frame.signal?.id === bare.id);
    producer.peer.send({ ...bare });
    assert.deepEqual(await answer, {
      type: "emitted",
      id: bare.id,
      accepted: 1,
      rejected: [],
    });
    await heard;
  }
  const bad = producer.peer.next((frame) => frame.id === "bad");
  producer.peer.send({ ...call({ id: "bad" }), payload: { toolName: "look" } });
  const { rejected } = (await bad) as { rejected?: unknown };
  assert.deepEqual(rejected, [{ index: 0, path: "/payload/agentId", reason: "is required" }]);
  // Before the token has been said, nothing is taken.
  await using stranger = await openPeer(pathOf(atrium));
  stranger.send({ ...call() });
  assert.equal((await stranger.closed).code, 1008);
});

test("nothing at all is answered as such, and what a frame has too much is named", async () => {
  await using atrium = await openTestAtrium();
  await using socket = await openSignals(atrium);
  const nothing = await socket.emit();
  assert.deepEqual([nothing.type, nothing.code], ["error", "signals.none"]);
  const filter = await socket.ask({ type: "subscribe", filter: { foo: 1 } });
  assert.match(filter.message ?? "", /subscribe: \/filter has no "foo"/);
  const posted = await post(atrium, []);
  assert.equal(posted.status, 400);
  assert.deepEqual(posted.body, {
    accepted: 0,
    rejected: [],
    error: { code: "signals.none", message: "The request contains no signals." },
  });
});

test("[SIG-16] whatever a peer sends, the server goes on and others do not notice", async () => {
  await using atrium = await openTestAtrium();
  await using watcher = await openSignals(atrium);
  await watcher.subscribe();
  const words = fc.constantFrom(
    "type",
    "emit",
    "signal",
    "subscribe",
    "filter",
    "after",
    "id",
    "hello",
    "auth",
    "payload",
  );
  const nonsense = fc.oneof(
    fc.json(),
    fc.string(),
    fc.dictionary(words, fc.oneof(words, fc.jsonValue())).map((value) => JSON.stringify(value)),
    fc.jsonValue().map((signal) => JSON.stringify({ type: "emit", signal })),
    fc.jsonValue().map((filter) => JSON.stringify({ type: "subscribe", filter })),
    fc
      .jsonValue()
      .map((value) => JSON.stringify({ type: "emit", signal: { ...call(), payload: value } })),
    fc.string().map((after) => JSON.stringify({ type: "subscribe", after })),
  );
  const check = async (texts: readonly string[]): Promise<void> => {
    await using peer = await openSignals(atrium);
    for (const text of texts) peer.peer.sendText(text);
    const answered = await peer.ask({ type: "emit", signal: call({ id: "after" }) });
    assert.equal(answered.type, "emitted", JSON.stringify(answered));
    for (const { type } of peer.frames) {
      assert.ok(
        ["welcome", "subscribed", "unsubscribed", "emitted", "error", "signal"].includes(type),
      );
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(nonsense, { maxLength: 30 }), check), {
    seed: 11,
    numRuns: 40,
  });
  assert.deepEqual(atrium.faults, []);
  await watcher.emit(call({ id: "still here" }));
  await watcher.until(({ id }) => id === "still here");
});

test("[SIG-16] a peer that sends nothing but nonsense is let go", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await openSignals(atrium);
  for (let n = 0; n < 1_500; n++) peer.peer.sendText("{");
  assert.equal((await peer.peer.closed).code, 1008);
});

test("[SIG-15] a source that is too fast is read more slowly, and nothing it was told is lost", async () => {
  await using atrium = await openTestAtrium({ limits: { signalsPerSecond: 2_000 } });
  await using flood = await openSignals(atrium);
  await using watcher = await openSignals(atrium);
  await watcher.subscribe({ filter: { source: "flood" } });
  const began = performance.now();
  const count = 5_000;
  for (let n = 0; n < count; n++) {
    flood.peer.send({
      type: "emit",
      id: `n${n}`,
      signal: signalOf("n", { n }, { source: "flood" }),
    });
  }
  await flood.peer.first(({ id }) => id === `n${count - 1}`);
  await watcher.until(({ payload }) => payload.n === count - 1);
  // The first 2,000 are in hand; the others have to be waited for.
  assert.ok(performance.now() - began > 1_000);
  assert.deepEqual(
    watcher.signals.map(({ payload }) => payload.n),
    [...Array(count).keys()],
  );
});

test("[SIG-10] words pass as they come and are kept as one", async () => {
  await using atrium = await openTestAtrium();
  await using watcher = await openSignals(atrium);
  await watcher.subscribe();
  const words = ["One ", "two ", "three"].map((content) => delta(content, { correlationId: "c" }));
  const answers = await Promise.all(words.map((each) => watcher.emit(each)));
  assert.deepEqual(
    answers.map(({ accepted }) => accepted),
    [1, 1, 1],
  );
  // Sent again, as after an answer that was lost: nobody hears it twice.
  await watcher.emit(...words);
  await watcher.emit(call({ id: "end" }));
  await watcher.until(({ id }) => id === "end");
  assert.deepEqual(
    watcher.frames
      .filter(({ signal }) => signal?.type === "text_delta")
      .map(({ position, signal }) => [position, signal?.payload.content]),
    [
      [undefined, "One "],
      [undefined, "two "],
      [undefined, "three"],
    ],
  );
  await using late = await openSignals(atrium);
  await late.subscribe({ after: "0" });
  await late.until(({ id }) => id === "end");
  const [kept, end] = late.signals;
  assert.deepEqual(
    [kept?.payload.content, kept?.metadata],
    ["One two three", { coalesced: 3, kept: true }],
  );
  assert.equal(end?.id, "end");
});

test("[SIG-10] whoever comes in the middle is told what was said so far", async () => {
  await using atrium = await openTestAtrium();
  await using speaker = await openSignals(atrium);
  await using first = await openSignals(atrium);
  await first.subscribe();
  const said = speaker.emit(delta("Before "));
  await first.until(({ type }) => type === "text_delta");
  await using late = await openSignals(atrium);
  await late.subscribe();
  await speaker.emit(delta("after"));
  await said;
  await late.until(({ payload }) => payload.content === "after");
  assert.deepEqual(
    late.signals.map(({ payload, metadata }) => [payload.content, metadata?.kept ?? false]),
    [
      ["Before ", true],
      ["after", false],
    ],
  );
});

test("[SIG-3] what a source says is told in the order it was said", async () => {
  await using atrium = await openTestAtrium();
  await using producer = await openSignals(atrium);
  await using watcher = await openSignals(atrium);
  await watcher.subscribe();
  let n = 0;
  const next = (isWords: boolean) => (isWords ? delta(`${n++} `) : call({ metadata: { n: n++ } }));
  const pattern = [true, false, true, true, false, false, true, true, true, false];
  const waits: Promise<unknown>[] = [];
  for (let round = 0; round < 30; round++) {
    const signals = pattern.map((isWords, index) => next(isWords !== (round % 3 === index % 3)));
    if (round % 2 === 0) waits.push(producer.emit(...signals));
    else for (const signal of signals) waits.push(producer.emit(signal));
    if (round % 5 === 0) await waits.at(-1);
  }
  await Promise.all(waits);
  await producer.emit(call({ id: "end" }));
  await watcher.until(({ id }) => id === "end");
  const told = watcher.signals
    .filter(({ id }) => id !== "end")
    .flatMap(({ type, payload, metadata }) =>
      type === "text_delta" ? payload.content.trim().split(" ").map(Number) : [metadata.n],
    );
  assert.deepEqual(told, [...Array(n).keys()]);
});

test("[SIG-21] a socket goes on where it was over a restart of the server", async () => {
  await withHome(async (home) => {
    let position: string | undefined;
    let epoch: string | undefined;
    const seen: number[] = [];
    for (let life = 0; life < 3; life++) {
      await using server = await startServer(home);
      await using socket = await openSignals(server);
      await socket.subscribe(position === undefined ? {} : { after: position, epoch });
      ({ epoch } = socket.frames[0] ?? {});
      await socket.emit(...[0, 1, 2].map((n) => signalOf("n", { n: life * 10 + n })));
      // The last of each life is told to nobody before the restart.
      await socket.until(({ payload }) => payload.n === life * 10 + 1);
      const last = socket.frames.findLast(({ signal }) => signal?.payload.n === life * 10 + 1);
      position = last?.position;
      seen.push(
        ...socket.signals.map(({ payload }) => payload.n).filter((n) => n <= life * 10 + 1),
      );
    }
    assert.deepEqual(seen, [0, 1, 2, 10, 11, 12, 20, 21]);
  });
});
