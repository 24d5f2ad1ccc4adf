import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse } from "@atrium/core";
import { createAtDirector } from "../../cluster/at-director.ts";
import { Calls } from "../../cluster/calls.ts";
import { alone } from "../../cluster/cluster.ts";
import { openFewNodes, type FewNodes } from "../../cluster/testing/few-nodes.ts";
import { takeAnywhere } from "./take-anywhere.ts";
import type { Terminals } from "./terminals.ts";

const WHO = { by: "ann", pid: 7 };
const OPENED = { runId: "r1", command: ["a"], cwd: "/w", env: { HOME: "/h" }, variables: ["K"] };

/** A node that was asked from `space`, and what its agents gave; `b` directs. */
function openNode(few: FewNodes, node: string, space: string | undefined) {
  const deps = few.depsOf(node);
  const calls = new Calls(deps);
  const taken: unknown[] = [];
  const take: Terminals["take"] = async (target, who) => {
    taken.push([node, target, who]);
    return accept(OPENED);
  };
  const director = (): string => "b";
  const lease = { ...alone().lease, isHeld: node === "b" };
  const atDirector = createAtDirector({ lease, director }, calls);
  const members = () => deps.cluster.members().map((each) => ({ ...each, url: "http://b:1/" }));
  const cluster = { ...deps.cluster, members, director };
  return { take: takeAnywhere({ take }, { cluster, atDirector, space }), taken };
}

const ELSEWHERE = refuse(
  "terminal.unavailable",
  "agents work at the node b (http://b:1/): run atrium attach on its machine",
);

test("[NODE-70] a session is taken at any node of the director's machine, and elsewhere one is told where", async () => {
  const few = openFewNodes("a", "b", "c", "d");
  const [a, b] = [openNode(few, "a", "boot 1"), openNode(few, "b", "boot 1")];
  assert.deepEqual(await a.take("r1", WHO), accept(OPENED));
  assert.deepEqual(await b.take("r2", WHO), accept(OPENED));
  assert.deepEqual(b.taken, [
    ["b", "r1", WHO],
    ["b", "r2", WHO],
  ]);
  for (const [node, space] of [
    ["c", "boot 2"],
    ["d", undefined],
  ] as const) {
    assert.deepEqual(await openNode(few, node, space).take("r1", WHO), ELSEWHERE);
  }
  assert.deepEqual([a.taken, b.taken.length], [[], 2]);
});

test("[NODE-70] a node whose machine cannot be told takes its own sessions, and no terminal's elsewhere", async () => {
  const few = openFewNodes("a", "b");
  const [a, b] = [openNode(few, "a", undefined), openNode(few, "b", undefined)];
  assert.deepEqual(await a.take("r1", WHO), ELSEWHERE);
  assert.deepEqual(await b.take("r1", WHO), accept(OPENED));
});

test("[NODE-70] a director of an earlier release is named", async () => {
  const few = openFewNodes("a", "b");
  using _b = new Calls(few.depsOf("b"));
  assert.deepEqual(await openNode(few, "a", "boot 1").take("r1", WHO), ELSEWHERE);
});
