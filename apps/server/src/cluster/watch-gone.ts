/** Calls back when a node that was there is gone. One that was not heard yet is not gone. */
import type { Cluster } from "./cluster.ts";

export function watchGone(
  { members, onChange }: Pick<Cluster, "members" | "onChange">,
  onGone: (
    node: string,
    /** It is there again already, in another life. */
    isBack: boolean,
  ) => void,
): Disposable {
  const present = () => new Map(members().map(({ life, node }) => [life, node]));
  let before = present();
  return onChange(() => {
    const earlier = before;
    before = present();
    const nodes = new Set(before.values());
    for (const [life, node] of earlier) if (!before.has(life)) onGone(node, nodes.has(node));
  });
}
