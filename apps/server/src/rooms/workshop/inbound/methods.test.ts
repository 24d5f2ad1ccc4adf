import assert from "node:assert/strict";
import { test } from "node:test";
import { refuse } from "@atrium/core";
import type { Principal } from "../../../access/principal.ts";
import { answererFrom } from "../../../access/principal.ts";
import type { Caller } from "../../../pipeline/method-router.ts";
import { createForkWork } from "../../../workshop/fork-work.ts";
import { createRestoreFiles } from "../../../workshop/restore-files.ts";
import { workspaceMethods } from "./methods.ts";
import { reviewMethods } from "./review-methods.ts";

const STRANGERS: readonly (readonly [Principal, string])[] = [
  [
    { credential: { kind: "run", conversationKey: "k" }, address: "::1", isLocal: true },
    "credential.run",
  ],
  [
    { credential: { kind: "token" }, address: "::1", isLocal: true, isOfAgent: () => true },
    "credential.run",
  ],
  [{ credential: { kind: "token" }, address: "10.0.0.7", isLocal: false }, "credential.elsewhere"],
];
const unexpected = (): never => assert.fail("nothing is looked up, and nothing done");

test("[FILES-8] whatever an agent was given, or the token from another machine, neither restores nor forks", async () => {
  const deps = {
    dispatch: unexpected,
    log: { findKey: unexpected },
    findMoment: { ofWorkspace: unexpected },
    findBuild: unexpected,
    builds: { start: unexpected },
    use: unexpected,
    holdIfFree: unexpected,
    clock: { now: unexpected },
  };
  const commands = { restore: createRestoreFiles(deps), fork: createForkWork(deps) };
  const someone = { id: "x", name: "x", via: "http" };
  const methods = workspaceMethods(commands, ({ principal }) => answererFrom(principal, someone));
  for (const [principal, code] of STRANGERS) {
    const scopes = new Set(["operator.write"]);
    const caller: Caller = { principal, scopes, errorBudget: { allowsDetail: () => true } };
    const asked = { workspace: "task_a_1", seq: 1 };
    const by = answererFrom(principal, someone);
    const past = { workspaceId: "task_a_1", seq: 1, instructions: null };
    for (const outcome of [
      await methods.restore.call(asked, caller),
      await methods.fork.call(asked, caller),
      await commands.restore(past, by),
      await commands.fork(past, by),
    ]) {
      assert.ok(!outcome.ok);
      assert.equal(outcome.code, code);
    }
    const none: Caller = { ...caller, scopes: new Set() };
    assert.deepEqual(
      await methods.restore.call(asked, none),
      refuse("scope.missing", "operator.write"),
    );
  }
});

test("[FILES-17] whatever an agent was given, or the token from another machine, gives no verdict and delivers nothing", async () => {
  const someone = { id: "x", name: "x", via: "http" };
  const methods = reviewMethods(
    {
      dispatch: unexpected,
      projects: { get: unexpected, ofArtifact: unexpected },
      anchorRemarks: unexpected,
      deliverProject: unexpected,
      clock: { now: unexpected },
    },
    ({ principal }) => answererFrom(principal, someone),
  );
  const { approve, requestChanges, revert, update, deliver } = methods;
  for (const [principal, code] of STRANGERS) {
    const scopes = new Set(["operator.write"]);
    const caller: Caller = { principal, scopes, errorBudget: { allowsDetail: () => true } };
    for (const [method, params] of [
      [approve, { artifact: "art_a_1" }],
      [requestChanges, { artifact: "art_a_1", instructions: "x" }],
      [revert, { artifact: "art_a_1" }],
      [update, { project: "proj_a" }],
      [deliver, { project: "proj_a" }],
    ] as const) {
      const outcome = await method.call(params, caller);
      assert.ok(!outcome.ok);
      assert.equal(outcome.code, code);
    }
  }
});
