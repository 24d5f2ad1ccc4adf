/**
 * People take the session of an agent into a terminal of theirs, and give it back by ending the program there.
 *
 *   take -> the agent lets go -> the caller's process becomes the program -> it ends -> the agent goes on in the same turn
 *
 * A session is for one process at a time, so nobody starts another turn of it meanwhile.
 */
import { refuse, workIdOfKey, workspaceIdOfKey, type Outcome } from "@atrium/core";
import type { AgentRuntime, Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import {
  AttendedTurn,
  type AttendedTurnDeps,
  type OpenedTerminal,
  type OpenTakeRequest,
  type TakeRequest,
} from "./attended-turn.ts";
import { HeldSessions, type HeldSessionsDeps } from "./held-sessions.ts";

export interface TerminalsDeps
  extends HeldSessionsDeps, Omit<AttendedTurnDeps, "held" | "onChange"> {
  /** The key of a conversation that a person names. */
  readonly keyOf: (target: string) => string | undefined;
  /** Has a turn of that run begin in a conversation where none is under way. */
  readonly beginTurn: (key: string, runId: string) => Promise<Outcome<unknown>>;
  readonly stopTurn: (key: string, runId: string) => Promise<unknown>;
}

/** Peers choose names of conversations and runs; what is typed into a shell has no other characters. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9:_.-]*$/;
/** How long a turn may wait for others before it begins. */
const BEGIN_MS = 15_000;

export class Terminals implements Disposable {
  readonly #deps: TerminalsDeps;
  readonly #held: HeldSessions;
  /** By run. */
  readonly #turns = new Map<string, AttendedTurn>();
  /** By run: its turn is nothing else. */
  readonly #requests = new Map<string, OpenTakeRequest>();
  readonly #listeners = new Set<() => void>();

  constructor(deps: TerminalsDeps) {
    this.#deps = deps;
    this.#held = new HeldSessions(deps);
  }

  /** The runtime, with turns whose sessions can be taken. */
  attend(runtime: AgentRuntime): AgentRuntime {
    const { releaseToTerminal: _release, ...rest } = runtime;
    return { ...rest, start: (turn, host) => this.#start(runtime, turn, host) };
  }

  async *#start(runtime: AgentRuntime, turn: Turn, host: TurnHost): AsyncGenerator<TurnEvent> {
    const { runId } = turn;
    const onChange = (): void => this.#tell();
    const deps = { ...this.#deps, held: this.#held, onChange };
    const attended = new AttendedTurn(runtime, turn, host, deps);
    const request = this.#requests.get(runId);
    this.#requests.delete(runId);
    this.#turns.set(runId, attended);
    try {
      yield* attended.play(request);
    } finally {
      this.#turns.delete(runId);
      this.#tell();
    }
  }

  /** What to take for the session in which that agent works now; undefined: it works in none that can be taken. */
  targetOf(agentId: string): string | undefined {
    const turns = [...this.#turns.values()].filter(({ turn }) => turn.agent.id === agentId);
    const free = turns.find(({ isFree, turn }) => isFree && !isOfBuild(turn));
    return free && targetIn(free.turn);
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** `target`: a run, the conversation, or the task that it works on. */
  readonly take = async (
    target: string,
    { by, pid }: { readonly by: string; readonly pid: number },
  ): Promise<Outcome<OpenedTerminal>> => {
    const process = this.#deps.identityOf(pid);
    if (process === undefined) return refuse("params.invalid", "pid: there is no such process");
    const attended = this.#turns.get(target) ?? this.#find(target);
    return attended === undefined
      ? this.#takeIdle(target, { by, process })
      : attended.take({ by, process });
  };

  async #takeIdle(key: string, request: TakeRequest): Promise<Outcome<OpenedTerminal>> {
    const { newId, timers, beginTurn, stopTurn } = this.#deps;
    const runId = newId();
    const { promise, resolve } = Promise.withResolvers<Outcome<OpenedTerminal>>();
    this.#requests.set(runId, { ...request, answer: resolve });
    const begun = await beginTurn(key, runId);
    if (!begun.ok) {
      this.#requests.delete(runId);
      return begun;
    }
    const cancel = timers.after(BEGIN_MS, () => {
      if (!this.#requests.delete(runId)) return;
      resolve(refuse("terminal.busy"));
      void stopTurn(key, runId);
    });
    return promise.finally(cancel);
  }

  [Symbol.dispose](): void {
    this.#held[Symbol.dispose]();
  }

  #find(target: string): AttendedTurn | undefined {
    const named = this.#deps.keyOf(target);
    return [...this.#turns.values()].find(
      ({
        turn: {
          conversation: { key },
        },
      }) => {
        return key === named || workspaceIdOfKey(key) === target;
      },
    );
  }
}

function isOfBuild({ conversation: { key } }: Turn): boolean {
  return workspaceIdOfKey(key) !== undefined && workIdOfKey(key) === undefined;
}

/** The task that it works on, else the conversation, else the run. */
function targetIn({ conversation: { key }, runId }: Turn): string | undefined {
  return [workIdOfKey(key), key, runId].find((name) => name !== undefined && PLAIN.test(name));
}
