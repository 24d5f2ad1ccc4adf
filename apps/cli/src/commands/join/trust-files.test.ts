import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findTrustFiles } from "./trust-files.ts";

const table = (key: string, hash: string): string =>
  `[hooks.state."${key}"]\ntrusted_hash = "sha256:aa"\ntrusted_content_hash = "${hash}"\n`;

test("[JOIN-73] of what Codex keeps of trusted hooks, the plugin's part is found and no other", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-trust-"));
  assert.deepEqual(findTrustFiles(folder.path, "atrium@atrium"), []);
  const ours = table("atrium@atrium:hooks/hooks.json:stop:0:0", "sha256:01");
  const theirs = table("tide@market:hooks/hooks.json:stop:0:0", "sha256:02");
  writeFileSync(join(folder.path, "config.toml"), `model = "m"\n\n${ours}\n${theirs}`);
  assert.deepEqual(findTrustFiles(folder.path, "atrium@atrium"), []);
  mkdirSync(join(folder.path, ".hook-trust"));
  for (const [name, hash] of [
    ["a", "sha256:01\n"],
    ["b", "sha256:02"],
    ["c", ""],
    ["d", "sha256:aa"],
  ] as const) {
    writeFileSync(join(folder.path, ".hook-trust", name), hash);
  }
  assert.deepEqual(findTrustFiles(folder.path, "atrium@atrium"), [".hook-trust/a"]);
});
