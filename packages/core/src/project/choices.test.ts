import assert from "node:assert/strict";
import { test } from "node:test";
import { accept } from "../engine/refusal.ts";
import { fittingChoice } from "./choices.ts";

test("[WORLD-13] options are closed unless own words are welcome or there are none", () => {
  const options = ["Tech users", "General consumers"];
  assert.deepEqual(fittingChoice({ options }, " tech USERS "), accept("Tech users"));
  assert.deepEqual(fittingChoice({ options, allowsOther: true }, "all"), accept("all"));
  assert.deepEqual(fittingChoice({ options: [] }, " all "), accept("all"));
  for (const choice of ["all", "constructor", "__proto__", "1", "Tech"]) {
    const refused = fittingChoice({ options }, choice);
    assert.equal(refused.ok, false);
    assert.match(refused.detail ?? "", /one of "Tech users", "General consumers"/);
  }
});
