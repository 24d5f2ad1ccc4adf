import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse } from "../engine/refusal.ts";
import type { Answerer } from "../people/answerer.ts";
import { given } from "../testing/index.ts";
import { settings, type SettingsCommand, type SettingsEvent } from "./settings.ts";

const by: Answerer = { id: "a", name: "Ann", via: "http" };
const details = {
  changeId: "c1",
  changes: [{ path: "budgets.run.tokens", value: 5 }],
  by,
  before: "old",
  after: "new",
};
const change: SettingsCommand = { type: "change", ...details };
const changed: SettingsEvent = { type: "settings.changed", ...details };

test("[CORE-59] a change of settings is written down with who made it; one of nothing is refused", () => {
  assert.deepEqual(given(settings).when(change), accept([changed]));
  const nothing = given(settings).when({ ...change, changes: [] });
  assert.deepEqual(nothing, refuse("params.invalid", "nothing is to be changed"));
});

test("[CORE-59] a file as it was before the newest change means that the change was not made", () => {
  const find = (digest: string | null): SettingsCommand => ({ type: "find", digest });
  assert.deepEqual(given(settings, changed).when(find("new")), accept([]));
  const reason = "the server ended before the settings file was written";
  const reverted: SettingsEvent = { type: "settings.reverted", changeId: "c1", reason };
  assert.deepEqual(given(settings, changed).when(find("old")), accept([reverted]));
  assert.deepEqual(given(settings, changed, reverted).when(find("old")), accept([]));
});

test("[CORE-59] a file that someone changed by hand is written down as found", () => {
  const found: SettingsEvent = { type: "settings.found", digest: "hand" };
  const find: SettingsCommand = { type: "find", digest: "hand" };
  assert.deepEqual(given(settings, changed).when(find), accept([found]));
  assert.deepEqual(given(settings, changed, found).when(find), accept([]));
  assert.deepEqual(given(settings).when({ type: "find", digest: null }), accept([]));
});

test("[CORE-59] only the newest change is reverted", () => {
  const revert: SettingsCommand = { type: "revert", changeId: "c1", reason: "disk full" };
  const reverted: SettingsEvent = {
    type: "settings.reverted",
    changeId: "c1",
    reason: "disk full",
  };
  assert.deepEqual(given(settings, changed).when(revert), accept([reverted]));
  assert.deepEqual(given(settings, changed, reverted).when(revert), accept([]));
});
