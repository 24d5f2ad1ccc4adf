import assert from "node:assert/strict";
import { test } from "node:test";
import { openProjections, type Fault } from "@atrium/core";
import { LogFault, openMemoryLog } from "@atrium/log";
import { directParts, listenToLog, recoverParts, sayGoodbye, type Parts } from "./parts.ts";

function fail(): never {
  throw new TypeError("not today");
}

test("[SERVER-9] a listener that throws costs the other listeners nothing, in its own part and in others", async () => {
  await using log = openMemoryLog();
  const reports: Fault[] = [];
  await using projections = await openProjections(log, [], {
    report: (fault) => void reports.push(fault),
  });
  const heard: string[] = [];
  const hear = (name: string) => (): void => void heard.push(name);
  const parts: Parts = {
    first: { onBatch: fail },
    second: { onBatch: { bad: fail, good: hear("second") } },
    third: { onBatch: hear("third") },
    silent: {},
  };
  listenToLog(parts, projections);
  const done = await log.append("s", "any", [{ type: "x", at: 1, data: {} }]);
  assert.ok(done.ok);
  await projections.settled(done.position.seq);
  assert.deepEqual(heard, ["second", "third"]);
  assert.deepEqual([...projections.listenerFaults.keys()], ["first", "second.bad"]);
  assert.equal(reports.length, 2);
});

test("[SERVER-9] a part that cannot take up what it left, or say good-bye, keeps no other from it", async () => {
  const done: string[] = [];
  const parts: Parts = {
    first: { recover: () => Promise.reject(new TypeError("garbage")), close: fail },
    second: { recover: async () => void done.push("recovered"), close: (why) => done.push(why) },
  };
  const reports: Fault[] = [];
  const report = (fault: Fault): void => void reports.push(fault);
  await recoverParts(parts, report);
  await sayGoodbye(parts, "bye", report);
  assert.deepEqual(done, ["recovered", "bye"]);
  assert.deepEqual(
    reports.map(({ message }) => message),
    ["first could not take up what it left", "first could not say good-bye"],
  );
});

test("[SERVER-9] a log that fails fails for all", async () => {
  const parts: Parts = {
    first: { recover: () => Promise.reject(new LogFault("full", "no room")) },
  };
  await assert.rejects(
    recoverParts(parts, () => undefined),
    /no room/,
  );
});

test("[NODE-1] what directs begins part by part: each listens and takes up what was left before the next one does", async () => {
  await using log = openMemoryLog();
  await using projections = await openProjections(log, []);
  const steps: string[] = [];
  const directing = (name: string): Parts[string] => ({
    onBatch: () => steps.push(`${name} serves`),
    recover: () => Promise.resolve(),
    directs: {
      onBatch: () => void steps.push(`${name} directs`),
      async recover() {
        const done = await log.append(name, "any", [{ type: "x", at: 1, data: {} }]);
        await projections.settled(done.ok ? done.position.seq : 0);
        steps.push(`${name} is ready`);
      },
    },
  });
  const parts: Parts = { first: directing("first"), second: directing("second") };
  const report = (fault: Fault): never => assert.fail(fault);
  await directParts(parts, projections, { report, isOpen: () => true });
  assert.deepEqual(steps, [
    "first directs",
    "first is ready",
    "first directs",
    "second directs",
    "second is ready",
  ]);
  const closing: Parts = { third: directing("third") };
  await directParts(closing, projections, { report, isOpen: () => false });
  assert.equal(steps.length, 5);
});
