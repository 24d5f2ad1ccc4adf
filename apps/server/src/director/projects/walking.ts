/** Sending people of the crew about the office. Where they are follows from that and the time. */
import type {
  Aggregate,
  Clock,
  Dispatch,
  Office,
  OfficeCommand,
  OfficeEvent,
  OfficeView,
  Outcome,
  WantedGoal,
} from "@atrium/core";

export interface Walking {
  /** Sends someone somewhere; where that cannot be, they stay. The key makes it happen once. */
  send(agentId: string, goal: WantedGoal, because: string, key: string): Promise<void>;
  /** When someone gets to where they were sent. */
  arrivalOf(agentId: string): number;
  isHere(agentId: string): boolean;
  /** Those who have no home here, the one who came first first. */
  visitors(): readonly string[];
  /** Lets someone in who has no home here. */
  welcome(agentId: string): Promise<void>;
  leave(agentId: string): Promise<void>;
  /** Puts a trophy up. */
  unlock(decorId: string, projectId: string, key: string): Promise<void>;
}

export interface WalkingDeps {
  readonly office: Aggregate<Office, OfficeCommand, OfficeEvent>;
  readonly view: OfficeView;
  readonly sceneId: string;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  /** Where the player was last seen, if that is known. */
  readonly playerPos: () => readonly [number, number, number] | undefined;
}

export function createWalking(deps: WalkingDeps): Walking {
  const { office, view, sceneId, clock } = deps;
  const tell = (command: OfficeCommand, key: string): Promise<Outcome<unknown>> =>
    deps.dispatch(office, sceneId, command, { id: key, digest: command.type });
  return {
    async send(agentId, goal, because, key) {
      const playerPos = deps.playerPos();
      const at = clock.now();
      const seen = playerPos === undefined ? {} : { playerPos };
      await tell({ type: "set-goal", agentId, goal, at, because, ...seen }, key);
    },
    arrivalOf: (agentId) => view.agent(agentId)?.walk.arrivesAt ?? clock.now(),
    isHere: (agentId) => view.agent(agentId) !== undefined,
    visitors: () =>
      view.agents().flatMap(({ agentId, homePoiId }) => (homePoiId === null ? [agentId] : [])),
    async welcome(agentId) {
      const at = clock.now();
      await deps.dispatch(office, sceneId, { type: "join", agentId, homePoiId: null, at });
    },
    async leave(agentId) {
      await deps.dispatch(office, sceneId, { type: "leave", agentId });
    },
    async unlock(decorId, projectId, key) {
      await tell({ type: "unlock-decor", decorId, projectId }, key);
    },
  };
}
