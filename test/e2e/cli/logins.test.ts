/** `atrium logins`, and the command line as a device of another machine. */
import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { signIn } from "../../kit/browser.ts";
import { runCli } from "../../kit/cli-process.ts";

test("[CLI-16] browsers that are signed in are listed, named and put out", async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  assert.match((await runCli(["logins", ...at])).stdout, /^No browser is signed in/);
  const { loginId, headers } = await signIn(atrium, {
    headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" },
  });
  assert.match((await runCli(["logins", ...at])).stdout, /Firefox on Linux +127\.0\.0\.1/);
  const renamed = await runCli(["logins", "rename", loginId.slice(0, 6), "Desk", ...at]);
  assert.match(renamed.stdout, /^Firefox on Linux is now called Desk/);
  const { logins } = JSON.parse((await runCli(["logins", "--json", ...at])).stdout);
  assert.deepEqual([logins.length, logins[0].id, logins[0].name], [1, loginId, "Desk"]);
  const wrong = await runCli(["logins", "revoke", "nobody", ...at]);
  assert.equal(wrong.code, 1);
  assert.match((await runCli(["logins", "revoke", loginId, ...at])).stdout, /^Desk is signed out/);
  assert.equal((await fetch(new URL("/v1/models", atrium.url), { headers })).status, 401);
});

test("[CLI-16] a browser from another machine is shown waiting, let in, and turned away", async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  const elsewhere = { "x-forwarded-for": "203.0.113.7" };
  const userAgent = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
  const first = await signIn(atrium, { headers: { ...elsewhere, ...userAgent } });
  assert.match((await runCli(["logins", ...at])).stdout, /Firefox on Linux .*waiting for approval/);
  const approved = await runCli(["logins", "approve", first.loginId, ...at]);
  assert.match(approved.stdout, /^Firefox on Linux from \S+ is approved\./);
  const models = new URL("/v1/models", atrium.url);
  const headers = { ...elsewhere, ...first.headers };
  assert.equal((await fetch(models, { headers })).status, 200);
  assert.doesNotMatch((await runCli(["logins", ...at])).stdout, /waiting/);
  const again = await runCli(["logins", "approve", first.loginId, ...at]);
  assert.equal(again.code, 1);
  const { loginId } = await signIn(atrium, { headers: { ...elsewhere, ...userAgent } });
  const rejected = await runCli(["logins", "revoke", loginId, ...at]);
  assert.match(rejected.stdout, /^Firefox on Linux was rejected\./);
});

/** An address of this machine that is not loopback, when it has one. */
function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address;
}

test("[CLI-2] from another machine the command line comes with a key of its own, and is in once it was let in", async (t) => {
  const address = ownAddress();
  if (address === undefined) return t.skip("this machine has no address but loopback");
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-cli-"));
  await using atrium = await openTestAtrium({ args: ["--host", "0.0.0.0"] });
  const far = ["--url", `http://${address}:${atrium.port}`, "--token", atrium.token];
  const home = ["--home", folder.path];
  const asked = await runCli(["sessions", ...far, ...home]);
  assert.equal(asked.code, 1);
  assert.match(asked.stderr, /has not approved this machine[^]*atrium devices approve/);
  await using operator = await atrium.connect();
  const { pending } = await operator.ask("device.pair.list", {});
  await operator.ask("device.pair.approve", { requestId: pending[0].requestId });
  assert.equal((await runCli(["sessions", ...far, ...home])).code, 0);
});
