/** A conversation that was deleted is gone: from every view, and from every file. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { filesWith } from "../../kit/files-with.ts";
import { answer, connectApprovedNode, type TestNode } from "../../kit/node.ts";
import type { RawPeer } from "../../kit/raw-peer.ts";
import { startServer, withHome, type ServerProcess } from "../../kit/server-process.ts";

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

test("[GW-27] [CORE-14] a deleted conversation can be read nowhere, now and after a restart, and is in no file", async () => {
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

test("[GW-27] with deleteTranscript false the words stay in the log, and no list shows the conversation", async () => {
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

test("[CORE-14] what stopped in the middle of the erasing is taken up by the next server", async () => {
  await withHome(async (home) => {
    const digest = createHash("sha256").update(FILE).digest("hex");
    const path = join(home, "blobs", digest.slice(0, 2), digest);
    {
      await using server = await startServer(home);
      await using peer = await server.connect();
      await converse(peer);
      // A folder where the file was cannot be removed like one.
      await rm(path);
      await mkdir(path);
      assert.equal((await peer.request("sessions.delete", { key: KEY })).ok, false);
      assert.ok((await marked(home)).length > 0, "in the log, as yet");
      await server.end("SIGKILL");
    }
    await rmdir(path);
    await using again = await startServer(home);
    assert.deepEqual(await marked(home), []);
    await using operator = await again.connect();
    const { sessions } = await operator.ask("sessions.list", { archived: "all" });
    assert.ok(!JSON.stringify(sessions).includes(KEY));
  });
});

test("[CORE-14] a server that is killed while it erases goes on with it when it starts again", async () => {
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

/** One tool called over plain HTTP, under a key. */
async function invoke(
  { url, token }: { readonly url: string; readonly token: string },
  idempotencyKey: string,
  call: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(new URL("tools/invoke", url), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ ...call, idempotencyKey }),
  });
  return { status: response.status, text: await response.text() };
}

test("[GW-28] what tools gave back to programs is erased with the conversation it may quote, and a repeat says so", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    await using peer = await server.connect();
    await converse(peer);
    const args = { sessionKey: KEY };
    const calls = [
      ["history", { tool: "sessions_history", args }],
      ["list", { tool: "sessions_list", args: {} }],
      ["status", { tool: "session_status", sessionKey: KEY, args: {} }],
      ["send", { tool: "sessions_send", args: { ...args, message: `[[say: ${MARK}]]` } }],
    ] as const;
    for (const [key, call] of calls) assert.match((await invoke(server, key, call)).text, /zebra/);
    const other = { tool: "agents_list", args: {} };
    const before = await invoke(server, "agents", other);
    await peer.ask("sessions.delete", { key: KEY });
    assert.deepEqual(await marked(home), []);
    for (const [key, call] of calls) {
      const again = await invoke(server, key, call);
      assert.equal(again.status, 410, key);
      assert.match(again.text, /call\.erased/);
    }
    assert.deepEqual(await invoke(server, "agents", other), before, "it quotes no conversation");
  });
});

test("[GW-28] what a node answered for a conversation is erased with it; what was asked for none stays", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    await using peer = await server.connect();
    await using node = await connectApprovedNode(server, peer);
    const answers = answerAll(node);
    await peer.ask("sessions.create", { key: KEY });
    const message = '[[tool: node_test_node_say {"word":"hi"}]]';
    const { runId } = await peer.ask("chat.send", {
      sessionKey: KEY,
      message,
      idempotencyKey: "n1",
    });
    await peer.ask("agent.wait", { runId, timeoutMs: 30_000 });
    const call = { nodeId: node.nodeId, command: "say" };
    const theirs = { ...call, sessionKey: KEY, idempotencyKey: "n2" };
    assert.match(JSON.stringify(await peer.ask("node.invoke", theirs)), /zebra/);
    await peer.ask("sessions.delete", { key: KEY });
    assert.deepEqual(await marked(home), []);
    assert.match(JSON.stringify(await peer.request("node.invoke", theirs)), /ERASED/);
    answers.payload = { heard: "plain" };
    const nobodys = { ...call, idempotencyKey: "n3" };
    const first = await peer.ask("node.invoke", nobodys);
    await peer.ask("sessions.create", { key: KEY });
    await peer.ask("sessions.delete", { key: KEY });
    assert.deepEqual(await peer.ask("node.invoke", nobodys), first);
  });
});

/** Answers whatever it is asked, with the mark unless told otherwise. */
function answerAll(node: TestNode): { payload: unknown } {
  const said: { payload: unknown } = { payload: { heard: MARK } };
  const seen = new Set<string>();
  void (async () => {
    for (;;) {
      const { payload } = await node.first(
        ({ event, payload: asked }) => event === "node.invoke.request" && !seen.has(asked.id),
      );
      seen.add(payload.id);
      await answer(node, payload, said);
    }
  })().catch(() => undefined);
  return said;
}

test("[GW-27] an agent's main conversation is emptied by a reset that erases: not a word is left, its settings and what comes after stay", async () => {
  await withHome(async (home) => {
    const say = async (peer: RawPeer, message: string, idempotencyKey: string): Promise<void> => {
      const { runId } = await peer.ask("chat.send", {
        sessionKey: "main",
        message,
        idempotencyKey,
      });
      await peer.ask("agent.wait", { runId, timeoutMs: 30_000 });
    };
    {
      await using server = await startServer(home);
      await using peer = await server.connect();
      await peer.ask("sessions.patch", { key: "main", label: "The desk" });
      await say(peer, `[[say: ${MARK}]]`, "m1");
      await peer.ask("sessions.reset", { key: "main" });
      assert.ok((await marked(home)).length > 0, "a plain reset keeps the words in the log");
      await say(peer, `[[say: ${MARK} again]]`, "m2");
      const { entry } = await peer.ask("sessions.reset", { key: "main", deleteTranscript: true });
      assert.equal(entry.label, "The desk");
      assert.deepEqual(await marked(home), []);
      await say(peer, "[[say: Afterwards.]]", "m3");
    }
    await using server = await startServer(home);
    await using peer = await server.connect();
    assert.deepEqual(await marked(home), []);
    const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
    assert.equal(messages.length, 2);
    assert.match(JSON.stringify(messages), /Afterwards\./);
    const { session } = await peer.ask("sessions.describe", { key: "main" });
    assert.equal(session.label, "The desk");
    assert.equal((await peer.request("sessions.delete", { key: "main" })).ok, false);
  });
});
