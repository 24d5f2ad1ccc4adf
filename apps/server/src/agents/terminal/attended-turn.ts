/**
 * One turn whose session people may take into a terminal:
 *
 *   play -- taken --> the runtime lets go of the session -- in a terminal --> given back --> play on --> one end
 *
 * To people and to the log it is one turn. The time in the terminal is a call of a tool, so that the files that were
 * changed there are recorded when it returns, and the turn's clock stands still.
 */
import { accept, addUsage, NOTHING_USED, refuse, type Outcome, type Usage } from "@atrium/core";
import type {
  AgentRuntime,
  TerminalProgram,
  Turn,
  TurnEvent,
  TurnHost,
} from "../turn/agent-runtime.ts";
import { ABORTED } from "../turn/turn-ends.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import type { HeldSession } from "./held-sessions.ts";

/** What a person goes on with. */
export interface OpenedTerminal extends TerminalProgram {
  readonly runId: string;
}

export interface TakeRequest {
  /** Who wants it. */
  readonly by: string;
  /** Which becomes the program. */
  readonly process: string;
}

export interface OpenTakeRequest extends TakeRequest {
  readonly answer: (outcome: Outcome<OpenedTerminal>) => void;
}

export interface AttendedTurnDeps {
  readonly held: {
    of(conversation: Turn["conversation"]): HeldSession | undefined;
    take(session: HeldSession): void;
    released(id: string): Promise<void>;
  };
  readonly newId: () => string;
  readonly now: () => number;
  /** Told when it may be free, or no longer. */
  readonly onChange: () => void;
  /** The time until it settles is not the turn's. */
  readonly holdClock: <Result>(runId: string, waiting: Promise<Result>) => Promise<Result>;
}

type End = Extract<TurnEvent, { readonly type: "completed" | "failed" }>;

export class AttendedTurn {
  readonly turn: Turn;
  readonly #runtime: AgentRuntime;
  readonly #host: TurnHost;
  readonly #deps: AttendedTurnDeps;
  #request: OpenTakeRequest | undefined;
  /** Aborted when what plays has to let go. */
  #letGo = new AbortController();
  /** Of the parts that are over. */
  #used: Usage = NOTHING_USED;
  #session: string | undefined;
  #isReleasable = false;

  constructor(runtime: AgentRuntime, turn: Turn, host: TurnHost, deps: AttendedTurnDeps) {
    this.#runtime = runtime;
    this.turn = turn;
    this.#host = host;
    this.#deps = deps;
    this.#session = turn.session;
  }

  /** As far as is known: whoever asks for the session now gets it. */
  get isFree(): boolean {
    const isHeld = this.#deps.held.of(this.turn.conversation) !== undefined;
    return this.#isReleasable && this.#request === undefined && !isHeld;
  }

  /** Resolves when the session is free for a terminal, or with why it is not. */
  async take(request: TakeRequest): Promise<Outcome<OpenedTerminal>> {
    const { name, releaseToTerminal } = this.#runtime;
    if (releaseToTerminal === undefined) {
      return refuse("terminal.unavailable", noTerminal(name));
    }
    if (this.#request !== undefined || this.#deps.held.of(this.turn.conversation) !== undefined) {
      return refuse("terminal.busy");
    }
    const { promise, resolve } = Promise.withResolvers<Outcome<OpenedTerminal>>();
    this.#request = { ...request, answer: resolve };
    this.#deps.onChange();
    this.#letGo.abort(new DOMException("taken into a terminal", "AbortError"));
    return promise;
  }

  /** `request`: the turn is nothing but the time in a terminal. */
  async *play(request?: OpenTakeRequest): AsyncGenerator<TurnEvent> {
    this.#request = request;
    void this.#learnWhetherReleasable();
    try {
      // From before the server was started again.
      const left = this.#deps.held.of(this.turn.conversation);
      if (left !== undefined) yield* this.#wait(left);
      yield request === undefined ? yield* this.#work() : yield* this.#lend(request);
    } catch (cause) {
      if (!this.#host.signal.aborted) throw cause;
      yield ABORTED;
    } finally {
      this.#request?.answer(refuse("run.settled"));
    }
  }

  async #learnWhetherReleasable(): Promise<void> {
    try {
      this.#isReleasable = (await this.#runtime.isReleasable?.(this.turn)) === true;
    } catch {
      // What keeps it from being known keeps the turn from working, which tells of it.
      return;
    }
    this.#deps.onChange();
  }

