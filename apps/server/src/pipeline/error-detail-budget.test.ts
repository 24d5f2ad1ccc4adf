import assert from "node:assert/strict";
import { test } from "node:test";
import { ErrorDetailBudget } from "./error-detail-budget.ts";

const ask = (complaints: ErrorDetailBudget, times: number): number =>
  Array.from({ length: times }, () => complaints.allowsDetail()).filter(Boolean).length;

test("[GW-30] explanations run out and come back with time", () => {
  let now = 0;
  const complaints = new ErrorDetailBudget(() => now);
  assert.equal(ask(complaints, 50), 20);
  now += 1_000;
  assert.equal(ask(complaints, 50), 5);
});

test("[GW-30] patience ends for a steady stream of nonsense, however slow the machine", () => {
  let now = 0;
  const complaints = new ErrorDetailBudget(() => now);
  let sent = 0;
  while (!complaints.isExhausted && sent < 5_000) {
    complaints.allowsDetail();
    now += 1;
    sent++;
  }
  assert.ok(sent < 1_100, `${sent} were answered`);
});

test("[GW-30] a peer that has been sensible for a while starts afresh", () => {
  let now = 0;
  const complaints = new ErrorDetailBudget(() => now);
  ask(complaints, 900);
  now += 60_000;
  ask(complaints, 900);
  assert.equal(complaints.isExhausted, false);
});
