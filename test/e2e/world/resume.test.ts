/** Coming back: what was missed, how things stand, and on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { withHome } from "../../kit/server-process.ts";
import {
  enterWorld,
  openWorldPeer,
  SCENE,
  type WorldMessage,
  type WorldPeer,
} from "../../kit/world-peer.ts";

const isTold = ({ type }: WorldMessage): boolean =>
  type === "event" || type === "agent_goal" || type === "chat";

/** The protocol's own cursor: it knows nothing of epochs. */
const cursorOf = (peer: WorldPeer, last_seq: number): object => ({
  last_seq,
  last_snapshot_id: peer.told("snapshot").at(-1)?.id,
  scene_id: SCENE,
});

async function returning(atrium: TestAtrium, resume: object): Promise<[WorldPeer, WorldMessage]> {
  const peer = await openWorldPeer(atrium.wsUrl, atrium.token);
  const hello = await peer.hello({ resume });
  await peer.subscribe();
  return [peer, hello];
}

test("[WORLD-18] hello_ack, what was missed in order, the snapshot, then what happens; over every channel", async () => {
  await using atrium = await openTestAtrium();
  await using all = await enterWorld(atrium);
  await all.ask("submit_request", { text: "A page" });
  const submitted = await all.event("request_submitted");
  await all.event("kickoff_finished");
  await all.first(({ type }) => type === "chat");
  const last_seq = submitted.payload.seq as number;
  const [peer, hello] = await returning(atrium, cursorOf(all, last_seq));
  await using _peer = peer;
  assert.deepEqual(hello.payload.resume, {
    status: "resumed",
    reason: "CURSOR_OK",
    replay_from_seq: last_seq + 1,
  });
  const missed = all.messages.filter((each) => isTold(each) && each.payload.seq > last_seq);
  const types = peer.messages.map(({ type }) => type);
  assert.deepEqual([types[0], types.at(-1)], ["hello_ack", "snapshot"]);
  assert.deepEqual(peer.messages.slice(1, -1), missed);
  assert.ok(["event", "agent_goal", "chat"].every((type) => types.includes(type)));
  const next = peer.next(isTold);
  await all.ask("auto_assign", { project_id: submitted.payload.project_id });
  assert.ok((await next).payload.seq > missed.at(-1)?.payload.seq);
});

test("[WORLD-18] of what was missed, a client gets the channels it subscribes to", async () => {
  await using atrium = await openTestAtrium();
  await using all = await enterWorld(atrium);
  await all.ask("submit_request", { text: "A page" });
  await all.event("kickoff_finished");
  await using peer = await openWorldPeer(atrium.wsUrl, atrium.token);
  await peer.hello({ resume: cursorOf(all, 0) });
  await peer.subscribe({ goals: true });
  assert.ok(peer.told("agent_goal").length > 0);
  assert.equal(peer.told("event").length, 0);
});

test("[WORLD-19] what cannot be gone on from gets the reason, an event that says so, and the snapshot", async () => {
  await using atrium = await openTestAtrium({ limits: { worldReplayEntries: 5 } });
  await using all = await enterWorld(atrium);
  await all.ask("submit_request", { text: "A page" });
  await all.event("kickoff_finished");
  const known = cursorOf(all, 0);
  const cursors = [
    [{ ...known, last_seq: 1 }, "CURSOR_STALE"],
    [{ ...known, last_seq: 999_999 }, "CURSOR_UNKNOWN"],
    [{ ...known, last_seq: 20, scene_id: "moon_base" }, "CURSOR_UNKNOWN"],
    [{ last_seq: 20 }, "CURSOR_UNKNOWN"],
    [{ last_seq: 20, last_snapshot_id: "snap_888" }, "CURSOR_UNKNOWN"],
    [{ last_seq: 20, epoch: "another" }, "SERVER_RESTARTED"],
  ] as const;
  for (const [cursor, reason] of cursors) {
    const [peer, hello] = await returning(atrium, cursor);
    await using _peer = peer;
    assert.deepEqual(hello.payload.resume, { status: "snapshot_required", reason });
    const [, event, snapshot] = peer.messages;
    assert.deepEqual(event?.payload, {
      name: "resync_fallback_snapshot",
      project_id: "proj_boot",
      reason,
      last_seq: cursor.last_seq,
    });
    assert.equal(snapshot?.type, "snapshot");
  }
});

