import assert from "node:assert/strict";
import { mkdtempDisposableSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openKeptKeys } from "./kept-keys.ts";

test("[NODE-68] whoever keeps or removes a key leaves those that another has written since", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-keys-"));
  const file = join(folder.path, "keys.json");
  const [one, other] = [openKeptKeys(file), openKeptKeys(file)];
  other.set("A_KEY", "a");
  one.set("B_KEY", "b");
  assert.deepEqual(openKeptKeys(file).names(), ["A_KEY", "B_KEY"]);
  other.set("C_KEY", "c");
  one.remove("B_KEY");
  one.remove("NO_KEY");
  assert.deepEqual(one.names(), ["A_KEY", "C_KEY"]);
  assert.deepEqual(openKeptKeys(file).values(), ["a", "c"]);
  assert.deepEqual(readdirSync(folder.path), ["keys.json"]);
});
