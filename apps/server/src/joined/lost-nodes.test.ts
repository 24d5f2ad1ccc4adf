import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createDispatch,
  createJoinedSessions,
  joinedSession,
  openProjections,
  type SessionDetails,
} from "@atrium/core";
import { createTestTime } from "@atrium/core/testing";
import { openMemoryLog } from "@atrium/log";
import { watchLostNodes } from "./lost-nodes.ts";
import { createOwnSessions } from "./own-sessions.ts";

const MINUTE_MS = 60_000;
const DETAILS: SessionDetails = {
  program: "claude-code",
  model: null,
  owner: "ann",
  folder: "/home/ann/shop",
  branch: null,
  process: "42:1000",
  canAsk: true,
};

const fail = (cause: unknown): never => assert.fail(String(cause));

async function openStage(members: string[]) {
  const time = createTestTime();
  const log = openMemoryLog();
  const sessions = createJoinedSessions();
  const projections = await openProjections(log, [sessions], { report: fail });
  const { settled } = projections;
  const dispatch = createDispatch({ log, clock: time, settled });
  const lease = { isHeld: true };
  const settledAsks: string[] = [];
  const held = { settle: async (id: string) => void settledAsks.push(id) };
  const cluster = { members: () => members.map((node) => ({ node })), lease };
  const deps = { cluster, dispatch, sessions, held, clock: time, timers: time };
  const watch = watchLostNodes({ ...deps, onFault: fail });
  for (const node of ["a", "b", undefined]) {
    const details = { ...DETAILS, ...(node !== undefined && { node }) };
    await dispatch(joinedSession, `at-${node}`, { type: "join", details });
  }
  return {
    lease,
    sessions,
    settledAsks,
    here: () => sessions.list().map(({ id }) => id),
    /** What is due is done, one look after the other. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 5_000) {
        time.advance(5_000);
        for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      }
    },
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      await projections[Symbol.asyncDispose]();
      await log.close();
    },
  };
}

test("[JOIN-76] sessions of a node that does not come back leave, and what they asked is withdrawn", async () => {
  const members = ["a", "b"];
  await using stage = await openStage(members);
  members.pop();
  await stage.pass(MINUTE_MS);
  assert.deepEqual(stage.here(), ["at-a", "at-b", "at-undefined"]);
  members.push("b");
  await stage.pass(5 * MINUTE_MS);
  assert.deepEqual(stage.here(), ["at-a", "at-b", "at-undefined"], "it has come back in time");
  members.pop();
  await stage.pass(3 * MINUTE_MS);
  assert.deepEqual(stage.here(), ["at-a", "at-undefined"]);
  assert.deepEqual(stage.settledAsks, ["at-b"]);
  await stage.pass(12 * 60 * MINUTE_MS);
  assert.deepEqual(stage.here(), ["at-a"], "of the other nobody said whose it is");
});

test("[JOIN-76] only the node that directs ends sessions of a lost one", async () => {
  await using stage = await openStage(["a"]);
  stage.lease.isHeld = false;
  await stage.pass(3 * MINUTE_MS);
  assert.deepEqual(stage.here(), ["at-a", "at-b", "at-undefined"]);
  stage.lease.isHeld = true;
  await stage.pass(5_000);
  assert.deepEqual(stage.here(), ["at-a", "at-undefined"]);
});

test("[JOIN-75] a node looks after the sessions that report to it, and a single one after all", async () => {
  await using stage = await openStage(["a", "b"]);
  const own = createOwnSessions(stage.sessions, "a");
  assert.deepEqual(
    own.list().map(({ id }) => id),
    ["at-a"],
  );
  assert.deepEqual(["at-a", "at-b", "at-undefined", "x"].map(own.has), [true, false, false, false]);
  const all = createOwnSessions(stage.sessions, undefined);
  assert.equal(all.list().length, 3);
  assert.ok(all.has("at-b") && all.has("x"));
});
