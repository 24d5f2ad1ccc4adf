/** The files of a build at any moment, put back and taken further: the same as a task's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { get, openModelShop, post } from "../../kit/moments.ts";
import type { Shop } from "../../kit/workshop.ts";

const skip = skipWithout("git");

const line = (type: string, payload: object): string =>
  `${JSON.stringify({ type, payload: { ...payload, source: "agent" } })}\n`;
const QUESTION = line("question.requested", {
  question_id: "size",
  prompt: "Which size?",
  input: "text",
  required: true,
});

async function untilWaiting(shop: Shop, id: string): Promise<void> {
  const events = await fetch(new URL(`/api/builds/${id}/events`, shop.atrium.url), {
    headers: { authorization: `Bearer ${shop.atrium.token}` },
  });
  let told = "";
  for await (const chunk of events.body ?? []) {
    told += Buffer.from(chunk).toString("utf8");
    if (told.includes("question.requested")) return;
  }
  assert.fail(told);
}

test(
  "[FILES-4] [FILES-5] [FILES-7] a build's files are read at any moment, put back, and the start of another build",
  { skip },
  async () => {
    await using model = await openModelServer(({ body: { messages } }) => {
      const results = messages.filter(({ role }: { role: string }) => role === "tool").length;
      if (results >= 2) return { type: "answer", chunks: [QUESTION] };
      const isFork = JSON.stringify(messages).includes("In red.");
      const path = isFork ? `red${results}.txt` : `made${results}.txt`;
      return { type: "answer", toolCalls: [{ name: "write", input: { path, content: "made\n" } }] };
    });
    await using shop = await openModelShop(model);
    const started = await post(shop, "/api/builds", { prompt: "Build it", agent: "agent_eng_1" });
    const { id } = started.json;
    await untilWaiting(shop, id);
    assert.deepEqual((await get(shop, `/api/builds/${id}/files`)).json, { files: [] });
    const names = async (of: string, seq?: number): Promise<readonly string[]> => {
      const at = seq === undefined ? "path=" : `seq=${seq}`;
      const { json, text } = await get(shop, `/api/builds/${of}/files?${at}`);
      assert.ok(json.entries, text);
      return json.entries.map(({ name }: { name: string }) => name);
    };
    assert.deepEqual(await names(id), ["made0.txt", "made1.txt"]);
    const { json: newest } = await get(shop, `/api/builds/${id}/files?path=`);
    const earlier = newest.seq - 1;
    assert.deepEqual(await names(id, earlier), ["made0.txt"]);
    assert.equal((await get(shop, `/api/builds/${id}/file?path=made1.txt`)).text, "made\n");
    const { json: diff } = await get(shop, `/api/builds/${id}/diff?from=${earlier}`);
    assert.deepEqual(
      diff.files.map(({ path, how }: Record<string, string>) => `${how} ${path}`),
      ["added made1.txt"],
    );

    await using peer = await shop.atrium.connect();
    const restore = () => peer.request("workspace.restore", { workspace: id, seq: earlier });
    let restored = await restore();
    // The turn that asked may be about to end.
    while (restored.ok !== true && /Somebody works/.test(JSON.stringify(restored.error))) {
      await setTimeout(20);
      restored = await restore();
    }
    assert.equal(restored.payload?.workspace, id, JSON.stringify(restored.error));
    assert.deepEqual(await names(id), ["made0.txt"]);

    const key = { "idempotency-key": "fork-1" };
    const wish = { seq: newest.seq, instructions: "In red." };
    const fork = () => post(shop, `/api/workspaces/${id}/fork`, wish, key);
    const forked = await fork();
    assert.equal(forked.status, 201, forked.text);
    const forkId = forked.json.workspace;
    assert.notEqual(forkId, id);
    await untilWaiting(shop, forkId);
    assert.deepEqual((await fork()).json, forked.json);
    assert.deepEqual(await names(forkId), ["made0.txt", "made1.txt", "red0.txt", "red1.txt"]);
    assert.deepEqual(await names(id), ["made0.txt"]);
    const asked = model.requests.find(({ body }) => JSON.stringify(body).includes("In red."));
    const talk = JSON.stringify(asked?.body.messages);
    assert.equal(talk.split("Build it").length - 1, 2, "as it was asked then, and now");
    const opened = (await shop.entries()).find(
      ({ stream, type }) => stream === `workspace/${forkId}` && type === "workspace.opened",
    );
    assert.ok(opened);
    assert.equal((opened.data as { repositoryId: string }).repositoryId, `own-${id}`);
    assert.deepEqual(shop.atrium.faults, []);
  },
);
