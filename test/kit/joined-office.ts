/** What a peer of the world sees of joined sessions, and of what they ask. */
import assert from "node:assert/strict";
import type { WorldMessage, WorldPeer } from "./world-peer.ts";

export interface JoinedAgent {
  readonly agent_id: string;
  readonly name: string;
  readonly status: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- held against the schema when it came
  readonly joined: any;
}

export interface SeenDecision {
  readonly decision_id: string;
  readonly status: string;
  readonly prompt: string;
  readonly agent_id?: string;
  readonly questions?: readonly { readonly question_id: string }[];
}

export function joinedIn({ type, payload }: WorldMessage): readonly JoinedAgent[] {
  if (type !== "snapshot") return [];
  return (payload.agents as readonly JoinedAgent[]).filter(({ joined }) => joined !== undefined);
}

/** The joined session, once it is seen as said. */
export async function joinedAgent(
  peer: WorldPeer,
  isIt: (agent: JoinedAgent) => boolean,
): Promise<JoinedAgent> {
  const found = await peer.first((message) => joinedIn(message).some(isIt));
  const agent = joinedIn(found).find(isIt);
  assert.ok(agent);
  return agent;
}

/** The same, of what is seen from now on. */
export async function nextJoined(
  peer: WorldPeer,
  isIt: (agent: JoinedAgent) => boolean,
): Promise<void> {
  await peer.next((message) => joinedIn(message).some(isIt));
}

/** Resolves once no joined session is seen. */
export async function nobodyJoined(peer: WorldPeer): Promise<void> {
  const isGone = (message: WorldMessage): boolean =>
    message.type === "snapshot" && joinedIn(message).length === 0;
  const last = peer.told("snapshot").at(-1);
  if (last === undefined || !isGone(last)) await peer.next(isGone);
}

export async function decision(
  peer: WorldPeer,
  isIt: (one: SeenDecision) => boolean,
): Promise<SeenDecision> {
  const found = await peer.first((message) => decisionsIn(message).some(isIt));
  const one = decisionsIn(found).find(isIt);
  assert.ok(one);
  return one;
}

function decisionsIn({ type, payload }: WorldMessage): readonly SeenDecision[] {
  return type === "snapshot" ? (payload.decisions as readonly SeenDecision[]) : [];
}
