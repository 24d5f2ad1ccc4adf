/** What one node has for talking with the others; with one node there is nothing of it. */
import { atOnlyNode, confirmedBy, createAtDirector, type AtDirector } from "./at-director.ts";
import { Calls, type CallsDeps } from "./calls.ts";
import type { Cluster } from "./cluster.ts";
import { Mirror, type MirrorSource } from "./mirror.ts";

export interface Relay extends Disposable {
  readonly atDirector: AtDirector;
  /** The same for what changes files: one that another node has replaced, and does not know it, begins nothing. */
  readonly changeAtDirector: AtDirector;
  /** Undefined with one node. */
  readonly calls: Pick<Calls, "serve" | "call"> | undefined;
  readonly mirror: OpenMirror;
}

/** Undefined with one node: there is nobody to tell. */
export type OpenMirror = <Change>(
  source: MirrorSource<Change>,
) => Pick<Mirror<Change>, "tell"> | undefined;

export const noRelay: Relay = {
  atDirector: atOnlyNode,
  changeAtDirector: atOnlyNode,
  calls: undefined,
  mirror: () => undefined,
  [Symbol.dispose]: () => undefined,
};

export function openRelay(
  cluster: Cluster,
  deps: Pick<CallsDeps, "log" | "settled" | "timers" | "report">,
): Relay {
  const { bus } = cluster;
  if (bus === undefined) return noRelay;
  const held = new DisposableStack();
  const shared = { ...deps, cluster, bus };
  const calls = held.use(new Calls(shared));
  const atDirector = createAtDirector(cluster, calls);
  return {
    atDirector,
    changeAtDirector: confirmedBy(cluster.lease, atDirector),
    calls,
    mirror: (source) => held.use(new Mirror(source, shared)),
    [Symbol.dispose]: () => held.dispose(),
  };
}
