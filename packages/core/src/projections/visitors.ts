/** Agents from outside, as their signals tell of them: what each is doing, and when it was last heard of. */
import { BoundedMap } from "../engine/bounded-map.ts";
import { owns } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import { signalSource } from "../signal/signal-source.ts";
import { agentsOf, type Signal } from "../signal/signal.ts";

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

export interface Visitors extends Projection<readonly (readonly [string, Visitor])[]> {
  /** The one heard of last comes last. */
  list(): readonly Visitor[];
}

const MAX_VISITORS = 1_000;

export function createVisitors(): Visitors {
  const visitors = new BoundedMap<string, Visitor>(MAX_VISITORS);

  function keep(visitor: Visitor): void {
    const name = JSON.stringify([visitor.source, visitor.agentId]);
    const state = visitor.state || (visitors.get(name)?.state ?? "idle");
    visitors.setNewest(name, { ...visitor, state });
  }

  return {
    name: "visitors",
    version: 1,
    list: () => [...visitors.values()],
    apply(entry) {
      if (!owns(signalSource, entry.stream)) return;
      const { signals } = signalSource.read(entry);
      const found = signals.map((signal) => visitorOf(signal, entry.at, entry.seq));
      for (const visitor of found) if (visitor !== undefined) keep(visitor);
    },
    save: () => [...visitors],
    load(kept) {
      visitors.clear();
      for (const [name, visitor] of kept) visitors.set(name, visitor);
    },
  };
}

function visitorOf(signal: Signal, lastAt: number, lastSeq: number): Visitor | undefined {
  // What people do on the board is about something, and that need not be an agent.
  if (signal.type.startsWith("user.")) return undefined;
  const { source, type: lastType, payload, correlationId = null } = signal;
  const [agentId] = agentsOf(signal);
  if (agentId === undefined) return undefined;
  const to = signal.type === "agent_state_change" ? payload["to"] : undefined;
  const state = typeof to === "string" ? to : "";
  return { agentId, source, state, lastType, lastAt, lastSeq, correlationId };
}
