/** Where the player was last seen. Passing by nature: nothing of it is kept. */
import type { Point } from "@atrium/core";

export interface SeenPlayer {
  readonly pos: Point | undefined;
  readonly facing: Point | undefined;
  see(pos: Point, facing: Point | undefined): void;
  /** They were sent somewhere: from there on the walk says where they are. */
  forget(): void;
}

export function createSeenPlayer(): SeenPlayer {
  const seen: { pos: Point | undefined; facing: Point | undefined } = {
    pos: undefined,
    facing: undefined,
  };
  return {
    get pos() {
      return seen.pos;
    },
    get facing() {
      return seen.facing;
    },
    see(pos, facing) {
      seen.pos = pos;
      if (facing !== undefined) seen.facing = facing;
    },
    forget() {
      seen.pos = undefined;
    },
  };
}
