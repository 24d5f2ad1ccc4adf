import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault, PROJECTIONS_STOPPED } from "@atrium/core";
import { LogFault } from "@atrium/log";
import { createClosingReport } from "./closing-report.ts";

test("[SERVER-9] what was under way when the server is closed is noted, and everything else is a fault to the end", () => {
  const [reported, noted]: string[][] = [[], []];
  const { report, close } = createClosingReport({
    report: ({ message }) => void reported?.push(message),
    note: (what) => void noted?.push(what),
  });
  const cut = new Fault("a", {}, new LogFault("closed", "gone"));
  const stopped = new Fault("b", {}, new Fault(PROJECTIONS_STOPPED));
  report(cut);
  close();
  for (const fault of [cut, stopped, new Fault("c", {}, new LogFault("full", "no room"))]) {
    report(fault);
  }
  assert.deepEqual(
    reported?.map((message) => message[0]),
    ["a", "c"],
  );
  assert.equal(noted?.length, 2);
});
