import assert from "node:assert/strict";
import { test } from "node:test";
import { channelSet } from "./channel-set.ts";
import { ReplayRing } from "./replay-ring.ts";
import { resumeFrom, type Standing } from "./resume.ts";
import type { Told, WorldEntry } from "./translate.ts";

const standing: Standing = {
  sceneId: "cozy_office_v0",
  epoch: "e1",
  seq: 500,
  start: 100,
  isPastLost: false,
};

test("[WORLD-31] every cursor has one disposition, with the protocol's reason", () => {
  const reasons = [
    [{ last_seq: 500 }, "CURSOR_OK"],
    [{ last_seq: 100, epoch: "e1", scene_id: "cozy_office_v0" }, "CURSOR_OK"],
    [{ last_seq: 99 }, "CURSOR_STALE"],
    [{ last_seq: 501 }, "CURSOR_UNKNOWN"],
    [{ last_seq: 400, scene_id: "moon_base" }, "CURSOR_UNKNOWN"],
    [{ last_seq: 400, epoch: "e0" }, "SERVER_RESTARTED"],
  ] as const;
  for (const [cursor, reason] of reasons) {
    const disposition = resumeFrom(cursor, standing);
    assert.equal(disposition.reason, reason);
    assert.equal(disposition.status, reason === "CURSOR_OK" ? "resumed" : "snapshot_required");
    assert.equal(
      disposition.replay_from_seq,
      reason === "CURSOR_OK" ? cursor.last_seq + 1 : undefined,
    );
  }
  const lost = resumeFrom({ last_seq: 99 }, { ...standing, isPastLost: true });
  assert.equal(lost.reason, "REPLAY_UNAVAILABLE");
});

const entry = (seq: number): WorldEntry => ({ seq, stream: "s", type: "t", at: 1, data: {} });
/** Every third entry is nothing to tell; the others take turns between two channels. */
const translate = ({ seq }: WorldEntry): Told | undefined =>
  seq % 3 === 0 ? undefined : { seq, channel: seq % 2 === 0 ? "events" : "goals", text: `${seq}` };

test("[WORLD-31] the ring serves what it says it can, over the past and the present, and lets go of the oldest", () => {
  const ring = new ReplayRing(translate, 40, 50);
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
