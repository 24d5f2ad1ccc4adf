/**
 * Agents in processes of their own that are kept warm: one for each conversation, for as long as it is not idle too
 * long, and no more than there may be. Who finds none free waits for one. An agent knows the tools it was started with:
 * when there are others, another one takes its session up.
 *
 * Which session a conversation has at its agent is remembered beyond the life of the process.
 */
import { BoundedMap } from "@atrium/core";
import type { Timers } from "../../platform/timers.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import { AgentGone } from "./agent-gone.ts";

/** A process and the one session it has. */
export interface WarmAgent {
  readonly sessionId: string;
  readonly isAlive: boolean;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface AgentOpening {
  /** That the conversation had, and that no other process has. */
  readonly knownSession: string | undefined;
  /** No other process works for the conversation. */
  readonly isAlone: boolean;
  readonly signal: AbortSignal;
}

export type OpenAgent<Agent extends WarmAgent> = (opening: AgentOpening) => Promise<Agent>;

export interface AgentLease<Agent extends WarmAgent> {
  readonly agent: Agent;
  release(): void;
}

export interface AgentSpec {
  readonly place: string;
  readonly equipment: string;
}

interface Entry<Agent extends WarmAgent> extends AgentSpec {
  agent: Agent | undefined;
  isFree: boolean;
  stopIdling: () => void;
}

const MAX_REMEMBERED = 1_000;

export class WarmAgentPool<Agent extends WarmAgent> {
  readonly #limits: { readonly idleMs: number; readonly maxProcesses: number };
  readonly #timers: Timers;
  readonly #closing = new AbortController();
  /** Those that became free first come first. */
  readonly #entries = new Set<Entry<Agent>>();
  readonly #sessions = new BoundedMap<string, string>(MAX_REMEMBERED);
  readonly #opening = new Set<Promise<unknown>>();
  #changed = Promise.withResolvers<void>();

  constructor(limits: { readonly idleMs: number; readonly maxProcesses: number }, timers: Timers) {
    this.#limits = limits;
    this.#timers = timers;
  }

  /** `open` is asked when there is no agent that fits. */
  async take(
    wanted: AgentSpec,
    open: OpenAgent<Agent>,
    signal: AbortSignal,
  ): Promise<AgentLease<Agent>> {
    const either = AbortSignal.any([signal, this.#closing.signal]);
    for (;;) {
      if (this.#closing.signal.aborted) throw new AgentGone("The server is being stopped.");
      either.throwIfAborted();
      const free = [...this.#entries].filter(({ isFree }) => isFree);
      const warm = free.find((entry) => entry.place === wanted.place);
      if (warm !== undefined && warm.equipment !== wanted.equipment) {
        await this.#stop(warm);
        continue;
      }
      if (warm?.agent !== undefined) {
        warm.isFree = false;
        warm.stopIdling();
        return this.#seat(warm, warm.agent);
      }
      if (this.#entries.size < this.#limits.maxProcesses) return this.#open(wanted, open, either);
      const [oldest] = free;
      if (oldest !== undefined) await this.#stop(oldest);
      else await untilAborted(either, this.#changed.promise);
    }
  }

  /** Ends the agents of a place that are free; the session that the place had, if it had one. */
  async vacate(place: string): Promise<string | undefined> {
    const free = [...this.#entries].filter((entry) => entry.isFree && entry.place === place);
    await Promise.all(free.map((entry) => this.#stop(entry)));
    return this.#sessions.get(place);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#opening);
    await Promise.all([...this.#entries].map((entry) => this.#stop(entry)));
  }

  async #open(
    wanted: AgentSpec,
    open: OpenAgent<Agent>,
    signal: AbortSignal,
  ): Promise<AgentLease<Agent>> {
    const { place } = wanted;
    // A session that is in use elsewhere must not be taken up a second time.
    const isAlone = [...this.#entries].every((entry) => entry.place !== place);
    const entry: Entry<Agent> = {
      ...wanted,
      agent: undefined,
      isFree: false,
      stopIdling: () => undefined,
    };
    this.#entries.add(entry);
    const knownSession = isAlone ? this.#sessions.get(place) : undefined;
    const opening = open({ knownSession, isAlone, signal });
    this.#opening.add(opening);
    try {
      const agent = await opening;
      entry.agent = agent;
      this.#sessions.setNewest(place, agent.sessionId);
      void agent.ended.then(() => this.#forget(entry));
      return this.#seat(entry, agent);
    } catch (cause) {
      this.#forget(entry);
      if (this.#closing.signal.aborted) throw new AgentGone("The server is being stopped.");
      throw cause;
    } finally {
      this.#opening.delete(opening);
    }
  }

  #seat(entry: Entry<Agent>, agent: Agent): AgentLease<Agent> {
    return { agent, release: () => this.#release(entry, agent) };
  }

  #release(entry: Entry<Agent>, agent: Agent): void {
    if (!this.#entries.has(entry)) return;
    const hasTwin = [...this.#entries].some(({ isFree, place }) => isFree && place === entry.place);
    if (!agent.isAlive || hasTwin || this.#closing.signal.aborted) {
      void this.#stop(entry);
      return;
    }
    entry.isFree = true;
    this.#entries.delete(entry);
    this.#entries.add(entry);
    entry.stopIdling = this.#timers.after(this.#limits.idleMs, () => void this.#stop(entry));
    this.#tellChange();
  }

  async #stop(entry: Entry<Agent>): Promise<void> {
    entry.isFree = false;
    entry.stopIdling();
    await entry.agent?.stop();
    this.#forget(entry);
  }

  #forget(entry: Entry<Agent>): void {
    entry.isFree = false;
    entry.stopIdling();
    if (this.#entries.delete(entry)) this.#tellChange();
  }

  #tellChange(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