  async *#lend(request: OpenTakeRequest): AsyncGenerator<TurnEvent, End> {
    const held = await this.#hand(request);
    if (held === undefined) return { type: "failed", kind: "unavailable", reason: UNAVAILABLE };
    yield* this.#wait(held);
    return { type: "completed", stopReason: "stop" };
  }

  async *#work(): AsyncGenerator<TurnEvent, End> {
    for (let next = this.turn; ;) {
      const end = yield* this.#playPart(next);
      const request = this.#request;
      const isFree = end.type === "completed" && end.stopReason === "aborted";
      if (request === undefined || !isFree || this.#host.signal.aborted) return end;
      const held = await this.#hand(request);
      if (held !== undefined) yield* this.#wait(held);
      next = this.#goOn(held === undefined ? WENT_ON : givenBackBy(held.by));
    }
  }

  async *#playPart(turn: Turn): AsyncGenerator<TurnEvent, End> {
    const before = this.#used;
    const host = hostUntil(this.#letGo.signal, this.#host);
    for await (const event of this.#runtime.start(turn, host)) {
      if (event.type === "completed" || event.type === "failed") return event;
      if (event.type === "session") this.#session = event.id;
      if (event.type === "usage") this.#used = addUsage(before, event.usage);
      yield event.type === "usage" ? { ...event, usage: this.#used } : event;
    }
    return UNFINISHED;
  }

  /** Undefined: it could not be handed over, and whoever asked for it knows why. */
  async #hand({ by, process, answer }: OpenTakeRequest): Promise<HeldSession | undefined> {
    const { turn } = this;
    const { signal } = this.#host;
    this.#letGo = new AbortController();
    const { name, releaseToTerminal } = this.#runtime;
    const program = (await releaseToTerminal?.(turn, signal)) ?? noTerminal(name);
    signal.throwIfAborted();
    this.#request = undefined;
    if (typeof program === "string") {
      answer(refuse("terminal.unavailable", program));
      return undefined;
    }
    const { key, sessionId } = turn.conversation;
    const id = this.#deps.newId();
    const held = { id, key, sessionId, by, since: this.#deps.now(), process };
    this.#deps.held.take(held);
    answer(accept({ ...program, runId: turn.runId }));
    return held;
  }

  async *#wait({ id, by, since }: HeldSession): AsyncGenerator<TurnEvent> {
    const { signal } = this.#host;
    const { runId } = this.turn;
    const callId = `terminal_${id}_${runId}`;
    yield { type: "tool.called", id: callId, name: "terminal", input: { by } };
    yield { type: "progress", text: `In a terminal of ${by}` };
    const { held, holdClock, now } = this.#deps;
    await holdClock(runId, untilAborted(signal, held.released(id)));
    this.#deps.onChange();
    const minutes = Math.ceil((now() - since) / MINUTE_MS);
    const text = `${by} has given it back, after ${minutes === 1 ? "a minute" : `${minutes} minutes`} at most.`;
    yield { type: "tool.returned", id: callId, text, isError: false };
  }

  #goOn(prompt: string): Turn {
    const { inbound: _inbound, context: _context, session: _session, ...turn } = this.turn;
    const session = this.#session;
    return { ...turn, ...(session !== undefined && { session }), prompt, attachments: [] };
  }
}

const MINUTE_MS = 60_000;
const UNFINISHED: End = {
  type: "failed",
  kind: "unknown",
  reason: "The agent stopped without saying how the turn ended.",
};
const UNAVAILABLE = "The session could not be taken into a terminal.";
const WENT_ON =
  "You were stopped for a moment, and nothing has changed. Go on where you stopped, and do not repeat what is done.";

function noTerminal(runtime: string): string {
  return `agents of the runtime "${runtime}" have no sessions that go on in a terminal`;
}

function givenBackBy(name: string): string {
  return `${name} took this session into a terminal and has given it back. What was said there is part of it, and files may have changed. Go on with your work from how things stand now; do not repeat what is done.`;
}

/** The host, for a part of the turn: what waits for people ends with the part. */
function hostUntil(letGo: AbortSignal, host: TurnHost): TurnHost {
  const either = (signal: AbortSignal | undefined): AbortSignal =>
    signal === undefined ? letGo : AbortSignal.any([letGo, signal]);
  return {
    ...host,
    signal: AbortSignal.any([host.signal, letGo]),
    sleep: (ms, signal) => host.sleep(ms, either(signal)),
    callTool: (name, input, signal, callId) => host.callTool(name, input, either(signal), callId),
    ask: (question, signal) => host.ask(question, either(signal)),
    requestPermission: (request, signal) => host.requestPermission(request, either(signal)),
  };
}
