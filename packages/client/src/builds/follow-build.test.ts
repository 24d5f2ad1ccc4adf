import assert from "node:assert/strict";
import { test } from "node:test";
import type { BuildEvent } from "@atrium/wire/build";
import { ConnectionLost, RequestAborted } from "../base/errors.ts";
import type { RunConnection } from "../rpc/run-connection.ts";
import { followBuild, type BuildUpdate } from "./follow-build.ts";

const event = (seq: number, type: "session.started" | "session.completed" = "session.started") =>
  ({
    id: `b:${seq}`,
    seq,
    ts: seq,
    build_id: "b",
    type,
    payload: { source: "backend" },
  }) as BuildEvent;

/** A server that holds events, tells of them while connected, and can be cut off. */
class FakeServer {
  readonly stored: BuildEvent[] = [];
  readonly asked: number[] = [];
  #isConnected = true;
  #tell: (event: BuildEvent) => void = () => undefined;
  #change: (state: string) => void = () => undefined;
  readonly #back = Promise.withResolvers<void>();

  readonly line = {
    call: async (_name: string, { after }: { after: number }) => {
      if (!this.#isConnected) throw new ConnectionLost("gone", false);
      this.asked.push(after);
      const rest = this.stored.filter(({ seq }) => seq > after);
      return { events: rest.slice(0, 2), has_more: rest.length > 2 };
    },
    onEvent: (_name: string, handler: (event: BuildEvent) => void) => {
      this.#tell = handler;
      return () => undefined;
    },
    onState: (handler: (state: { state: string }) => void) => {
      this.#change = (state) => handler({ state });
      return () => undefined;
    },
    ready: () => (this.#isConnected ? Promise.resolve() : this.#back.promise),
    setTimer: () => () => undefined,
  } as unknown as RunConnection;

  happen(told: BuildEvent): void {
    this.stored.push(told);
    if (this.#isConnected) this.#tell(told);
  }

  cut(): void {
    this.#isConnected = false;
    this.#change("waiting");
  }

  restore(): void {
    this.#isConnected = true;
    this.#back.resolve();
  }
}

const brief = (update: BuildUpdate | undefined): unknown =>
  update?.type === "event" ? update.event.seq : update?.type;

test("[CLIENT-34] what was told before, meanwhile and after a lost connection comes once and in order", async () => {
  const server = new FakeServer();
  for (const seq of [1, 2, 3]) server.happen(event(seq));
  const updates = followBuild(server.line, "b", {});
  const next = async (): Promise<unknown> => brief((await updates.next()).value ?? undefined);
  assert.deepEqual([await next(), await next(), await next()], [1, 2, 3]);
  server.happen(event(4));
  assert.equal(await next(), 4);
  const waiting = next();
  server.cut();
  assert.equal(await waiting, "lost");
  server.happen(event(5));
  server.restore();
  assert.deepEqual([await next(), await next()], ["back", 5]);
  server.happen({ ...event(6), build_id: "another" });
  server.happen(event(7, "session.completed"));
  assert.equal(await next(), 7);
  assert.equal((await updates.next()).done, true);
  assert.deepEqual(server.asked, [0, 2, 4]);
});

test("[CLIENT-34] leaving ends the following", async () => {
  const server = new FakeServer();
  const leave = new AbortController();
  const updates = followBuild(server.line, "b", { after: 3, signal: leave.signal });
  const waiting = updates.next();
  leave.abort();
  await assert.rejects(waiting, RequestAborted);
});
