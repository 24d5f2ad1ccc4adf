import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { liveOn, type Life, type LivesDeps } from "./lives.ts";
import type { EndReason } from "./platform/process-end.ts";

const SIGTERM: EndReason = { type: "signal", signal: "SIGTERM" };

interface TestLife extends Life {
  lose(why: string): void;
  stop(fault?: Error): void;
}

function openStage() {
  const steps: string[] = [];
  const end = Promise.withResolvers<EndReason>();
  const openings: (Error | TestLife)[] = [];
  const deps: LivesDeps = {
    async open(port) {
      steps.push(`open at ${port}`);
      const next = openings.shift();
      if (next === undefined || next instanceof Error) throw next ?? new Error("nothing to open");
      return next;
    },
    end: { reason: end.promise, fail: (cause) => void steps.push(`fail: ${String(cause)}`) },
    journal: {
      fault: (cause) => void steps.push(String(cause)),
      info: (what, context) => void steps.push(`${what}: ${String(Object.values(context ?? {}))}`),
    },
  };
  function makeLife(name: string): TestLife {
    const lost = Promise.withResolvers<string>();
    const stopped = Promise.withResolvers<Error | undefined>();
    return {
      url: name,
      port: 7,
      lost: lost.promise,
      stopped: stopped.promise,
      lose: lost.resolve,
      stop: stopped.resolve,
      async close(goodbye = "bye") {
        steps.push(`close ${name}: ${goodbye}`);
        stopped.resolve(undefined);
      },
    };
  }
  return { steps, end, openings, deps, makeLife };
}

test("[NODE-10] a life that lost the lease is closed, and the next one opened on its port, also when that fails at first", async () => {
  const { steps, end, openings, deps, makeLife } = openStage();
  const [first, second] = [makeLife("first"), makeLife("second")];
  openings.push(new Error("no server answers"), second);
  const over = liveOn(first, deps);
  first.lose("b directs now");
  while (!steps.some((step) => step.startsWith("open again"))) await setImmediate();
  end.resolve(SIGTERM);
  const { reason, close } = await over;
  assert.equal(reason, SIGTERM);
  await close();
  assert.deepEqual(steps, [
    "this node lost the lease and starts again: b directs now",
    "close first: service restart",
    "open at 7",
    "Fault: could not open again; trying on",
    "open at 7",
    "open again: second",
    "close second: bye",
  ]);
});

test("[NODE-10] whoever ends the process meanwhile need not wait for the next life", async () => {
  const { steps, end, openings, deps, makeLife } = openStage();
  const first = makeLife("first");
  openings.push(...Array.from({ length: 9 }, () => new Error("no server answers")));
  const over = liveOn(first, deps);
  first.lose("b directs now");
  while (!steps.includes("open at 7")) await setImmediate();
  end.resolve(SIGTERM);
  await (await over).close();
  assert.equal(steps.filter((step) => step.startsWith("close")).length, 1);
});

test("[SERVER-10] a log that ends by itself ends the process, and one that was closed does not", async () => {
  const { steps, end, deps, makeLife } = openStage();
  const first = makeLife("first");
  const over = liveOn(first, deps);
  first.stop(new Error("no space is left"));
  await setImmediate();
  assert.deepEqual(steps, ["fail: Error: no space is left"]);
  end.resolve(SIGTERM);
  await (await over).close();
  assert.equal(steps.length, 2);
});
