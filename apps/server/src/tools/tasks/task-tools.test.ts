import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  BUILT_IN_CREW,
  NOTHING_USED,
  type Artifact,
  type Project,
  type Task,
  type WorkspaceRow,
} from "@atrium/core";
import { skipWithout } from "../../../../../scripts/system-programs.ts";
import { systemTimers } from "../../platform/timers.ts";
import { openWorkspaces } from "../../workspaces/open-workspaces.ts";
import { makeRepository, write } from "../../workspaces/testing/user-repository.ts";
import { createToolbox } from "../toolbox.ts";
import { taskTools } from "./task-tools.ts";

const skip = skipWithout("git");
const [FIRST, SECOND] = ["task_a_1", "task_a_2"];
const BASE = { "src/a.ts": "one\ntwo\n", "old.txt": "a line\nand another\nand a third\n" };

const task = (taskId: string, more: Partial<Task>): Task =>
  ({
    taskId,
    title: `Do ${taskId}`,
    status: "in_progress",
    assignee: "agent_eng_1",
    runId: `run_${taskId}`,
    note: null,
    ...more,
  }) as Task;

/** A project of two tasks, whose worktrees are real; the first has said and made something. */
async function openProject(said = "All of it is done.") {
  const root = await mkdtemp(join(tmpdir(), "atrium-tasks-"));
  const workspaces = openWorkspaces({
    root: join(root, "workshop"),
    path: process.env["PATH"] ?? "",
    timers: systemTimers,
  });
  const source = { id: "shop", path: makeRepository(join(root, "shop"), BASE) };
  assert.ok((await workspaces.openRepository(source)).ok);
  const openTree = async (workspaceId: string) => {
    const opened = await workspaces.openWorktree({ repositoryId: "shop", workspaceId, at: 1 });
    assert.ok(opened.ok);
    return opened.value;
  };
  const worktree = await openTree(SECOND);
  const sibling = await openTree(FIRST);
  write(sibling.folder, { "src/b.ts": "made\n" });
  const moment = await workspaces.recordMoment(FIRST, { label: "run_1", at: 2 });
  assert.ok(moment.ok);
  const artifact = {
    artifactId: "art_1",
    taskId: FIRST,
    name: "plan.md",
    status: "approved",
    versions: [{ version: 1, mediaType: "text/markdown", bytes: 6, digest: "plan" }],
  } as unknown as Artifact;
  const picture = {
    ...artifact,
    artifactId: "art_2",
    name: "p.png",
    versions: [{ version: 2, mediaType: "image/png", bytes: 9, digest: "gone" }],
  } as unknown as Artifact;
  const project = {
    projectId: "proj_a",
    tasks: [task(FIRST, { status: "done", note: "As wished." }), task(SECOND, {})],
    artifacts: [artifact, picture],
  } as unknown as Project;
  const row = { repositoryId: "shop", newest: { seq: 1, tree: moment.value.tree } };
  const toolbox = createToolbox(
    taskTools({
      useWorkspaces: () => Promise.resolve(workspaces),
      now: () => 3,
      projects: {
        ofRun: () => undefined,
        get: () => undefined,
        ofTask: (id: string) => {
          const found = project.tasks.find((each) => each.taskId === id);
          return found && { project, task: found };
        },
      },
      dispatch: () => assert.fail("nothing is decided here"),
      crew: BUILT_IN_CREW,
      endOf: (runId) =>
        Promise.resolve({
          type: "run.completed",
          runId,
          stopReason: "stop",
          messageId: "m",
          text: said,
          usage: NOTHING_USED,
        }),
      blobs: {
        get: (digest) =>
          digest === "plan"
            ? Promise.resolve(Buffer.from("# Plan"))
            : Promise.reject(new Error("ENOENT")),
      },
      workspaces: { get: (id) => (id === FIRST ? (row as WorkspaceRow) : undefined) },
      startOf: (id) =>
        Promise.resolve(id === FIRST ? { base: "", tree: sibling.tree, ms: 0 } : undefined),
    }),
  );
  const call = async (name: string, input: object, taskId = SECOND) => {
    const { text, isError, wrote } = await toolbox.call(name, input, {
      key: `agent:eng_1:task:${taskId}`,
      runId: "run_2",
      agentId: "agent_eng_1",
      workspace: { folder: worktree.folder, store: worktree.store },
      signal: new AbortController().signal,
    });
    assert.deepEqual(wrote, []);
    return isError ? `error: ${text}` : text;
  };
  return {
    folder: worktree.folder,
    call,
    async [Symbol.asyncDispose]() {
      await workspaces[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

test(
  "[TOOL-15] changes shows every file that differs from the base, and the patch of one",
  { skip },
  async () => {
    await using place = await openProject();
    const { call, folder } = place;
    assert.equal(await call("changes", {}), "Nothing has changed.");
    write(folder, { "src/a.ts": "one\nthree\n", "a\nb": "x\n", ".env": "KEY=1\n", bin: "\0\0" });
    write(folder, { "new.txt": BASE["old.txt"] });
    await rm(join(folder, "old.txt"));
    assert.deepEqual((await call("changes", {})).split("\n"), [
      "4 files changed, +2 −1 lines:",
      String.raw`added "a\nb" (+1 −0)`,
      "added bin (not text)",
      "renamed old.txt → new.txt (+0 −0)",
      "changed src/a.ts (+1 −1)",
      ".env looks like a secret and is not handed over.",
    ]);
    assert.match(await call("changes", { path: "./src/a.ts" }), /\n one\n-two\n\+three\n$/);
    for (const path of ["src/none.ts", "../shop/src/a.ts", ":(glob)**", "/etc/passwd", ".git"]) {
      assert.match(await call("changes", { path }), /has not changed/, path);
    }
  },
);

test("[TOOL-15] a patch of thousands of lines is not shown", { skip }, async () => {
  await using place = await openProject();
  write(place.folder, { "long.txt": "line\n".repeat(6_000), "longer.txt": "line\n".repeat(4_990) });
  assert.match(await place.call("changes", { path: "long.txt" }), /too large to be shown/);
  const cut = await place.call("changes", { path: "longer.txt" });
  assert.match(cut, /^diff --git/);
  assert.ok(cut.length < 30_200);
});

test(
  "[TOOL-16] task_result shows what was said, made and changed in another task",
  { skip },
  async () => {
    await using place = await openProject();
    const expected = [
      "Task 1 (task_a_1): Do task_a_1",
      "Status: done, by Eng 1",
      "Note: As wished.",
      "",
      "What was said last:",
      "All of it is done.",
      "",
      "Files: 1 file changed, +1 −0 lines:",
      "added src/b.ts (+1 −0)",
      "",
      "Artifact plan.md (art_1, version 1, approved, text/markdown, 6 bytes):",
      "# Plan",
      "",
      "Artifact p.png (art_2, version 2, approved, image/png, 9 bytes)",
    ].join("\n");
    assert.equal(await place.call("task_result", { taskId: FIRST }), expected);
    assert.equal(await place.call("task_result", { taskId: "1" }), expected);
  },
);

test(
  "[TOOL-16] a task of another project, or none, is unknown, and the text is cut",
  { skip },
  async () => {
    await using place = await openProject("x".repeat(100_000));
    const { call } = place;
    for (const taskId of ["task_b_1", "3", "0", "__proto__", "../task_a_1"]) {
      assert.equal(
        await call("task_result", { taskId }),
        "error: The project has no such task. Its tasks:\n1. Do task_a_1 (task_a_1, done)\n2. Do task_a_2 (task_a_2, in_progress)",
      );
    }
    const other = await call("task_result", { taskId: FIRST }, "task_b_1");
    assert.equal(other, "error: You do not work on a task of a project.");
    const long = await call("task_result", { taskId: FIRST });
    // What was said does not crowd out what was made.
    assert.match(long, /x\n… 94000 characters left out\n[^]*\n# Plan\n/);
    assert.ok(long.length < 20_100);
  },
);
