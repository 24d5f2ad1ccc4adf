/** Everything that leaves shares one end of turn. Audiences exist before the rooms that publish to them. */
import type { Audience } from "../rooms/room.ts";
import { FanoutAudience } from "./audience.ts";
import { createTurnEnd, type Flushable } from "./turn-end.ts";

export interface Fanout {
  readonly atTurnEnd: (item: Flushable) => void;
  openAudience(): Audience;
}

export function createFanout(maxLagBytes: number): Fanout {
  const atTurnEnd = createTurnEnd();
  return {
    atTurnEnd,
    openAudience: () => new FanoutAudience({ maxLagBytes, schedule: atTurnEnd }),
  };
}
