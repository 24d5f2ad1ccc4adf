import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { publicSettings } from "./public-settings.ts";
import { readConfig } from "./read-config.ts";

const PUBLIC = [
  "allowedHosts",
  "allowedOrigins",
  "auth",
  "budgets",
  "crew",
  "crewRuntime",
  "durability",
  "home",
  "host",
  "limits",
  "log",
  "node",
  "office",
  "port",
  "preview",
  "repositories",
  "runtimes",
  "shared",
  "sightings",
  "token",
  "trustedProxies",
  "web",
];

test("[GW-57] these settings are shown and no others, and of the token only that there is one", () => {
  const token = "a-token-that-is-long-enough";
  const args = ["--home", tmpdir(), "--token", token];
  const { values } = publicSettings(readConfig({ args, env: {}, cwd: tmpdir() }));
  assert.deepEqual(Object.keys(values).toSorted(), PUBLIC);
  assert.equal(values["token"], "__OPENCLAW_REDACTED__");
  assert.ok(!JSON.stringify(values).includes(token));
});
