import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "@atrium/core";
import { createTestTime } from "@atrium/core/testing";
import type { LiveListener } from "../../../runs/live-runs.ts";
import { channelSet } from "../messages/channel-set.ts";
import { epochTag, originOf, snapshotId } from "../messages/snapshot-id.ts";
import type { EncodedMessage, WorldEntry } from "../translate/translate.ts";
import { createWorldEgress } from "./egress.ts";
import { ReplayRing } from "./replay-ring.ts";
import { resumeFrom, type Cursor, type ReplayWindow } from "./resume.ts";

const standing: ReplayWindow = {
  sceneId: "cozy_office_v0",
  epoch: "e1",
  seq: 500,
  start: 100,
  isPastLost: false,
  isReplayed: true,
};

const snapOf = (epoch: string, seq: number): string =>
  snapshotId({ tag: epochTag(epoch), seq }, 1_739_500_020_000);
const seen = snapOf("e1", 400);

test("[WORLD-19] every cursor has one disposition, with the protocol's reason", () => {
  const reasons: readonly (readonly [Cursor, string])[] = [
    [{ last_seq: 500, last_snapshot_id: seen }, "CURSOR_OK"],
    [{ last_seq: 100, epoch: "e1", scene_id: "cozy_office_v0" }, "CURSOR_OK"],
    [{ last_seq: 99, last_snapshot_id: seen }, "CURSOR_STALE"],
    [{ last_seq: 501, last_snapshot_id: seen }, "CURSOR_UNKNOWN"],
    [{ last_seq: 1e300, last_snapshot_id: seen }, "CURSOR_UNKNOWN"],
    [{ last_seq: 400, last_snapshot_id: seen, scene_id: "moon_base" }, "CURSOR_UNKNOWN"],
    [{ last_seq: 400, epoch: "e0" }, "SERVER_RESTARTED"],
  ];
  for (const [cursor, reason] of reasons) {
    const disposition = resumeFrom(cursor, standing);
    assert.equal(disposition.reason, reason);
    assert.equal(disposition.status, reason === "CURSOR_OK" ? "resumed" : "snapshot_required");
    assert.equal(
      disposition.replay_from_seq,
      reason === "CURSOR_OK" ? cursor.last_seq + 1 : undefined,
    );
  }
  const lost = { ...standing, isPastLost: true };
  assert.equal(
    resumeFrom({ last_seq: 99, last_snapshot_id: seen }, lost).reason,
    "REPLAY_UNAVAILABLE",
  );
});

test("[WORLD-19] the snapshot a client saw last says which log its cursor is of", () => {
  const reasons: readonly (readonly [string | undefined, string])[] = [
    [seen, "CURSOR_OK"],
    [snapOf("e0", 400), "SERVER_RESTARTED"],
    // Of this log, but from beyond its end: an older copy of it was put back.
    [snapOf("e1", 501), "CURSOR_UNKNOWN"],
    [undefined, "CURSOR_UNKNOWN"],
    ["snap_888", "CURSOR_UNKNOWN"],
    ["snap_400_1739500020000", "CURSOR_UNKNOWN"],
    ["", "CURSOR_UNKNOWN"],
    ["__proto__", "CURSOR_UNKNOWN"],
    [`${seen}\u0000`, "CURSOR_UNKNOWN"],
  ];
  for (const [last_snapshot_id, reason] of reasons) {
    const cursor = { last_seq: 400, scene_id: "cozy_office_v0" };
    const given = last_snapshot_id === undefined ? cursor : { ...cursor, last_snapshot_id };
    assert.equal(resumeFrom(given, standing).reason, reason);
  }
  // A page of the version before names its epoch beside an id that does not.
  const older = { last_seq: 400, last_snapshot_id: "snap_400_1739500020000", epoch: "e1" };
  assert.equal(resumeFrom(older, standing).reason, "CURSOR_OK");
  assert.equal(
    resumeFrom({ ...older, last_snapshot_id: snapOf("e0", 1) }, standing).reason,
    "SERVER_RESTARTED",
  );
  assert.match(seen, /^[a-z]+_[A-Za-z0-9][A-Za-z0-9_-]*$/);
  assert.deepEqual(originOf(seen), { tag: epochTag("e1"), seq: 400 });
});

test("[WORLD-19] where nothing is kept to be replayed, every cursor is unsupported", () => {
  const off = { ...standing, isReplayed: false };
  for (const last_seq of [0, 400, 500, 501]) {
    assert.deepEqual(resumeFrom({ last_seq, last_snapshot_id: seen }, off), {
      status: "unsupported",
      reason: "REPLAY_UNAVAILABLE",
    });
  }
});

