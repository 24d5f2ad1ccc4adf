import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog } from "./log-memory.ts";
import { describeLog } from "./log.contract.ts";

describeLog("memory", () => openMemoryLog());

test("[LOG-19] begins a new epoch each time, or the one it is given", () => {
  assert.notEqual(openMemoryLog().epoch, openMemoryLog().epoch);
  assert.equal(openMemoryLog({ epoch: "e1" }).epoch, "e1");
});
