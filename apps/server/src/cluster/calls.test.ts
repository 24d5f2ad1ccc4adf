import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { accept, refuse, type Outcome } from "@atrium/core";
import { createAtDirector } from "./at-director.ts";
import { Calls } from "./calls.ts";
import type { Lease } from "./cluster.ts";
import { openFewNodes } from "./testing/few-nodes.ts";
import { STRANGE_MESSAGES } from "./testing/strange-messages.ts";

const SOON = { timeoutMs: 5_000 };

test("[NODE-23] a node calls another and gets its answer, however long both are", async () => {
  const few = openFewNodes("a", "node b");
  using a = new Calls(few.depsOf("a"));
  using b = new Calls(few.depsOf("node b"));
  b.serve("double", (args) => Promise.resolve(accept(`${String(args)}${String(args)}`)));
  b.serve("nothing", () => Promise.resolve(accept(undefined)));
  b.serve("refuse", () => Promise.resolve(refuse("node.offline", "x")));
  const long = "ä".repeat(700_000);
  assert.deepEqual(await a.call("node b", "double", long, SOON), accept(`${long}${long}`));
  assert.deepEqual(await a.call("node b", "nothing", {}, SOON), accept(undefined));
  assert.deepEqual(await a.call("node b", "refuse", {}, SOON), refuse("node.offline", "x"));
  assert.deepEqual(await a.call("node b", "newer", {}, SOON), refuse("method.unknown", "newer"));
  const huge = "x".repeat(33 * 1024 * 1024);
  assert.deepEqual(await a.call("node b", "double", huge, SOON), refuse("cluster.oversize"));
});

test("[NODE-23] an answer is given when what the other node knew is folded here", async () => {
  const few = openFewNodes("a", "b");
  using a = new Calls(few.depsOf("a"));
  using b = new Calls(few.depsOf("b"));
  b.serve("write", () => {
    few.moveTo("b", 5);
    return Promise.resolve(accept("done"));
  });
  let outcome: Outcome<unknown> | undefined;
  const calling = a.call("b", "write", {}, SOON).then((done) => (outcome = done));
  await setTimeout(50);
  assert.equal(outcome, undefined);
  few.moveTo("a", 5);
  assert.deepEqual(await calling, accept("done"));
});

test("[NODE-24] a call ends when its time is over, whoever waits leaves, or the other node is gone", async () => {
  const few = openFewNodes("a", "b");
  using a = new Calls(few.depsOf("a"));
  using b = new Calls(few.depsOf("b"));
  const ends: string[] = [];
  b.serve("wait", (name, signal) => {
    const { promise, resolve } = Promise.withResolvers<Outcome<unknown>>();
    signal.addEventListener("abort", () => {
      ends.push(String(name));
      resolve(refuse("server.closing"));
    });
    return promise;
  });
  assert.deepEqual(
    await a.call("b", "wait", "late", { timeoutMs: 30 }),
    refuse("cluster.silent", "b"),
  );
  const leaving = new AbortController();
  const left = a.call("b", "wait", "left", { ...SOON, signal: leaving.signal });
  await setTimeout(10);
  leaving.abort();
  assert.deepEqual(await left, refuse("cluster.silent", "b"));
  const gone = a.call("b", "wait", "gone", SOON);
  await setTimeout(10);
  few.meet("a");
  assert.deepEqual(await gone, refuse("cluster.silent", "b"));
  few.meet("b");
  await setTimeout(10);
  assert.deepEqual(ends, ["late", "left", "gone"]);
});

test("[NODE-23] what fails there is reported there and refused here", async () => {
  const few = openFewNodes("a", "b");
  using a = new Calls(few.depsOf("a"));
  using b = new Calls(few.depsOf("b"));
  b.serve("break", () => Promise.reject(new Error("broken")));
  assert.deepEqual(await a.call("b", "break", {}, SOON), refuse("internal"));
  assert.equal(few.faults.length, 1);
});

test("[NODE-25] what only the director can do is done by it once, wherever it is asked for", async () => {
  const few = openFewNodes("a", "b");
  using a = new Calls(few.depsOf("a"));
  using b = new Calls(few.depsOf("b"));
  let director: string | undefined = "b";
  const work: unknown[] = [];
  const at = (node: string, calls: Calls) => {
    const lease = { isHeld: node === "b" } as Lease;
    return createAtDirector({ lease, director: () => director }, calls)(
      "restore",
      (id: string, note: string | undefined, by: { readonly name: string }) => {
        work.push([node, id, note, by]);
        return Promise.resolve(accept({ id }));
      },
    );
  };
  const [onA, onB] = [at("a", a), at("b", b)];
  const by = { name: "Ada" };
  assert.deepEqual(await onA("x", undefined, by), accept({ id: "x" }));
  assert.deepEqual(await onB("y", "why", by), accept({ id: "y" }));
  director = undefined;
  assert.deepEqual(await onA("z", undefined, by), refuse("cluster.leaderless"));
  director = "a";
  assert.deepEqual(await onA("z", undefined, by), refuse("cluster.leaderless"));
  assert.deepEqual(work, [
    ["b", "x", undefined, by],
    ["b", "y", "why", by],
  ]);
});

test("[NODE-66] what a director of an earlier release does not know is refused as worth a retry", async () => {
  const few = openFewNodes("a", "b");
  using a = new Calls(few.depsOf("a"));
  using b = new Calls(few.depsOf("b"));
  const at = createAtDirector({ lease: { isHeld: false } as Lease, director: () => "b" }, a);
  const ask = at("settings.change", () => Promise.resolve(accept("here")));
  assert.deepEqual(await ask(), refuse("cluster.outdated", "b"));
  b.serve("settings.change", () => Promise.resolve(refuse("method.unknown", "another")));
  assert.deepEqual(await ask(), refuse("method.unknown", "another"));
});

test("[NODE-35] what is no call of a node is ignored, whatever it is", async () => {
  const few = openFewNodes("a", "b");
  using a = new Calls(few.depsOf("a"));
  using b = new Calls(few.depsOf("b"));
  b.serve("echo", (args) => Promise.resolve(accept(args)));
  const subject = `call.${Buffer.from("b").toString("hex")}`;
  for (const text of STRANGE_MESSAGES) few.depsOf("a").bus.publish(subject, Buffer.from(text));
  assert.deepEqual(await a.call("b", "echo", "still", SOON), accept("still"));
  assert.deepEqual(few.faults, []);
});
