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
    async unlock(decorId, projectId, key) {
      await tell({ type: "unlock-decor", decorId, projectId }, key);
    },
  };
}
