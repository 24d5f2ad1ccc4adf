import assert from "node:assert/strict";
import { test } from "node:test";
import { accept } from "@atrium/core";
import { GATEWAY_SCOPES } from "@atrium/wire/gateway";
import type { Credential, Principal } from "../../../access/principal.ts";
import { settingsMethods } from "./methods.ts";

const by = { id: "a", name: "Ann", via: "http" };

function openMethods() {
  const done: string[] = [];
  const methods = settingsMethods(
    {
      settings: () => ({ path: "/f", exists: true, values: {}, hash: "h" }),
      fixed: () => [],
      schema: {},
      version: "1",
      now: () => 0,
      changes: {
        change: async () => {
          done.push("change");
          return accept({ changed: ["office"] });
        },
      },
      keys: {
        set: async (name) => {
          done.push(`set ${name}`);
          return accept(undefined);
        },
        remove: async (name) => {
          done.push(`remove ${name}`);
          return accept(undefined);
        },
        list: () => [],
      },
    },
    () => by,
  );
  return { methods, done };
}

const callerWith = (credential: Credential, more: Partial<Principal> = {}) => ({
  principal: { credential, address: "127.0.0.1", isLocal: true, ...more },
  scopes: new Set<string>(GATEWAY_SCOPES),
  errorBudget: { allowsDetail: () => true },
});

const CALLS = [
  ["patch", { patch: {} }],
  ["keySet", { name: "A_KEY", value: "v" }],
  ["keyRemove", { name: "A_KEY" }],
  ["peerPatch", { raw: "{}" }],
  ["peerSet", { raw: "{}", baseHash: "h" }],
  ["peerApply", { raw: "{}", baseHash: "h" }],
  ["get", {}],
] as const;

test("[SET-5] what an agent holds, its processes, and the token from elsewhere change nothing", async () => {
  const { methods, done } = openMethods();
  const strangers = [
    [callerWith({ kind: "run", conversationKey: "main" }), "credential.run"],
    [callerWith({ kind: "token" }, { isOfAgent: () => true }), "credential.run"],
    [callerWith({ kind: "local" }, { isOfAgent: () => true }), "credential.run"],
    [callerWith({ kind: "token" }, { isLocal: false }), "credential.elsewhere"],
  ] as const;
  for (const [name, params] of CALLS) {
    for (const [caller, code] of strangers) {
      const outcome = await methods[name].call(params, caller);
      assert.equal(outcome.ok ? "ok" : outcome.code, code, name);
    }
  }
  assert.deepEqual(done, []);
});

test("[SET-5] people do: with the token on this machine, a browser's login or their device", async () => {
  const { methods, done } = openMethods();
  const people: readonly Credential[] = [
    { kind: "token" },
    { kind: "browser", sessionId: "s" },
    { kind: "device", deviceId: "d", role: "operator" },
  ];
  for (const credential of people) {
    for (const [name, params] of CALLS) {
      assert.ok((await methods[name].call(params, callerWith(credential))).ok, name);
    }
  }
  assert.equal(done.length, people.length * 6);
  const reader = { ...callerWith({ kind: "token" }), scopes: new Set(["operator.read"]) };
  for (const [name, params] of CALLS) {
    const outcome = await methods[name].call(params, reader);
    assert.equal(outcome.ok ? "ok" : outcome.code, "scope.missing", name);
  }
});
