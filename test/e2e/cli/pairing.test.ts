/** `atrium devices` and `atrium nodes`: whoever asks to be let in, and those who were. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { runCli } from "../../kit/cli-process.ts";
import { createTestDevice, type TestDevice } from "../../kit/device.ts";
import { connectNode } from "../../kit/node.ts";
import { introduce, openPeer } from "../../kit/raw-peer.ts";

/** A device that does not come from this machine; whether it was let in. */
async function knock({ wsUrl, token }: TestAtrium, device: TestDevice): Promise<boolean> {
  await using peer = await openPeer(wsUrl, { headers: { "x-forwarded-for": "203.0.113.7" } });
  const scopes = ["operator.read"];
  const { ok } = await introduce(peer, {
    role: "operator",
    scopes,
    auth: { token },
    device: (challenge) => device.prove(challenge, { token, scopes, role: "operator" }),
  });
  return ok === true;
}

test("[CLI-16] a device from elsewhere is let in, turned away and put out", async () => {
  await using atrium = await openTestAtrium();
  const at = ["--url", atrium.url, "--token", atrium.token];
  assert.match((await runCli(["devices", ...at])).stdout, /^No devices and/);
  const [phone, stranger] = [createTestDevice(), createTestDevice()];
  assert.equal(await knock(atrium, phone), false);
  assert.equal(await knock(atrium, stranger), false);
  const asked = await runCli(["devices", ...at]);
  assert.match(
    asked.stdout,
    /^Waiting for you\n(?:.*operator\.read.*\n){2}→ atrium devices approve ID/,
  );
  const approved = await runCli(["devices", "approve", phone.id.slice(0, 10), ...at]);
  assert.equal(approved.code, 0, approved.stderr);
  assert.equal(await knock(atrium, phone), true);
  assert.equal((await runCli(["devices", "reject", stranger.id, ...at])).code, 0);
  const { pending, paired } = JSON.parse((await runCli(["devices", "--json", ...at])).stdout);
  assert.deepEqual([pending, paired[0].deviceId], [[], phone.id]);
  const removed = await runCli(["devices", "remove", phone.id, ...at]);
  assert.match(removed.stdout, /is removed\.\n$/);
  assert.equal(await knock(atrium, phone), false);
});

test("[CLI-16] nodes are listed, approved, rejected and removed", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const at = ["--url", atrium.url, "--token", atrium.token];
  await using lamp = await connectNode(atrium, { displayName: "a lamp", commands: ["shine"] });
  await using _bell = await connectNode(atrium, { displayName: "a bell" });
  const listed = await runCli(["nodes", ...at]);
  assert.match(
    listed.stdout,
    /^Waiting for you\n[^]*a lamp[^]*shine[^]*→ atrium nodes approve ID\n$/,
  );
  const { pending } = await peer.ask("node.pair.list", {});
  const idOf = (name: string): string =>
    pending.find((each: { displayName: string }) => each.displayName === name).requestId;
  const approved = await runCli(["nodes", "approve", idOf("a lamp").slice(0, 12), ...at]);
  assert.match(approved.stdout, /^a lamp.* is approved\.\n$/);
  const rejected = await runCli(["nodes", "reject", idOf("a bell"), ...at]);
  assert.match(rejected.stdout, /^a bell.* is rejected\.\n$/);
  const there = await runCli(["nodes", ...at]);
  assert.match(there.stdout, /^Paired\n {2}\S{12} {2}a lamp.* connected\n$/);
  const nobody = await runCli(["nodes", "approve", "nobody", ...at]);
  assert.equal(nobody.code, 1);
  assert.match(nobody.stderr, /No such node has the id nobody[^]*atrium nodes\n$/);
  assert.equal((await runCli(["nodes", "remove", lamp.nodeId.slice(0, 8), ...at])).code, 0);
  assert.deepEqual((await peer.ask("node.pair.list", {})).paired, []);
});
