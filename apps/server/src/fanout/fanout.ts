/** Everything that leaves shares one end of turn. Audiences exist before the rooms that publish to them. */
import type { Audience } from "../sockets/peer.ts";
import { FanoutAudience } from "./audience.ts";
import { createTurnEnd, type Flushable } from "./flush-queue.ts";

export interface Fanout {
  readonly atTurnEnd: (item: Flushable) => void;
  /** `present` stands for the passing frames that a slow member was spared. */
  openAudience(present?: () => readonly string[]): Audience;
}

export function createFanout(maxLagBytes: number): Fanout {
  const atTurnEnd = createTurnEnd();
  return {
    atTurnEnd,
    openAudience: (present = () => []) =>
      new FanoutAudience({ maxLagBytes, schedule: atTurnEnd, present }),
  };
}