test("[WORLD-19] a past that cannot be read is REPLAY_UNAVAILABLE, and reported; what came since is replayed", async () => {
  const faults: string[] = [];
  const egress = createWorldEgress({
    ...createTestTime(0),
    log: {
      epoch: "e1",
      head: 50,
      // oxlint-disable-next-line require-yield -- the disk fails before the first
      async *read() {
        throw new Fault("the disk is gone");
      },
    },
    sceneId: "cozy_office_v0",
    translate,
    crew: [],
    projects: { ofRun: () => undefined, ofTask: () => undefined },
    look: () => ({}) as never,
    isAnythingMoving: () => false,
    live: { onEvent: () => undefined },
    liveChecks: { onOutput: () => undefined },
    openAudience: () => assert.fail("nobody subscribes"),
    nextNumber: () => "n",
    limits: { worldSnapshotHz: 4, worldReplayEntries: 100 },
    report: ({ message }) => void faults.push(message),
  });
  await egress.recover();
  egress.onBatch([entry(51), entry(52)]);
  const reasonAt = (last_seq: number): string =>
    egress.resumeFrom({ last_seq, epoch: "e1" }).reason;
  assert.deepEqual([reasonAt(49), reasonAt(50)], ["REPLAY_UNAVAILABLE", "CURSOR_OK"]);
  assert.deepEqual(faults, ["the world's past could not be read"]);
});

const entry = (seq: number): WorldEntry => ({ seq, stream: "s", type: "t", at: 1, data: {} });
/** Every third entry is nothing to tell; the others take turns between two channels. */
const translate = ({ seq }: WorldEntry): EncodedMessage | undefined =>
  seq % 3 === 0 ? undefined : { seq, channel: seq % 2 === 0 ? "events" : "goals", text: `${seq}` };

test("[WORLD-19] the ring serves what it says it can, over the past and the present, and lets go of the oldest", () => {
  const ring = new ReplayRing(translate, () => 40, 50);
  ring.addPast(
    20,
    Array.from({ length: 30 }, (_, n) => entry(21 + n)),
  );
  assert.deepEqual([ring.start, ring.seq], [20, 50]);
  for (let seq = 51; seq <= 200; seq++) {
    const told = ring.add([entry(seq)]);
    assert.equal(told.length, seq % 3 === 0 ? 0 : 1);
    assert.equal(ring.start, Math.max(20, seq - 40));
    for (const from of [ring.start, seq - 7, seq]) {
      const expected = Array.from({ length: seq - from }, (_, n) => from + 1 + n)
        .filter((each) => each % 3 !== 0 && each % 2 === 0)
        .map(String);
      assert.deepEqual(ring.since(from, channelSet({ events: true })), expected);
    }
  }
  assert.equal(ring.since(190, channelSet({})).length, 0);
});

test("[WORLD-24] a tool call is sent behind the words that were said before it", () => {
  const sent: string[] = [];
  const hear: LiveListener[] = [];
  const egress = createWorldEgress({
    ...createTestTime(0),
    log: { epoch: "e1", head: 50, read: () => assert.fail("nothing is read") },
    sceneId: "cozy_office_v0",
    translate: ({ seq, type }) => ({ seq, channel: "events", text: type }),
    crew: [{ id: "agent_a", handle: "a", name: "A", role: "writer" }],
    projects: { ofRun: () => undefined, ofTask: () => undefined },
    look: () => ({}) as never,
    isAnythingMoving: () => false,
    live: { onEvent: (listener) => void hear.push(listener) },
    liveChecks: { onOutput: () => undefined },
    openAudience: () => ({
      size: 1,
      publish: (text) => void sent.push(text.includes('"delta":"Words"') ? "words" : text),
      publishPassing: () => undefined,
    }),
    nextNumber: () => "n",
    limits: { worldSnapshotHz: 4, worldReplayEntries: 100 },
    report: ({ message }) => assert.fail(message),
  });
  egress.subscribe({ send: () => undefined, join: () => undefined } as never, {
    channels: { events: true, agent_stream: true },
  });
  for (const listen of hear) {
    listen({ runId: "r", handle: "a" } as never, { type: "text", delta: "Words" });
  }
  assert.deepEqual(sent, []);
  const call = { runId: "r", messageId: "m", callId: "c", name: "look", input: {} };
  egress.onBatch([{ ...entry(51), type: "run.tool.called", data: call }]);
  assert.deepEqual(sent, ["words", "run.tool.called"]);
  egress.close();
});
