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
/** What says where someone is at every time of a walk. */
export type Walk = Pick<AgentGoal, "agent_id" | "path" | "speed_mps" | "started_at">;

/** What is on an agent's monitor: the end of what it writes, or of what its command prints. */
export interface ScreenText {
  readonly kind: "words" | "command";
  /** The command. */
  readonly title: string;
  readonly text: string;
}

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
  /** Of the past, where what comes is known: the walks of a while, in the order they begin. */
  readonly walks: ReadonlyMap<string, readonly Walk[]>;
  /** What each agent has on its monitor. */
  readonly streams: ReadonlyMap<string, ScreenText>;
}

export const EMPTY_STATE: OfficeState = {
  snapshotAt: 0,
  agents: [],
  tasks: [],
  artifacts: [],
  decisions: [],
  office_decor: [],
  goals: new Map(),
  walks: new Map(),
  streams: new Map(),
};
