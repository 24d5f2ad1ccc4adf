/** What opens a door is not said by an agent that has come by it. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openBridgedStage } from "../../kit/bridge-program.ts";
import { signIn } from "../../kit/browser.ts";
import { createTestDevice } from "../../kit/device.ts";
import type { Connected } from "../../kit/raw-peer.ts";

const SCOPES = ["operator.pairing", "operator.read", "operator.write"];

async function says(peer: Connected, words: string, runId: string): Promise<string> {
  const ended = peer.next(({ payload }) => payload?.runId === runId && payload.state === "final");
  const message = `[[say: it is ${words}.]]`;
  await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: runId });
  return (await ended).payload?.message.content[0].text;
}

test("[AGENT-13] the token of a device, also the one after it was rotated, and both halves of a browser's login are masked", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const device = createTestDevice();
  const connect = (token: string): Promise<Connected> =>
    atrium.connect({
      auth: { token },
      scopes: SCOPES,
      device: (challenge) => device.prove(challenge, { token, scopes: SCOPES }),
    });
  await using first = await connect(atrium.token);
  const own = String(first.hello.auth.deviceToken);
  assert.equal(own.length, 43);
  assert.equal(await says(peer, own, "first"), "it is [key].");
  await using again = await connect(own);
  const ask = { deviceId: device.id, role: "operator" };
  const rotated = await again.ask("device.token.rotate", ask);
  assert.notEqual(rotated.token, own);
  assert.equal(await says(peer, rotated.token, "rotated"), "it is [key].");

  const { cookie, page } = await signIn(atrium);
  assert.equal(await says(peer, page, "page"), "it is [key].");
  const [, half = ""] = cookie.split(".", 2);
  assert.ok(!(await says(peer, cookie, "cookie")).includes(half));
});

test("[AGENT-12] neither the shared token nor the secret that devices' tokens are made with is said", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  assert.equal(await says(peer, atrium.token, "token"), "it is [key].");
  const secret = (await readFile(join(atrium.home, "device-secret"), "utf8")).trim();
  assert.equal(await says(peer, secret, "secret"), "it is [key].");
});

test("[AGENT-15] a program on the bridge says and asks nothing with the server's token in it, in a run or beside one", async () => {
  await using stage = await openBridgedStage();
  const { token } = stage.atrium;
  const program = await stage.plugIn();
  await program.take("hello_ack");
  await program.reply(`between runs: ${token}`);
  const asked = stage.peer.event("exec.approval.requested");
  const args = { command: `echo ${token}` };
  program.send({ type: "permission_request", request_id: "abxyz", tool: "Bash", args });
  assert.ok(!JSON.stringify((await asked).payload).includes(token));
  await stage.send("r1", "hello");
  await program.take("inbound_message");
  await program.reply(`in a run: ${token}`);
  await stage.ended("r1");
  const lines = await stage.transcript();
  assert.ok(lines.includes("assistant: between runs: [key]"), lines.join("\n"));
  assert.ok(!lines.join("\n").includes(token));
});
