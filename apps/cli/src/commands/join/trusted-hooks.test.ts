import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutTrustedHooks } from "./trusted-hooks.ts";

const PLUGIN = "atrium@atrium";
const OWN = `[hooks.state."atrium@atrium:hooks/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:d6"\n\n`;
const OTHER = `[hooks.state."tides@shop:hooks/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:ff"\n`;

test("[JOIN-12] what Codex notes of the plugin's hooks is taken out, and nothing else", () => {
  const model = 'model = "m" # [hooks.state]\n\n';
  assert.equal(withoutTrustedHooks(`${model}[hooks.state]\n\n${OWN}${OWN}`, PLUGIN), model);
  const shared = `${model}[hooks.state]\n\n${OTHER}`;
  assert.equal(withoutTrustedHooks(`${model}[hooks.state]\n\n${OWN}${OTHER}`, PLUGIN), shared);
  for (const same of ["", model, shared, "[hooks.state]\n"]) {
    assert.equal(withoutTrustedHooks(same, PLUGIN), same);
  }
});
