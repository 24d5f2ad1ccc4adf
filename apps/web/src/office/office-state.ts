/**
 * What the engine shows: a snapshot, the goals set since, and what agents are saying. With a time this says all that
 * is seen; live, resumed and replayed offices differ only in who hands it over.
 */
import type {
  WorldAgent,
  WorldArtifact,
  WorldDecision,
  WorldDecor,
  WorldMessageOf,
  WorldTask,
} from "@atrium/wire/world";

export type AgentGoal = WorldMessageOf<"agent_goal">["payload"];

export interface OfficeState {
  /** When the snapshot was taken: its positions are of that moment. */
  readonly snapshotAt: number;
  readonly agents: readonly WorldAgent[];
  readonly tasks: readonly WorldTask[];
  readonly artifacts: readonly WorldArtifact[];
  readonly decisions: readonly WorldDecision[];
  readonly office_decor: readonly WorldDecor[];
  /** The newest of every agent that has one. */
  readonly goals: ReadonlyMap<string, AgentGoal>;
  /** The end of what each agent is writing, for its monitor. */
  readonly streams: ReadonlyMap<string, string>;
}

export const EMPTY_STATE: OfficeState = {
  snapshotAt: 0,
  agents: [],
  tasks: [],
  artifacts: [],
  decisions: [],
  office_decor: [],
  goals: new Map(),
  streams: new Map(),
};
