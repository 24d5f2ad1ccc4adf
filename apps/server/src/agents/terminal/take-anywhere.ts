/**
 * Sessions of agents, taken into a terminal at any node: agents work at the one that directs. Where that is on the same
 * machine it is asked; elsewhere it could not see the terminal's process, so it says where to attach.
 */
import { refuse, type Refusal } from "@atrium/core";
import type { AtDirector } from "../../cluster/at-director.ts";
import type { Cluster } from "../../cluster/cluster.ts";
import type { Terminals } from "./terminals.ts";

export interface TakeAnywhereDeps {
  readonly cluster: Pick<Cluster, "node" | "members" | "director">;
  readonly atDirector: AtDirector;
  /** In which a process has the same number for this node and for the terminal. */
  readonly space: string | undefined;
}

interface Asker {
  readonly node: string;
  readonly space?: string;
}

export function takeAnywhere(
  { take }: Pick<Terminals, "take">,
  { cluster, atDirector, space }: TakeAnywhereDeps,
): Terminals["take"] {
  const asker: Asker = { node: cluster.node, ...(space !== undefined && { space }) };
  const takeHere = atDirector(
    "terminal.take",
    async (target: string, who: Parameters<typeof take>[1], from: Asker) =>
      from.node === cluster.node || (space !== undefined && from.space === space)
        ? take(target, who)
        : worksAt(cluster.node, cluster),
  );
  return async (target, who) => {
    const taken = await takeHere(target, who, asker);
    const director = cluster.director();
    // An earlier release, which is not asked by other nodes.
    const isUnknown = !taken.ok && taken.code === "cluster.outdated";
    return isUnknown && director !== undefined ? worksAt(director, cluster) : taken;
  };
}

function worksAt(node: string, { members }: Pick<Cluster, "members">): Refusal {
  const url = members().find((member) => member.node === node)?.url;
  const place = url === undefined ? node : `${node} (${url})`;
  return refuse(
    "terminal.unavailable",
    `agents work at the node ${place}: run atrium attach on its machine`,
  );
}
