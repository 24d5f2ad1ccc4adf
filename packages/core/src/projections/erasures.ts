/** Which deleted conversations still have to be erased: a server that dies in between goes on with it. */
import { conversation } from "../conversation/conversation.ts";
import type { Projection } from "./projection.ts";

export interface Erasure {
  readonly key: string;
  /** The entry that says it was deleted. */
  readonly seq: number;
}

export interface Erasures extends Projection {
  wanted(): readonly Erasure[];
}

const PREFIX = `${conversation.name}/`;

export function createErasures(): Erasures {
  let wanted: Erasure[] = [];
  return {
    name: "erasures",
    version: 1,
    wanted: () => wanted,
    apply({ stream, seq, ...entry }) {
      if (!stream.startsWith(PREFIX)) return;
      const event = conversation.read({ stream, seq, ...entry });
      if (event.type !== "conversation.deleted" || event.erase !== "wanted") return;
      wanted = [...wanted, { key: stream.slice(PREFIX.length), seq }];
    },
    save: () => wanted,
    load(saved) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what save() wrote, under the same version
      wanted = saved as Erasure[];
    },
  };
}
