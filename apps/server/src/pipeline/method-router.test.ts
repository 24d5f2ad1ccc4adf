import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse, type Fault } from "@atrium/core";
import { Type } from "@atrium/schema";
import { method } from "@atrium/wire";
import { createMethodRouter, implement } from "./method-router.ts";

const declare = (name: string) =>
  method({
    name,
    scope: "paint",
    params: Type.Object({ idempotencyKey: Type.Optional(Type.String()) }),
    result: Type.Any(),
  });

const principal = { credential: { kind: "token" }, address: "127.0.0.1", isLocal: true } as const;
const painter = {
  principal,
  scopes: new Set(["paint"]),
  errorBudget: { allowsDetail: () => true },
};

test("[GW-31] a method that throws, now or later, is an internal refusal and reported once", async () => {
  const faults: Fault[] = [];
  const call = createMethodRouter(
    [
      implement(declare("now"), () => assert.fail("oops")),
      implement(declare("later"), () => Promise.reject(new Error("oops"))),
      implement(declare("fine"), () => accept("ok")),
    ],
    (fault) => void faults.push(fault),
  );
  assert.deepEqual(await call("now", {}, painter), refuse("internal"));
  assert.deepEqual(await call("later", {}, painter), refuse("internal"));
  assert.deepEqual(
    faults.map(({ context }) => context["method"]),
    ["now", "later"],
  );
  assert.deepEqual(await call("fine", {}, painter), accept("ok"));
});

test("[GW-9] the scope is checked before the params", () => {
  const call = createMethodRouter([implement(declare("paint"), () => accept(1))], () => undefined);
  const stranger = {
    principal,
    scopes: new Set<string>(),
    errorBudget: { allowsDetail: () => true },
  };
  assert.deepEqual(call("paint", 7, stranger), refuse("scope.missing", "paint"));
});

test("[GW-30] without patience the complaint is short", () => {
  const call = createMethodRouter([implement(declare("paint"), () => accept(1))], () => undefined);
  assert.deepEqual(
    call("paint", 7, { ...painter, errorBudget: { allowsDetail: () => false } }),
    refuse("params.invalid"),
  );
});

test("[GW-14] a key is told apart by method, and its digest by everything else that was asked", () => {
  const keys: unknown[] = [];
  const contract = { ...declare("paint"), idempotency: "optional" } as const;
  const call = createMethodRouter(
    [
      implement(contract, (_params, { key }) => {
        keys.push(key);
        return accept(1);
      }),
    ],
    () => undefined,
  );
  const asked = [
    {},
    { idempotencyKey: "k" },
    { idempotencyKey: "k", color: "red", size: { w: 1, h: 2 } },
    { size: { h: 2, w: 1 }, color: "red", idempotencyKey: "k" },
  ];
  for (const params of asked) void call("paint", params, painter);
  const [none, bare, red, shuffled] = keys as { id: string; digest: string }[];
  assert.equal(none, undefined);
  assert.equal(bare?.id, 'paint:"k"');
  assert.equal(red?.id, 'paint:"k"');
  assert.notEqual(red?.digest, bare?.digest);
  assert.deepEqual(shuffled, red);
});
