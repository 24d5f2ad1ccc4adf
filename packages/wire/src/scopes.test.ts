import assert from "node:assert/strict";
import { test } from "node:test";
import { effectiveScopes, GATEWAY_SCOPES, isGatewayScope } from "./scopes.ts";

const sorted = (...granted: readonly string[]): readonly string[] =>
  [...effectiveScopes(granted)].toSorted();

test("[WIRE-3] who was granted nothing may do nothing", () => {
  assert.deepEqual(sorted(), []);
});

test("[WIRE-3] admin amounts to every scope, wherever it stands in the list", () => {
  const all = [...GATEWAY_SCOPES].toSorted();
  assert.deepEqual(sorted("operator.admin"), all);
  assert.deepEqual(sorted("operator.read", "operator.admin", "made.up"), all);
});

test("[WIRE-3] write includes read and talk, and nothing more", () => {
  assert.deepEqual(sorted("operator.write"), ["operator.read", "operator.talk", "operator.write"]);
});

test("[WIRE-3] every other scope amounts to itself", () => {
  for (const scope of GATEWAY_SCOPES) {
    if (scope === "operator.admin" || scope === "operator.write") continue;
    assert.deepEqual(sorted(scope), [scope]);
  }
});

test("[WIRE-3] names that are no scope grant nothing", () => {
  const names = ["operator", "operator.*", "OPERATOR.ADMIN", "operator.admin ", "", "constructor"];
  assert.deepEqual(sorted(...names), []);
  for (const name of names) assert.equal(isGatewayScope(name), false, name);
});
