/** What was always allowed, at the gateway: listed with who and from where, taken back, and never widened. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { loadPeerSchemas } from "../../kit/peer-schemas.ts";
import type { Connected } from "../../kit/raw-peer.ts";

const schemas = await loadPeerSchemas();

async function allowAlways(peer: Connected, what: string): Promise<string> {
  const requested = peer.next(({ event }) => event === "exec.approval.requested");
  const message = `[[approve: Bash ${what}]]`;
  // Each in a conversation of its own: what comes during a turn may be taken into it.
  const sessionKey = `agent:main:${what.replaceAll(/\W/g, "")}`;
  await peer.ask("chat.send", { sessionKey, message, idempotencyKey: what });
  const { id } = (await requested).payload;
  await peer.ask("exec.approval.resolve", { id, decision: "allow-always", scope: "everywhere" });
  return id;
}

test("[GW-45] rules are listed with all they cover, who gave them, by which credential and from where", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const id = await allowAlways(peer, "npm test\u202E");
  const { rules } = await peer.ask("exec.approval.rules.list", {});
  const { createdAtMs, by, ...rule } = rules[0];
  assert.deepEqual(rule, {
    id,
    scope: "everywhere",
    tool: "Bash",
    input: "npm test‹U+202E›",
    agentId: "main",
    sessionKey: "agent:main:npmtest",
    byOrigin: "token from 127.0.0.1",
  });
  assert.ok(createdAtMs > 0 && by !== "");
  await peer.ask("exec.approval.rules.revoke", { id });
  assert.deepEqual((await peer.ask("exec.approval.rules.list", {})).rules, []);
  const { error } = await peer.request("exec.approval.rules.revoke", { id: "none" });
  assert.equal(error?.details.reason, "rule.missing");
});

test("[GW-46] exec.approvals.set takes back what is left out, and adds nothing", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const [kept, gone] = [await allowAlways(peer, "npm test"), await allowAlways(peer, "npm ci")];
  const { file, hash } = await peer.ask("exec.approvals.get", {});
  const [first, second] = file.agents.main.allowlist;
  assert.deepEqual([first.id, second.id], [kept, gone]);
  const withList = (allowlist: readonly object[], more: object = {}): object => ({
    file: { ...file, agents: { main: { allowlist } }, ...more },
  });
  const refused: readonly (readonly [object, RegExp])[] = [
    [withList([first, second, { pattern: "*" }]), /exactly the request you read.*\*/],
    [withList([{ ...first, pattern: "npm *" }]), /exactly the request you read/],
    [withList([{ pattern: "npm test" }]), /exactly the request you read/],
    [withList([first], { defaults: { security: "full" } }), /defaults\.security/],
    [{ ...withList([first]), baseHash: "old" }, /permissions have changed/],
  ];
  for (const [params, says] of refused) {
    const { ok, error } = await peer.request("exec.approvals.set", params);
    assert.equal(ok, false);
    assert.match(error?.message ?? "", says);
  }
  assert.equal((await peer.ask("exec.approvals.get", {})).hash, hash);
  const after = await peer.ask("exec.approvals.set", { ...withList([first]), baseHash: hash });
  schemas.check("ExecApprovalsSnapshot", after);
  assert.deepEqual(after.file.agents.main.allowlist, [first]);
  await peer.ask("exec.approvals.set", { file: { version: 1 } });
  assert.deepEqual((await peer.ask("exec.approvals.get", {})).file.agents, {});
});
