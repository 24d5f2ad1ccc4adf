import assert from "node:assert/strict";
import { test } from "node:test";
import { flagOf, type PathFlag } from "./flag-of.ts";

test("[FILES-11] edits to checks, CI and lock files are flagged, wherever they are", () => {
  const flags: Readonly<Record<string, PathFlag | undefined>> = {
    "package-lock.json": "lock",
    "apps/web/yarn.lock": "lock",
    "Cargo.lock": "lock",
    ".github/workflows/test.yml": "ci",
    ".gitlab-ci.yml": "ci",
    Jenkinsfile: "ci",
    "package.json": "check",
    "packages/a/tsconfig.build.json": "check",
    Makefile: "check",
    "vitest.config.ts": "check",
    ".eslintrc.json": "check",
    ".atrium/prompts/task.md": "check",
    "scripts/verify.sh": "check",
    "src/main.ts": undefined,
    "src/lock.ts": undefined,
    "docs/.github.md": undefined,
    constructor: undefined,
    __proto__: undefined,
    "": undefined,
  };
  for (const [path, flag] of Object.entries(flags)) {
    assert.equal(flagOf(path, ["sh ./scripts/verify.sh --fast && true"]), flag, path);
  }
  assert.equal(flagOf("scripts/verify.sh"), undefined);
});
