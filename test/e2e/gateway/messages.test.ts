import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { ended, send } from "../../kit/chat-runs.ts";

test("[GW-25] files come with the first message of a conversation", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const bad = { key: "files", attachments: [{ fileName: "a.txt", content: "***" }] };
  const refused = await peer.request("sessions.create", bad);
  assert.match(refused.error?.message ?? "", /a\.txt: not base64/);
  assert.equal((await peer.ask("sessions.describe", { key: "files" })).session, null);

  const attachments = [{ fileName: "a.txt", mimeType: "text/plain", content: "QUFB" }];
  const made = await peer.ask("sessions.create", {
    key: "files",
    idempotencyKey: "c1",
    attachments,
  });
  assert.equal(made.runStarted, true);
  await ended(peer, made.runId);
  const { messages } = await peer.ask("chat.history", { sessionKey: made.key });
  const [, file] = messages[0].content;
  assert.deepEqual([file.fileName, file.mimeType, file.sizeBytes], ["a.txt", "text/plain", 3]);
});

test("a message says who sent it", async () => {
  await using atrium = await openTestAtrium();
  await using named = await atrium.connect({ client: { displayName: "Ada" } });
  await using nameless = await atrium.connect();
  await send(named, "r1", "[[say: one]]");
  await ended(named, "r1");
  await send(nameless, "r2", "[[say: two]]");
  await ended(nameless, "r2");
  const { messages } = await named.ask("chat.history", { sessionKey: "main" });
  const said = messages.filter(({ role }: { role: string }) => role === "user");
  assert.deepEqual(
    said.map(({ senderLabel }: { senderLabel?: string }) => senderLabel),
    ["Ada", undefined],
  );
});

test("[GW-25] what cannot be sent is refused with the reason, and nothing is kept", async () => {
  await using atrium = await openTestAtrium({ limits: { maxFileBytes: 10 } });
  await using peer = await atrium.connect();
  const bad: readonly (readonly [object, RegExp])[] = [
    [{ message: "  " }, /no text and no file/i],
    [{ message: "x", sessionKey: "agent:nobody:main" }, /No agent/],
    [{ message: "x", sessionKey: "a b" }, /key is invalid/],
    [{ message: "x".repeat(1_000_001) }, /at \/message/],
    [{ message: "x", sessionId: "other" }, /was reset in the meantime/],
    [{ message: "x", attachments: [{ fileName: "a", content: 5 }] }, /base64/],
    [{ message: "x", attachments: [{ fileName: "a", content: "***" }] }, /not base64/],
    [
      { message: "x", attachments: [{ fileName: "a", content: "QUFBQUFBQUFBQUFB" }] },
      /limit is 10/,
    ],
    [{ message: "x", toolBindings: {} }, /unexpected property 'toolBindings'/],
  ];
  for (const [params, why] of bad) {
    const request = { sessionKey: "main", idempotencyKey: "r1", ...params };
    const refused = await peer.request("chat.send", request);
    assert.equal(refused.ok, false, JSON.stringify(params).slice(0, 100));
    assert.match(refused.error?.message ?? "", why);
  }
  assert.equal((await peer.ask("sessions.list", {})).count, 0);
  await send(peer, "r1", "[[say: fine]]", { attachments: [{ fileName: "a", content: "QUFB" }] });
  await ended(peer, "r1");
});

test("[GW-39] an answer typed into a chat answers the permission and is no message", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await using writer = await atrium.connect({ scopes: ["operator.write"] });
  await send(peer, "r1", "[[approve: shell npm publish]] [[say: done]]");
  await peer.first(({ event }) => event === "exec.approval.requested");
  const [open] = await peer.ask("exec.approval.list", {});
  const code = open.request.code ?? open.code;
  assert.match(code, /^[a-km-z]{5}$/);
  const mine = { sessionKey: "notes", message: `yes ${code}`, idempotencyKey: "r2" };
  await writer.ask("chat.send", mine);
  await ended(writer, "r2");
  assert.equal((await peer.ask("exec.approval.list", {})).length, 1);
  const answered = await send(peer, "r3", ` Yes, ${code}. `);
  assert.deepEqual([answered.status, answered.summary], ["ok", "Allowed: shell npm publish"]);
  assert.match((await ended(peer, "r3")).payload.message.content[0].text, /Allowed/);
  assert.match((await ended(peer, "r1")).payload.message.content[0].text, /done/);
  const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
  assert.equal(messages.filter(({ role }: { role: string }) => role === "user").length, 1);
});
