/** Everything that leaves shares one end of turn. Audiences exist before the rooms that publish to them. */
import type { Audience } from "../sockets/peer.ts";
import { FanoutAudience } from "./audience.ts";

export interface Flushable {
  flush(): void;
}

export interface Fanout {
  readonly atTurnEnd: (item: Flushable) => void;
  /** `present` stands for the passing frames that a slow member was spared. */
  openAudience(present?: () => readonly string[]): Audience;
}

export function createFanout(limits: { readonly maxBufferedBytes: number }): Fanout {
  const atTurnEnd = createTurnEnd();
  return {
    atTurnEnd,
    openAudience: (present = () => []) =>
      new FanoutAudience({
        get maxLagBytes() {
          return limits.maxBufferedBytes;
        },
        schedule: atTurnEnd,
        present,
      }),
  };
}

/**
 * Runs what was put off to the end of this turn of the event loop: one `setImmediate` for everyone,
 * after all the sockets that were readable have been read.
 */
function createTurnEnd(): (item: Flushable) => void {
  let waiting: Flushable[] = [];
  const run = (): void => {
    const items = waiting;
    waiting = [];
    for (const item of items) item.flush();
  };
  return (item) => {
    if (waiting.length === 0) setImmediate(run);
    waiting.push(item);
  };
}
