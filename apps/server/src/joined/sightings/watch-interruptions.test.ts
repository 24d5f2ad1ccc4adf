/** A joined Claude Code beside the file that it keeps of itself, with a clock that is turned by hand. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import {
  createDispatch,
  createJoinedSessions,
  joinedSession,
  openProjections,
  type JoinedSessionCommand,
  type SessionActivity,
} from "@atrium/core";
import { createTestTime } from "@atrium/core/testing";
import { openMemoryLog } from "@atrium/log";
import { LiveSessions } from "../live-sessions.ts";
import { createReadStatus, type ReadStatus } from "./registry-file.ts";
import { readRecording } from "./testing/recordings.ts";
import { watchInterruptions } from "./watch-interruptions.ts";

const PROCESS = "30033:290563";
const LOOK_MS = 2_000;

async function openStage(program = "claude-code", process: string | null = PROCESS) {
  const root = mkdtempSync(join(tmpdir(), "atrium-claude-"));
  mkdirSync(join(root, "sessions"));
  const log = openMemoryLog();
  const time = createTestTime();
  const sessions = createJoinedSessions();
  const projections = await openProjections(log, [sessions]);
  const dispatch = createDispatch({ log, clock: time.clock, settled: projections.settled });
  const live = new LiveSessions(time.clock);
  const onFault = (cause: unknown): void => assert.fail(String(cause));
  const read = createReadStatus(root);
  let looks = 0;
  const counted: ReadStatus = (of) => {
    looks += 1;
    return read(of);
  };
  const statuses = new Map([["claude-code", counted]]);
  const watch = watchInterruptions({
    dispatch,
    sessions,
    live,
    statuses,
    timers: time.timers,
    onFault,
  });
  const tell = (command: JoinedSessionCommand) => dispatch(joinedSession, "s1", command);
  const details = {
    program,
    process,
    model: null,
    owner: null,
    folder: null,
    branch: null,
    canAsk: true,
  };
  await tell({ type: "join", details });
  return {
    get looks() {
      return looks;
    },
    doing: () => live.get("s1")?.doing,
    activity: () => sessions.get("s1")?.activity,
    /** As its list of sessions has it. */
    notes(fields: object): void {
      const file = { ...JSON.parse(readRecording("claude-registry.json")), ...fields };
      writeFileSync(join(root, "sessions", "30033.json"), JSON.stringify(file));
    },
    /** A hook was called. */
    async hears(activity: SessionActivity, doing: string | null = null): Promise<void> {
      await tell({ type: "change-activity", activity });
      live.hear("s1", doing);
    },
    async look(times = 1): Promise<void> {
      for (; times > 0; times--) {
        time.advance(LOOK_MS);
        while (time.pending === 0) await setImmediate();
      }
    },
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      await projections.close();
      rmSync(root, { recursive: true });
    },
  };
}

test("[SIGHT-16] a turn that was cancelled in the terminal is over within a few seconds", async () => {
  await using stage = await openStage();
  stage.notes({ status: "busy" });
  await stage.hears("working", "Bash: sleep 600");
  await stage.look(5);
  assert.equal(stage.activity(), "working");
  stage.notes({ status: "idle" });
  await stage.look(2);
  assert.equal(stage.activity(), "idle");
  assert.equal(stage.doing(), null);
  await stage.hears("working");
  stage.notes({ status: "busy" });
  await stage.look(3);
  assert.equal(stage.activity(), "working");
});

test("[SIGHT-16] a turn that has just begun is not over because the file is late", async () => {
  await using stage = await openStage();
  stage.notes({ status: "idle" });
  await stage.hears("working");
  await stage.look();
  // It goes on to be heard of.
  await stage.hears("working", "Bash: date");
  await stage.look();
  assert.equal(stage.activity(), "working");
  stage.notes({ status: "busy" });
  await stage.look(3);
  assert.equal(stage.activity(), "working");
});

test("[SIGHT-16] the file is looked at only while the session is shown working", async () => {
  await using stage = await openStage();
  stage.notes({ status: "idle" });
  await stage.look(3);
  await stage.hears("waiting");
  await stage.look(3);
  assert.equal(stage.activity(), "waiting");
  assert.equal(stage.looks, 0);
  await stage.hears("working");
  await stage.look(1);
  assert.equal(stage.looks, 1);
});

test("[SIGHT-16] without the file, or with another's, nothing changes", async () => {
  await using stage = await openStage();
  await stage.hears("working");
  await stage.look(3);
  for (const fields of [
    { status: "idle", procStart: "1" },
    { status: "idle", pid: 1 },
    { status: "resting" },
    { status: 7 },
    { status: "waiting" },
  ]) {
    stage.notes(fields);
    await stage.look(3);
    assert.equal(stage.activity(), "working", JSON.stringify(fields));
  }
  await using other = await openStage("codex");
  await using unknown = await openStage("claude-code", null);
  for (const each of [other, unknown]) {
    each.notes({ status: "idle" });
    await each.hears("working");
    await each.look(3);
    assert.equal(each.activity(), "working");
    assert.equal(each.looks, 0);
  }
});
