/** Agents from outside, as their signals tell of them: what each is doing, and when it was last heard of. */
import { signalSource } from "../signal/signal-source.ts";
import { agentsOf, type Signal } from "../signal/signal.ts";
import { keepNewest } from "./newest.ts";
import type { Projection } from "./projection.ts";

export interface Visitor {
  readonly agentId: string;
  readonly source: string;
  /** As its last change of state said; idle until there was one. */
  readonly state: string;
  readonly lastType: string;
  /** When it was received here; a producer's clock may be wrong. */
  readonly lastAt: number;
  readonly lastSeq: number;
  readonly correlationId: string | null;
}

export interface Visitors extends Projection {
  /** The one heard of last comes last. */
  list(): readonly Visitor[];
}

const PREFIX = `${signalSource.name}/`;
const MOST_VISITORS = 1_000;

export function createVisitors(): Visitors {
  const visitors = new Map<string, Visitor>();

  function hear(signal: Signal, lastAt: number, lastSeq: number): void {
    // What people do on the board is about something, and that need not be an agent.
    if (signal.type.startsWith("user.")) return;
    const { source, type: lastType, payload, correlationId = null } = signal;
    const [agentId] = agentsOf(signal);
    if (agentId === undefined) return;
    const name = JSON.stringify([source, agentId]);
    const to = signal.type === "agent_state_change" ? payload["to"] : undefined;
    const state = typeof to === "string" ? to : (visitors.get(name)?.state ?? "idle");
    visitors.delete(name);
    visitors.set(name, { agentId, source, state, lastType, lastAt, lastSeq, correlationId });
    keepNewest(visitors, MOST_VISITORS);
  }

  return {
    name: "visitors",
    version: 1,
    list: () => [...visitors.values()],
    apply(entry) {
      if (!entry.stream.startsWith(PREFIX)) return;
      for (const signal of signalSource.read(entry).signals) hear(signal, entry.at, entry.seq);
    },
    save: () => [...visitors],
    load(saved) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what save() wrote, under the same version
      for (const [name, visitor] of saved as [string, Visitor][]) visitors.set(name, visitor);
    },
  };
}
