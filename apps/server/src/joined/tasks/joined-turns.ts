/**
 * The turns of joined sessions that have a task. Nobody here does their work: a turn is open until the session hands
 * over what it has made, and everything before and after that is as with every other agent.
 *
 *   task started -> turn (where, what) -> the session reads it, works there, reports -> hands over -> run completed
 *                                                    `- the task is taken back, or the session is gone -> run stopped
 */
import type {
  AgentRuntime,
  Turn,
  TurnEvent,
  TurnInbound,
} from "../../agents/turn/agent-runtime.ts";
import { createEventQueue } from "../../agents/turn/event-queue.ts";
import { ABORTED } from "../../agents/turn/turn-ends.ts";
import { TurnStop } from "../../agents/turn/turn-stop.ts";
import type { Timers } from "../../platform/timers.ts";

export interface OpenTurn {
  readonly turn: Turn;
  note(text: string, percent?: number): void;
  /** Ends the turn with what the session says of its work. */
  handOver(text: string): void;
}

/** Told of turns that the session itself has not asked for. */
export interface JoinedTurnListener {
  onOpened(turn: Turn): void;
  /** Nobody waits for its work any more. */
  onWithdrawn(turn: Turn, reason: string): void;
  onSaid(turn: Turn, message: TurnInbound): void;
}

const MODEL = { provider: "joined", id: "joined", contextTokens: 200_000 } as const;

export class JoinedTurns {
  readonly #timers: Timers;
  readonly #open = new Map<string, OpenTurn>();
  /** By agent: who waits for the turn of a task that it has just taken. */
  readonly #expected = new Map<string, (open: OpenTurn | undefined) => void>();
  #listener: JoinedTurnListener | undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  readonly runtime: AgentRuntime = {
    name: "joined",
    type: "joined",
    model: MODEL,
    hasFileTools: true,
    takesNoTools: true,
    start: (turn, host) => this.#start(turn, host),
  };

  listen(listener: JoinedTurnListener): void {
    this.#listener = listener;
  }

  get(agentId: string): OpenTurn | undefined {
    return this.#open.get(agentId);
  }

  /** Its next turn, which it is not told of otherwise; undefined when that takes too long. */
  async expect(agentId: string, ms: number): Promise<OpenTurn | undefined> {
    const there = this.#open.get(agentId);
    if (there !== undefined) return there;
    const { promise, resolve } = Promise.withResolvers<OpenTurn | undefined>();
    const cancel = this.#timers.after(ms, () => resolve(undefined));
    this.#expected.set(agentId, resolve);
    try {
      return await promise;
    } finally {
      cancel();
      if (this.#expected.get(agentId) === resolve) this.#expected.delete(agentId);
    }
  }

  /** It does not come: what would have led to it was refused. */
  forget(agentId: string): void {
    this.#expected.get(agentId)?.(undefined);
  }

  async *#start(turn: Turn, host: Parameters<AgentRuntime["start"]>[1]): AsyncGenerator<TurnEvent> {
    const events = createEventQueue<TurnEvent>();
    const open: OpenTurn = {
      turn,
      note: (text, percent) =>
        events.push({ type: "progress", text, ...(percent !== undefined && { percent }) }),
      handOver(text) {
        events.push({ type: "text", delta: text });
        events.push({ type: "completed", stopReason: "stop" });
        events.end();
      },
    };
    const { id } = turn.agent;
    const { signal } = host;
    const stop = (): void => events.end();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const unlisten = host.onSteering?.(() => {
      for (const message of host.takeMessages?.() ?? []) this.#listener?.onSaid(turn, message);
    });
    this.#open.set(id, open);
    const expected = this.#expected.get(id);
    if (expected === undefined) this.#listener?.onOpened(turn);
    else expected(open);
    try {
      for (let next = await events.next(); next !== undefined; next = await events.next()) {
        yield next;
        if (next.type === "completed") return;
      }
      yield ABORTED;
      const why = withdrawalIn(signal);
      if (why !== undefined) this.#listener?.onWithdrawn(turn, why);
    } finally {
      signal.removeEventListener("abort", stop);
      unlisten?.();
      if (this.#open.get(id) === open) this.#open.delete(id);
    }
  }
}

/** Undefined: it was only cut off, and goes on later. */
function withdrawalIn({ reason }: AbortSignal): string | undefined {
  return reason instanceof TurnStop && reason.ending.how === "aborted"
    ? reason.ending.reason
    : undefined;
}
