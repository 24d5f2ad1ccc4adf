/** A conversation that was deleted is gone: from every view, and from every file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { filesWith } from "../kit/files-with.ts";
import type { RawPeer } from "../kit/raw-peer.ts";
import { startServer, withHome, type ServerProcess } from "../kit/server-process.ts";

const MARK = "zebra-marker-7431";
const KEY = "agent:main:dashboard:secret";
const FILE = Buffer.from(`a file about ${MARK}`);

const marked = (home: string): Promise<readonly string[]> => filesWith(home, MARK);

async function converse(peer: RawPeer): Promise<void> {
  const attachment = {
    fileName: `${MARK}.txt`,
    mimeType: "text/plain",
    content: FILE.toString("base64"),
  };
  await peer.ask("sessions.create", { key: KEY, label: `about ${MARK}` });
  const done = peer.first(
    ({ event, payload }) => event === "chat" && payload.runId === "r1" && payload.state === "final",
  );
  await peer.ask("chat.send", {
    sessionKey: KEY,
    message: `Remember ${MARK}, and say it back.`,
    idempotencyKey: "r1",
    attachments: [attachment],
  });
  await done;
  await peer.ask("chat.inject", { sessionKey: KEY, message: `note ${MARK}`, label: MARK });
}

/** Everything that anyone is told of the past, as one text. */
async function everything(
  { url, token }: ServerProcess,
  peer: RawPeer,
  buildId: string,
): Promise<string> {
  const asked = await Promise.all([
    peer.request("chat.history", { sessionKey: KEY }),
    peer.request("sessions.list", {
      includeLastMessage: true,
      includeDerivedTitles: true,
      archived: "all",
    }),
    peer.request("sessions.get", { key: KEY }),
    peer.request("sessions.describe", { key: KEY, includeLastMessage: true }),
    peer.request("audit.list", {}),
    peer.request("agent.wait", { runId: "r1", timeoutMs: 1 }),
    peer.request("exec.approval.list", {}),
    peer.request("question.list", {}),
    peer.request("logs.tail", {}),
    peer.request("build.list", {}),
    peer.request("build.get", { id: buildId }),
    peer.request("build.events", { id: buildId }),
    peer.request("build.diagnosis", { id: buildId }),
  ]);
  const paths = [
    `/sessions/${encodeURIComponent(KEY)}/history`,
    "/api/world/events?before=100000&limit=300&chat=1",
    "/api/world/at?seq=10&ahead=1000",
    "/api/office",
    "/api/signals?before=100000",
    `/api/builds/${buildId}`,
    `/api/builds/${buildId}/files`,
  ];
  const texts = await Promise.all(
    paths.map(async (path) => {
      const headers = { authorization: `Bearer ${token}` };
      return `${path} ${await (await fetch(new URL(path, url), { headers })).text()}`;
    }),
  );
  return JSON.stringify([...asked, ...texts]);
}

async function build(peer: RawPeer): Promise<{ readonly id: string; readonly key: string }> {
  const started = await peer.ask("build.start", { prompt: `Build a page about ${MARK}` });
  await setTimeout(300);
  return { id: started.id, key: started.session_key };
}

test("[GW-413] [CORE-401] a deleted conversation can be read nowhere, now and after a restart, and is in no file", async () => {
  await withHome(async (home) => {
    let buildId = "";
    {
      await using server = await startServer(home);
      await using peer = await server.connect();
      await converse(peer);
      const { id, key } = await build(peer);
      buildId = id;
      assert.ok((await everything(server, peer, id)).includes(MARK));
      assert.ok((await marked(home)).length >= 2, "in the log, and in a file of its own");
      const used = (await peer.ask("usage.cost", {})) as unknown;
      for (const each of [KEY, key]) {
        assert.equal((await peer.ask("sessions.delete", { key: each })).deleted, true, each);
      }
      const told = await everything(server, peer, id);
      assert.ok(
        !told.includes(MARK),
        told.slice(Math.max(0, told.indexOf(MARK) - 300)).slice(0, 600),
      );
      assert.deepEqual(await marked(home), [], "while it is open");
      assert.ok(used !== null);
      await peer.ask("sessions.create", { key: KEY });
      assert.deepEqual((await peer.ask("chat.history", { sessionKey: KEY })).messages, []);
    }
    assert.deepEqual(await marked(home), [], "once it is closed");
    await using server = await startServer(home);
    await using peer = await server.connect();
    assert.ok(!(await everything(server, peer, buildId)).includes(MARK));
    assert.deepEqual(await marked(home), []);
  });
});

test("[GW-413] with deleteTranscript false the words stay in the log, and no list shows the conversation", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    await using peer = await server.connect();
    await converse(peer);
    const deleted = await peer.ask("sessions.delete", { key: KEY, deleteTranscript: false });
    assert.equal(deleted.deleted, true);
    assert.ok((await marked(home)).length > 0);
    const { sessions } = await peer.ask("sessions.list", { archived: "all" });
    assert.ok(!JSON.stringify(sessions).includes(KEY));
    assert.deepEqual((await peer.ask("chat.history", { sessionKey: KEY })).messages, []);
  });
});

test("[CORE-401] a server that is killed while it erases goes on with it when it starts again", async () => {
  for (const delayMs of [0, 2, 5, 10, 20]) {
    await withHome(async (home) => {
      const server = await startServer(home);
      const peer = await server.connect();
      await converse(peer);
      // Whether it is answered is not the point.
      peer.request("sessions.delete", { key: KEY }).catch(() => undefined);
      await setTimeout(delayMs);
      await server.end("SIGKILL");
      await using again = await startServer(home);
      await using operator = await again.connect();
      const { sessions } = await operator.ask("sessions.list", { archived: "all" });
      const wasDeleted = !JSON.stringify(sessions).includes(KEY);
      if (wasDeleted) assert.deepEqual(await marked(home), [], `after ${delayMs} ms, at the start`);
      await operator.ask("sessions.delete", { key: KEY });
      assert.deepEqual(await marked(home), [], `killed after ${delayMs} ms`);
    });
  }
});
