/**
 * Follows one run to its end, however often the connection is lost on the way.
 *
 *   ready -> ask (send, or nothing) -> wait for the end meanwhile -> relay events -> end
 *     ^                                                             |
 *     `------------------------- lost <-----------------------------'
 *
 * `ask` is repeated after every reconnection, so it must be safe to repeat. The end comes from its event, or from
 * `agent.wait` when that event was sent while the connection was lost. Only the first of the two counts.
 */
import { ConnectionLost, GatewayError, RequestAborted, RunUnknown } from "../base/errors.ts";
import { describeFailure } from "../base/failure.ts";
import type { ConnectionState } from "../connection/connection.ts";
import type { EventPayloads } from "../rpc/catalogue.ts";
import type { RunConnection } from "../rpc/run-connection.ts";
import { readProgress } from "./progress.ts";
import { endFromEvent, isMerged, recoverEnd, type RunPlace, type Waited } from "./run-end.ts";
import { RunText } from "./run-text.ts";
import type { RunUpdate } from "./run-update.ts";
import { UpdateQueue } from "./update-queue.ts";

export interface Following {
  readonly place: RunPlace;
  /** Makes sure that the server has the run, if that is up to us; called again after every reconnection. */
  readonly ask?: () => Promise<unknown>;
  readonly signal?: AbortSignal | undefined;
}

/** How long the server waits at most; then it is asked again. */
const WAIT_MS = 24 * 60 * 60_000;

export async function* followRun(
  line: RunConnection,
  { place, ask, signal }: Following,
): AsyncGenerator<RunUpdate, void> {
  const events = new RunEvents(line, place.runId);
  const onAbort = (): void => events.queue.wake();
  signal?.addEventListener("abort", onAbort);
  try {
    for (let isAccepted = false; ;) {
      await line.ready(signal);
      if (events.losses > 0) yield { type: "back" };
      const losses = events.losses;
      if (await isHeld(ask)) {
        if (!isAccepted) yield { type: "accepted", runId: place.runId };
        isAccepted = true;
        if (yield* relay(line, events, { place, losses, signal })) return;
      }
      yield { type: "lost", reason: events.reason };
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    events.close();
  }
}

/** False when the connection went before the answer came. */
async function isHeld(ask: (() => Promise<unknown>) | undefined): Promise<boolean> {
  try {
    await ask?.();
    return true;
  } catch (error) {
    if (error instanceof ConnectionLost) return false;
    throw error;
  }
}

interface Stretch {
  readonly place: RunPlace;
  /** How often the connection had been lost when this stretch began. */
  readonly losses: number;
  readonly signal: AbortSignal | undefined;
}

/** True when the run has ended, false when the connection has. */
async function* relay(
  line: RunConnection,
  events: RunEvents,
  { place, losses, signal }: Stretch,
): AsyncGenerator<RunUpdate, boolean> {
  const over = new AbortController();
  const waiting = waitForEnd(line, events, place, over.signal);
  let hasFailed = false;
  waiting.catch(() => {
    hasFailed = true;
    events.queue.wake();
  });
  try {
    for (;;) {
      const changed = events.queue.changed();
      const update = events.queue.take();
      if (update !== undefined) {
        yield update;
        if (update.type === "end") return true;
      } else if (signal?.aborted === true) {
        throw new RequestAborted(`following ${place.runId}`, signal.reason);
      } else if (events.losses !== losses) {
        return false;
      } else if (hasFailed) {
        await waiting;
      } else {
        await changed;
      }
    }
  } finally {
    over.abort();
  }
}

/** Puts the end into the queue, unless its event has already done so. */
async function waitForEnd(
  line: RunConnection,
  events: RunEvents,
  place: RunPlace,
  signal: AbortSignal,
): Promise<void> {
  const { runId } = place;
  let waited: Waited;
  try {
    do {
      const params = { runId, timeoutMs: WAIT_MS };
      waited = await line.call("agent.wait", params, { timeoutMs: Infinity, signal });
    } while (waited.status === "timeout" && waited.pending === true);
    if (waited.status === "timeout") throw new RunUnknown(runId);
    if (events.hasEnded || signal.aborted) return;
    events.end(await recoverEnd(line, place, waited, events.text.text));
  } catch (error) {
    const isOver = signal.aborted || error instanceof ConnectionLost;
    // A client that may not wait for runs still receives the event of their end.
    if (isOver || error instanceof GatewayError) return;
    throw error;
  }
}

/** Collects the events of one run, and counts how often the connection was lost. */
class RunEvents {
  readonly queue = new UpdateQueue();
  readonly text = new RunText();
  losses = 0;
  reason = "";
  hasEnded = false;
  readonly #runId: string;
  readonly #closers: readonly (() => void)[];

  constructor(line: RunConnection, runId: string) {
    this.#runId = runId;
    this.#closers = [
      line.onEvent("chat", (chat) => this.#onChat(chat)),
      line.onEvent("agent", ({ runId: whose, stream, data }) => {
        const update = whose === runId ? readProgress(stream, data) : undefined;
        if (update !== undefined && !this.hasEnded) this.queue.push(update);
      }),
      line.onState((state) => this.#notice(state)),
    ];
  }

  close(): void {
    for (const close of this.#closers) close();
  }

  end(end: Extract<RunUpdate, { readonly type: "end" }>): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const rest = end.how === "completed" ? this.text.become(end.text) : undefined;
    if (rest !== undefined) this.queue.push(rest);
    this.queue.push(end);
  }

  #onChat(chat: EventPayloads["chat"]): void {
    if (chat.runId !== this.#runId || this.hasEnded) return;
    switch (chat.state) {
      case "status":
        return;
      case "delta": {
        const update = this.text.add(chat);
        if (update !== undefined) this.queue.push(update);
        return;
      }
      case "final":
      case "aborted":
      case "error":
        // The answer is another run's; agent.wait follows it there.
        if (!isMerged(chat)) this.end(endFromEvent(chat, this.text.text));
    }
  }

  #notice(state: ConnectionState): void {
    const { state: name } = state;
    if (name !== "waiting" && name !== "failed" && name !== "stopped") return;
    this.losses += 1;
    this.reason = name === "stopped" ? "the client was closed" : describeFailure(state.failure);
    this.queue.wake();
  }
}
