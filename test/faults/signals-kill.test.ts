import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseSeed, createRandom } from "../kit/random.ts";
import { startServer, withHome } from "../kit/server-process.ts";
import { delta, post, SignalEvents, signalOf, type RawSignal } from "../kit/signals.ts";

const ROUNDS = 5;

test("[SIG-12] what was acknowledged is there after kill -9, once", async (t) => {
  const seed = chooseSeed();
  t.diagnostic(`seed ${seed}`);
  const random = createRandom(seed);
  await withHome(async (home) => {
    const acknowledged: RawSignal[] = [];
    let unanswered: readonly RawSignal[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await startServer(home);
      const send = async (signals: readonly RawSignal[]): Promise<void> => {
        unanswered = signals;
        const { status } = await post(server, signals);
        assert.equal(status, 202);
        acknowledged.push(...signals);
        unanswered = [];
      };
      // What the crash left open is sent again: it must count once, whichever it was.
      if (unanswered.length > 0) await send(unanswered);
      const killed = Promise.withResolvers<void>();
      setTimeout(
        () => void server.end("SIGKILL").then(() => killed.resolve()),
        200 + random() * 300,
      );
      for (;;) {
        const call = signalOf("tool_call", { toolName: "t", agentId: "a" });
        const signals = random() < 0.5 ? [delta("w "), delta("v ")] : [call, delta("w ")];
        try {
          await send(signals);
        } catch {
          break;
        }
      }
      await killed.promise;
    }
    await using server = await startServer(home);
    if (unanswered.length > 0) {
      await post(server, unanswered);
      acknowledged.push(...unanswered);
    }
    await post(server, signalOf("end", {}, { id: "end" }));
    await using events = await SignalEvents.open(server, "?after=0");
    await events.until(({ data }) => data.id === "end");
    const told = events.events.map(({ data }) => data).filter(({ id }) => id !== "end");
    const calls = (signals: readonly RawSignal[]): string[] =>
      signals.filter(({ type }) => type === "tool_call").map(({ id }) => id);
    const text = (signals: readonly RawSignal[]): string =>
      signals
        .filter(({ type }) => type === "text_delta")
        .map(({ payload }) => payload.content)
        .join("");
    assert.deepEqual(calls(told), calls(acknowledged));
    assert.equal(text(told), text(acknowledged));
    assert.ok(acknowledged.length > ROUNDS);
    t.diagnostic(`${acknowledged.length} signals over ${ROUNDS} kills`);
  });
});
