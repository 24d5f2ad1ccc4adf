import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse } from "../engine/refusal.ts";
import type { Answerer } from "../people/answerer.ts";
import { findEventProblem } from "../stored-events/event-problem.ts";
import { given } from "../testing/index.ts";
import { workspace, type WorkspaceCommand, type WorkspaceEvent } from "./workspace.ts";

const ann: Answerer = { id: "device-a", name: "Ann", via: "gateway" };
const opening = {
  workspaceId: "w1",
  repositoryId: "shop",
  purpose: { type: "task", projectId: "p1", taskId: "t1" },
  forkedFrom: null,
} as const;
const start = { base: "c0", tree: "t0", ms: 12 } as const;
const moment = { tree: "t1", cause: "turn", runId: "r1" } as const;
const restored = { tree: "t0", fromSeq: 7, by: ann } as const;

const sealed = { commit: "c1", tree: "t1", base: "c0", runId: "r1", by: null } as const;
const rebased = { base: "c2", tree: "t2", paths: ["a.ts"] } as const;
const check = {
  checkId: "k1",
  name: "test",
  command: "npm test",
  isRequired: true,
  checkedTree: "t1",
} as const;
const checkStart = { ...check, commit: "c1" } as const;
const checkEnd = {
  ...check,
  verdict: "failed",
  exitCode: 1,
  ms: 5,
  output: { digest: "d", bytes: 9 },
} as const;

const opened: WorkspaceEvent = { type: "workspace.opened", ...opening };
const ready: WorkspaceEvent = { type: "workspace.ready", ...start };
const failed: WorkspaceEvent = { type: "workspace.failed", reason: "no disk" };
const discarded: WorkspaceEvent = { type: "workspace.discarded", by: ann };

const commands = {
  open: { type: "open", ...opening },
  start: { type: "start", ...start },
  fail: { type: "fail", reason: "no disk" },
  record: { type: "record", ...moment },
  restore: { type: "restore", ...restored },
  discard: { type: "discard", by: ann },
} as const satisfies Partial<Record<WorkspaceCommand["type"], WorkspaceCommand>>;

test("[CORE-50] a workspace is sealed and rebased while it is ready; what it handed over is checked whatever becomes of it", () => {
  const tied = [
    [
      { type: "seal", ...sealed },
      { type: "workspace.sealed", ...sealed },
    ],
    [
      { type: "rebase", ...rebased },
      { type: "workspace.rebased", ...rebased },
    ],
  ] as const;
  for (const [command, event] of tied) {
    assert.deepEqual(given(workspace, opened, ready).when(command), accept([event]));
    assert.deepEqual(given(workspace).when(command), refuse("workspace.missing"));
    assert.deepEqual(
      given(workspace, opened, ready, discarded).when(command),
      refuse("workspace.status", "it is discarded"),
    );
  }
  const free = [
    [
      { type: "start-check", ...checkStart },
      { type: "workspace.check_started", ...checkStart },
    ],
    [
      { type: "finish-check", ...checkEnd },
      { type: "workspace.check_finished", ...checkEnd },
    ],
  ] as const;
  for (const [command, event] of free) {
    assert.deepEqual(given(workspace, opened, ready, discarded).when(command), accept([event]));
    assert.deepEqual(given(workspace).when(command), refuse("workspace.missing"));
  }
});

test("[CORE-39] a workspace is opened once, becomes ready or fails, and takes moments while it is ready", () => {
  const toldMoment: WorkspaceEvent = { type: "workspace.moment", ...moment };
  const toldRestored: WorkspaceEvent = { type: "workspace.restored", ...restored };
  const status = (is: string) => refuse("workspace.status", `it is ${is}`);
  const taken = refuse("workspace.taken", "w1");
  const missing = refuse("workspace.missing");
  const table = [
    [[], accept([opened]), missing, missing, missing, missing, missing],
    [
      [opened],
      taken,
      accept([ready]),
      accept([failed]),
      status("opening"),
      status("opening"),
      accept([discarded]),
    ],
    [
      [opened, ready],
      taken,
      accept([]),
      status("ready"),
      accept([toldMoment]),
      accept([toldRestored]),
      accept([discarded]),
    ],
    [
      [opened, failed],
      accept([opened]),
      status("failed"),
      accept([]),
      status("failed"),
      status("failed"),
      accept([discarded]),
    ],
    [
      [opened, ready, discarded],
      accept([opened]),
      status("discarded"),
      status("discarded"),
      status("discarded"),
      status("discarded"),
      accept([]),
    ],
  ] as const;
  for (const [events, ...outcomes] of table) {
    for (const [index, command] of Object.values(commands).entries()) {
      const about = `${command.type} after ${events.map(({ type }) => type).join(", ")}`;
      assert.deepEqual(given(workspace, ...events).when(command), outcomes[index], about);
    }
  }
});

test("[CORE-39] a workspace that failed or was discarded is opened again for the same repository only", () => {
  const other = { ...commands.open, repositoryId: "another" };
  for (const last of [failed, discarded] as const) {
    assert.deepEqual(given(workspace, opened, last).when(other), refuse("workspace.taken", "w1"));
    const reopened = given(workspace, opened, last, opened).when(commands.start);
    assert.deepEqual(reopened, accept([ready]));
  }
});

test("[CORE-39] events of a workspace are read back as they were written, and damage is found", () => {
  const all: readonly WorkspaceEvent[] = [
    opened,
    ready,
    failed,
    { type: "workspace.moment", ...moment },
    { type: "workspace.sealed", ...sealed },
    { type: "workspace.rebased", ...rebased },
    { type: "workspace.check_started", ...checkStart },
    { type: "workspace.check_finished", ...checkEnd },
    discarded,
  ];
  for (const [seq, event] of all.entries()) {
    const { type } = event;
    const entry = { seq, stream: "workspace/w1", type, at: 1, data: workspace.write(event) };
    assert.equal(findEventProblem(entry), undefined);
    assert.deepEqual(workspace.read(entry), event);
    assert.notEqual(findEventProblem({ ...entry, data: { tree: 1, reason: 1, by: 1 } }), undefined);
  }
});