test("[WORLD-19] a server that keeps nothing to replay says so, and goes on as with a new client", async () => {
  await using atrium = await openTestAtrium({ limits: { worldReplayEntries: 0 } });
  await using all = await enterWorld(atrium);
  await all.ask("submit_request", { text: "A page" });
  await all.event("kickoff_finished");
  const [peer, hello] = await returning(
    atrium,
    cursorOf(all, all.messages[0]?.payload.seq as number),
  );
  await using _peer = peer;
  assert.deepEqual(hello.payload.resume, { status: "unsupported", reason: "REPLAY_UNAVAILABLE" });
  assert.deepEqual(
    peer.messages.map(({ type }) => type),
    ["hello_ack", "snapshot"],
  );
});

test("[WORLD-19] a home that was replaced by another is SERVER_RESTARTED, however far its log has come", async () => {
  await using before = await openTestAtrium();
  await using peer = await enterWorld(before);
  const cursor = cursorOf(peer, 2);
  await using other = await openTestAtrium();
  await using all = await enterWorld(other);
  await all.ask("submit_request", { text: "Nothing that the other saw" });
  await all.event("kickoff_finished");
  const [back, hello] = await returning(other, cursor);
  await using _back = back;
  assert.deepEqual(hello.payload.resume, {
    status: "snapshot_required",
    reason: "SERVER_RESTARTED",
  });
  assert.deepEqual(
    back.told("event").map(({ payload }) => [payload.name, payload.reason, payload.last_seq]),
    [["resync_fallback_snapshot", "SERVER_RESTARTED", 2]],
  );
});

test("[WORLD-18] coming back works over a restart of the server; a log in memory is SERVER_RESTARTED", async () => {
  for (const log of ["sqlite", "memory"]) {
    await withHome(async (home) => {
      const args = ["--log", log];
      let cursor = {};
      let last_seq = 0;
      let after: readonly string[] = [];
      {
        await using before = await openTestAtrium({ home, args });
        await using peer = await enterWorld(before);
        await peer.ask("submit_request", { text: "A page" });
        const { payload } = await peer.event("request_accepted");
        await peer.event("kickoff_finished");
        last_seq = payload.seq as number;
        cursor = cursorOf(peer, last_seq);
        after = peer.messages
          .filter((each) => isTold(each) && each.payload.seq > last_seq)
          .map(({ id }) => id);
      }
      await using atrium = await openTestAtrium({ home, args });
      const [peer, hello] = await returning(atrium, cursor);
      await using _peer = peer;
      const reason = log === "sqlite" ? "CURSOR_OK" : "SERVER_RESTARTED";
      assert.equal(hello.payload.resume.reason, reason);
      if (log === "memory") return;
      const replayed = peer.messages.filter(isTold).map(({ id }) => id);
      assert.deepEqual(replayed.slice(0, after.length), after);
      const snapshot = peer.messages.find(({ type }) => type === "snapshot");
      assert.equal(snapshot?.payload.projects[0].title.length > 0, true);
    });
  }
});

test("[WORLD-7] a command whose answer was lost with the server is answered, and happens once", async () => {
  await withHome(async (home) => {
    const args = ["--log", "sqlite"];
    const request = { text: "Once, over a restart" };
    {
      await using before = await openTestAtrium({ home, args });
      await using peer = await enterWorld(before);
      await peer.command("submit_request", request, "cmd_001");
    }
    await using atrium = await openTestAtrium({ home, args });
    await using peer = await enterWorld(atrium);
    const again = await peer.command("submit_request", request, "cmd_001");
    assert.equal(again.type, "ack");
    const [first] = peer.told("snapshot");
    const titles = first?.payload.projects.map(
      ({ project_id }: { project_id: string }) => project_id,
    );
    assert.equal(titles.length, 1);
  });
});
