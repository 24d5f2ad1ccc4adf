/** What can be asked of an office, what happens in it, and what it is. */
import type { TaggedUnion } from "../engine/tagged-union.ts";
import type { Point } from "./geometry/scene.ts";
import type { Walk } from "./motion.ts";

/** What an agent was sent to do. The kinds are those of the world protocol. */
export type Goal = TaggedUnion<
  {
    go_to_poi: { poiId: string };
    go_to_player: object;
    /** Stay where you are. */
    wait: object;
    deliver_artifact: { artifactId: string; poiId: string };
    seek_decision: { decisionId: string };
  },
  "kind"
>;

/** A delivery that names no place goes to the delivery shelf. */
export type GoalRequest =
  | Goal
  | { readonly kind: "deliver_artifact"; readonly artifactId: string; readonly poiId?: undefined };

export interface SetGoal {
  readonly type: "set-goal";
  readonly agentId: string;
  readonly goal: GoalRequest;
  readonly at: number;
  /** What caused it; for whoever asks why. */
  readonly because: string;
  /** In meters a second; left out: as people walk. */
  readonly speedMps?: number;
  /** Where the player is seen to be, when that is known better than by where they were sent. */
  readonly playerPos?: Point;
}

export interface MovePlayer {
  readonly type: "move-player";
  readonly to: { readonly pos: Point } | { readonly poiId: string };
  readonly at: number;
}

export type OfficeCommand =
  | TaggedUnion<{
      create: { sceneId: string; at: number };
      /**
       * One of the crew is at home at a point of interest and starts there; a visitor starts at the entrance, and so
       * does whoever comes in to work at a desk.
       */
      join: { agentId: string; homePoiId: string | null; at: number; isArriving?: true };
      leave: { agentId: string };
      /** The trophy of a project, on the next free anchor. */
      "unlock-decor": { decorId: string; projectId: string };
    }>
  | SetGoal
  | MovePlayer;

export interface OfficeCreated {
  readonly type: "office.created";
  readonly sceneId: string;
  readonly playerPos: Point;
  readonly playerFacing: Point;
  readonly at: number;
}

export interface AgentJoined {
  readonly type: "agent.joined";
  readonly agentId: string;
  readonly homePoiId: string | null;
  readonly seatId: string | null;
  readonly pos: Point;
  readonly facing: Point;
  readonly at: number;
}

export interface AgentGoalSet {
  readonly type: "agent.goal_set";
  readonly agentId: string;
  readonly goal: Goal;
  readonly seatId: string | null;
  readonly path: readonly Point[];
  /** Which way the agent looks once there. */
  readonly facing: Point;
  readonly speedMps: number;
  readonly arrivalRadius: number;
  readonly at: number;
  readonly because: string;
}

export interface PlayerGoalSet {
  readonly type: "player.goal_set";
  readonly path: readonly Point[];
  readonly facing: Point;
  readonly speedMps: number;
  readonly at: number;
}

export interface Decor {
  readonly decorId: string;
  readonly anchorId: string;
  readonly projectId: string;
}

export type OfficeEvent =
  | OfficeCreated
  | AgentJoined
  | { readonly type: "agent.left"; readonly agentId: string }
  | AgentGoalSet
  | PlayerGoalSet
  | ({ readonly type: "decor.unlocked" } & Decor);

export interface OfficeAgent {
  readonly agentId: string;
  readonly homePoiId: string | null;
  /** Null until it is sent somewhere. */
  readonly goal: Goal | null;
  readonly seatId: string | null;
  readonly because: string | null;
  readonly walk: Walk;
}

export interface OpenOffice {
  readonly state: "open";
  readonly sceneId: string;
  readonly agents: ReadonlyMap<string, OfficeAgent>;
  readonly player: Walk;
  readonly decor: readonly Decor[];
}

export type Office = { readonly state: "absent" } | OpenOffice;
