/** Are stale artifacts found? */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ARTIFACTS, staleArtifacts, type ReadText } from "./artifacts.ts";
import { readText } from "./files.ts";

test("[WIRE-12] the committed schema and Swift models are what the declarations generate", async () => {
  assert.deepEqual(await staleArtifacts(ARTIFACTS, readText), []);
});

test("[WIRE-12] one changed byte is found, and the message says which file and what to run", async () => {
  for (const { path, command, render } of ARTIFACTS) {
    const text = render();
    for (const at of [0, Math.floor(text.length / 2), text.length - 1]) {
      const found = `${text.slice(0, at)}~${text.slice(at + 1)}`;
      const problems = await staleArtifacts(ARTIFACTS, holding(new Map([[path, found]])));
      assert.deepEqual(problems, [`${path} is out of date: run ${command} and commit the result`]);
    }
  }
});

test("[WIRE-12] a missing file is found", async () => {
  for (const { path, command } of ARTIFACTS) {
    const problems = await staleArtifacts(ARTIFACTS, holding(new Map([[path, undefined]])));
    assert.deepEqual(problems, [`${path} is missing: run ${command} and commit the result`]);
  }
});

/** A disk on which everything is up to date, except for what is given. */
function holding(changed: ReadonlyMap<string, string | undefined>): ReadText {
  const fresh = new Map(ARTIFACTS.map(({ path, render }) => [path, render()]));
  return async (path) => (changed.has(path) ? changed.get(path) : fresh.get(path));
}
