import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { allows, presetOf, staysIn } from "./workspace-preset.ts";

test("[AGENT-33] each preset allows what the one before allows, and more", () => {
  const presets = [undefined, "ask", "edit", "sandbox"] as const;
  const changes = presets.map((preset) => allows(preset, "change"));
  const confined = presets.map((preset) => allows(preset, "confined"));
  assert.deepEqual(changes, [false, false, true, true]);
  assert.deepEqual(confined, [false, false, false, true]);
});

test("[AGENT-33] a preset holds in a workspace only", () => {
  const agent = { id: "agent_eng_1", name: "Eng 1", role: "engineer" };
  const workspace = { folder: "/work", store: null };
  assert.equal(
    presetOf({ agent, workspace }, () => "edit"),
    "edit",
  );
  assert.equal(
    presetOf({ agent }, () => "edit"),
    undefined,
  );
  assert.equal(presetOf({ agent, workspace }, undefined), undefined);
});

test("[AGENT-33] what leaves the workspace by its path or a link, or is git's, does not stay in it", async () => {
  using above = mkdtempDisposableSync(join(tmpdir(), "atrium-preset-"));
  const folder = join(above.path, "worktree");
  const alias = join(above.path, "alias");
  mkdirSync(folder);
  symlinkSync(folder, alias);
  symlinkSync(above.path, join(folder, "up"));
  assert.equal(await staysIn(folder, [join(folder, "a/new.txt"), "b.txt"]), true);
  // It may know its folder by its real path.
  assert.equal(await staysIn(alias, [join(folder, "a.txt")]), true);
  for (const path of ["..", "../b.txt", "up/b.txt", ".git/config", "/etc/passwd"]) {
    assert.equal(await staysIn(folder, [join(folder, "a.txt"), path]), false, path);
  }
  assert.equal(await staysIn(folder, []), false);
});
