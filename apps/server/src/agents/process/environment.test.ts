import assert from "node:assert/strict";
import { test } from "node:test";
import { secretsIn } from "../turn/redact.ts";
import { environmentFor } from "./environment.ts";

function given(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return environmentFor(Object.keys(env), (name) => env[name]);
}

test("[DETECT-14] behind a proxy this machine is reached directly", () => {
  const loopback = "localhost,127.0.0.1,::1";
  const proxy = { https_proxy: "http://proxy:3128" };
  const alone = { ...proxy, NO_PROXY: loopback, no_proxy: loopback };
  assert.deepEqual(given(proxy), alone);
  const own = given({ ...proxy, no_proxy: "intra.example" });
  assert.equal(own["NO_PROXY"], `intra.example,${loopback}`);
  assert.equal(own["no_proxy"], own["NO_PROXY"]);
  const none = { ...proxy, NO_PROXY: "*" };
  assert.deepEqual(given(none), none);
  assert.deepEqual(given({ NO_PROXY: "x" }), { NO_PROXY: "x" });
});

test("[DETECT-14] a proxy's password and the keys of a cloud are secret, places are not", () => {
  const password = "p%40ss-0123456789abcdef";
  const slashed = `/${"k".repeat(39)}`;
  const secrets = secretsIn({
    HTTPS_PROXY: `http://me:${password}@proxy.example:3128`,
    HTTP_PROXY: "http://proxy.example:3128",
    AWS_ACCESS_KEY_ID: "AKIA0123456789ABCDEF",
    AWS_SECRET_ACCESS_KEY: slashed,
    AWS_REGION: "eu-central-1-0123456789",
    GOOGLE_APPLICATION_CREDENTIALS: "/home/ann/credentials.json",
  });
  const meant = "p@ss-0123456789abcdef";
  assert.deepEqual(secrets, [password, meant, "AKIA0123456789ABCDEF", slashed]);
});
