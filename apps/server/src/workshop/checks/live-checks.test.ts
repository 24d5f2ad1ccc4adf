import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Mirror } from "../../cluster/mirror.ts";
import { openFewNodes, type FewNodes } from "../../cluster/testing/few-nodes.ts";
import { LiveChecks, type CheckChange } from "./live-checks.ts";

function openNode(few: FewNodes, node: string) {
  const checks = new LiveChecks((source) => new Mirror<CheckChange>(source, few.depsOf(node)));
  const texts: (string | null)[] = [];
  checks.onOutput((_check, text) => texts.push(text));
  return { checks, texts };
}

async function quiet(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await setImmediate();
}

test("[NODE-26] what a check puts out is seen on every node, from whenever one looks to its end", async () => {
  const few = openFewNodes("a", "b", "c");
  const [a, b] = [openNode(few, "a"), openNode(few, "b")];
  await quiet();
  a.checks.begin("c1", "task");
  a.checks.add("c1", "one\n");
  await quiet();
  const c = openNode(few, "c");
  few.isLost = () => true;
  a.checks.add("c1", "two\n");
  await quiet();
  few.isLost = () => false;
  a.checks.add("c1", "three\n");
  await quiet();
  const all = "one\ntwo\nthree\n";
  assert.deepEqual([b.checks.outputOf("c1"), c.checks.outputOf("c1")], [all, all]);
  assert.deepEqual([b.texts.join(""), c.texts.join("")], [all, all]);
  a.checks.end("c1");
  await quiet();
  assert.deepEqual([b.texts.at(-1), [...b.checks.list()]], [null, []]);
});

test("[NODE-22] a check whose node is gone has ended for whoever watched it", async () => {
  const few = openFewNodes("a", "b");
  const [a, b] = [openNode(few, "a"), openNode(few, "b")];
  await quiet();
  a.checks.begin("c1", "task");
  a.checks.add("c1", "one\n");
  await quiet();
  few.meet("b");
  assert.deepEqual([b.texts, b.checks.outputOf("c1")], [["one\n", null], undefined]);
});
