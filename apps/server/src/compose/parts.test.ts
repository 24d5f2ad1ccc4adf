import assert from "node:assert/strict";
import { test } from "node:test";
import { openProjections, type Fault } from "@atrium/core";
import { LogFault, openMemoryLog } from "@atrium/log";
import { listenToLog, recoverParts, sayGoodbye, type Parts } from "./parts.ts";

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
