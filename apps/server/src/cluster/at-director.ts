/**
 * What only the director can do, callable on every node: done here by the one that directs, called there by any other.
 * With one node it is the function itself.
 */
import { refuse, type Outcome } from "@atrium/core";
import type { Calls } from "./calls.ts";
import type { Cluster, Lease } from "./cluster.ts";

type Act<Args extends readonly unknown[], T> = (...args: Args) => Promise<Outcome<T>>;

/** Arguments and value are JSON; `name` is the same on all nodes. */
export type AtDirector = <Args extends readonly unknown[], T>(
  name: string,
  act: Act<Args, T>,
) => Act<Args, T>;

/** Git and its checks take their time. */
const TIMEOUT_MS = 120_000;

export const atOnlyNode: AtDirector = (_name, act) => act;

export function createAtDirector(
  { lease, director }: Pick<Cluster, "lease" | "director">,
  calls: Pick<Calls, "serve" | "call">,
): AtDirector {
  return <Args extends readonly unknown[], T>(name: string, act: Act<Args, T>): Act<Args, T> => {
    calls.serve(name, async (boxes) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- put together below
      const args = (boxes as Box[]).map(({ arg }) => arg) as unknown as Args;
      return lease.isHeld ? act(...args) : NOBODY;
    });
    return async (...args) => {
      if (lease.isHeld) return act(...args);
      const node = director();
      if (node === undefined) return NOBODY;
      // In boxes, since a list of JSON has no undefined.
      const boxes = args.map((arg): Box => ({ arg }));
      const outcome = await calls.call(node, name, boxes, OPTIONS);
      // As a node of an earlier release answers what it does not know.
      const isUnknown = !outcome.ok && outcome.code === "method.unknown";
      if (isUnknown && outcome.detail === name) return refuse("cluster.outdated", node);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `act` made there
      return outcome as Outcome<T>;
    };
  };
}

/** For what changes files, which no guard keeps from it: begins once the log has confirmed who directs. */
export function confirmedBy(
  { confirm }: Pick<Lease, "confirm">,
  atDirector: AtDirector,
): AtDirector {
  return (name, act) =>
    atDirector(name, async (...args) => {
      const confirmed = await confirm();
      return confirmed.ok ? act(...args) : confirmed;
    });
}

interface Box {
  readonly arg?: unknown;
}

const NOBODY = refuse("cluster.leaderless");
const OPTIONS = { timeoutMs: TIMEOUT_MS };
