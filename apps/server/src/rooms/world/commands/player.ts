/** Where the people at the screens are: sent somewhere through the log, or seen somewhere in passing. */
import {
  accept,
  refuse,
  type Aggregate,
  type Clock,
  type Dispatch,
  type Floor,
  type Office,
  type OfficeCommand,
  type OfficeEvent,
  type Point,
} from "@atrium/core";
import type { PlayerPositions } from "../../../projects/work/player-positions.ts";
import type { CommandHandlers } from "./command-context.ts";

export interface MoveDeps {
  readonly dispatch: Dispatch;
  readonly office: Aggregate<Office, OfficeCommand, OfficeEvent>;
  readonly floor: Floor;
  readonly clock: Clock;
  readonly viewers: PlayerPositions;
  readonly onPlayerMoved: () => void;
}

type MoveCommands = Pick<CommandHandlers, "player_pos" | "move_player_to">;

export function createMoveCommands(deps: MoveDeps): MoveCommands {
  const { dispatch, office, floor, clock, viewers, onPlayerMoved } = deps;
  const { scene_id: sceneId, size } = floor.scene;

  const isInside = ([x, , z]: Point): boolean =>
    Math.abs(x) <= size.width / 2 && Math.abs(z) <= size.depth / 2;

  return {
    player_pos({ pos, facing }, { viewer }) {
      if (!isInside(pos)) return refuse("place.unreachable", `/data/pos: ${pos.join(", ")}`);
      if (viewers.see({ ...viewer, pos: onFloor(pos), facing })) onPlayerMoved();
      return accept(undefined);
    },
    async move_player_to(data, { key, viewer }) {
      const to = "pos" in data ? { pos: data.pos } : { poiId: data.poi_id };
      const command = { type: "move-player", to, at: clock.now() } as const;
      const moved = await dispatch(office, sceneId, command, key);
      if (!moved.ok) return moved;
      // From here on the walk says where they are.
      viewers.leave(viewer.viewerId);
      onPlayerMoved();
      return moved;
    },
  };
}

/** Nobody hovers. */
function onFloor([x, , z]: Point): Point {
  return [x, 0, z];
}
