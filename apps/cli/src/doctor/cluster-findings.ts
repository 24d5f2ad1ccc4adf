/** The other nodes and the servers of a shared log; nothing where one server keeps the log by itself. */
import type { CallResult } from "@atrium/client";
import { count } from "../terminal/measures.ts";
import { broken, note, ok, type Finding } from "./finding.ts";

export function clusterFindings({ cluster }: CallResult<"status">): Finding[] {
  if (cluster === undefined) return [];
  const { node, nodes, director, trouble, warnings } = cluster;
  const alive = nodes.filter((each) => each.alive).length;
  const who = director === undefined ? "nobody directs" : `${director} directs`;
  const advice = "See docs/cluster.md for what each of these means and what to do.";
  return [
    trouble === undefined
      ? ok("nodes", `this is ${node} of ${count(alive, "node")}, ${who}`)
      : broken("nodes", `${node} cannot write: ${trouble}`, advice),
    ...warnings.map((warning) => note("nodes", warning, advice)),
  ];
}
