import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  BUILT_IN_CREW,
  createDispatch,
  createProjects,
  NOTHING_USED,
  openProjections,
  project,
  type Answerer,
  type ProjectCommand,
} from "@atrium/core";
import { createTestTime } from "@atrium/core/testing";
import { openMemoryLog } from "@atrium/log";
import { skipWithout } from "../../../../../scripts/system-programs.ts";
import { systemTimers } from "../../platform/timers.ts";
import { openWorkspaces } from "../../workspaces/open-workspaces.ts";
import { git, makeRepository, write } from "../../workspaces/testing/user-repository.ts";
import { projectStatusTool } from "../desk/project-status.ts";
import { createToolbox } from "../toolbox.ts";
import { taskTools } from "./task-tools.ts";

const skip = skipWithout("git");
const ann: Answerer = { id: "ann", name: "Ann", via: "world" };
const [ONE, TWO] = ["task_abc_1", "task_abc_2"];
const KEY = `agent:eng_1:task:${TWO}`;

/** A project whose first task has handed over a document, and whose second a change that was commented on. */
async function openProject() {
  const root = await mkdtemp(join(tmpdir(), "atrium-project-"));
  const path = makeRepository(join(root, "shop"), { "a.ts": "one\n" });
  const base = git(path, "rev-parse", "HEAD");
  write(path, { "a.ts": "two\n", "b.ts": "x\n".repeat(9_000) });
  git(path, "add", "--all");
  git(path, "commit", "--quiet", "--message", "Second");
  const commit = git(path, "rev-parse", "HEAD");
  const workspaces = openWorkspaces({
    root: join(root, "workshop"),
    path: process.env["PATH"] ?? "",
    timers: systemTimers,
  });
  assert.ok((await workspaces.openRepository({ id: "shop", path })).ok);
  const log = openMemoryLog();
  const projects = createProjects();
  const projections = await openProjections(log, [projects]);
  const clock = createTestTime(1_000);
  const dispatch = createDispatch({ log, clock, settled: projections.settled });
  const tell = async (command: Omit<ProjectCommand, "at">): Promise<void> => {
    const done = await dispatch(project, "proj_abc", { ...command, at: 1 } as ProjectCommand);
    assert.ok(done.ok, JSON.stringify(done));
  };
  const content = (name: string, digest: string, mediaType: string) => {
    return { name, mediaType, bytes: 5, digest };
  };
  const facts = { files: 2, added: 9_001, removed: 1, isCut: false, flagged: ["ci.yml"] };
  const change = { commit, base, tree: "", ...facts, omitted: [{ path: ".env", why: "secret" }] };
  const remark = { path: "a.ts", side: "new", line: 1, endLine: 1, code: ["two"] } as const;
  const steps: readonly object[] = [
    {
      type: "submit",
      projectId: "proj_abc",
      title: "A\nshop",
      text: "A shop",
      constraints: {},
      attachments: [],
      by: ann,
      repository: "shop",
    },
    { type: "accept" },
    { type: "start-kickoff", participants: [], poiId: "poi_meeting_table" },
    { type: "start-planning", runId: "plan-1" },
    {
      type: "plan",
      runId: "plan-1",
      title: null,
      summary: "",
      tasks: [
        { title: "Look\n2. Trick", description: "", role: null },
        { title: "Build", description: "", role: null },
      ],
    },
    { type: "assign", taskId: ONE, agentId: "agent_eng_2", by: ann, isReassignment: false },
    { type: "start-task", taskId: ONE, runId: "run-1" },
    {
      type: "create-artifact",
      taskId: ONE,
      runId: "run-1",
      made: {
        name: "look.md",
        kind: "document",
        content: content("look.md", "text", "text/markdown"),
      },
    },
    { type: "finish-work", taskId: ONE, runId: "run-1", usage: NOTHING_USED, poiId: "p" },
    { type: "assign", taskId: TWO, agentId: "agent_eng_1", by: ann, isReassignment: false },
    { type: "start-task", taskId: TWO, runId: "run-2" },
    {
      type: "create-artifact",
      taskId: TWO,
      runId: "run-2",
      made: {
        name: "build.patch",
        kind: "change",
        content: content("build.patch", "patch", "text/x-patch"),
        change,
      },
    },
    { type: "finish-work", taskId: TWO, runId: "run-2", usage: NOTHING_USED, poiId: "p" },
    {
      type: "request-changes",
      artifactId: "art_abc_2",
      instructions: "",
      comments: [{ ...remark, text: 'Why\n"two"?', before: [], after: [], blob: null }],
      by: ann,
    },
    { type: "start-task", taskId: TWO, runId: "run-3" },
  ];
  for (const step of steps) await tell(step as Omit<ProjectCommand, "at">);
  const deps = {
    projects,
    crew: BUILT_IN_CREW,
    dispatch,
    now: () => 2,
    useWorkspaces: () => Promise.resolve(workspaces),
    endOf: () => Promise.resolve(undefined),
    startOf: () => Promise.resolve(undefined),
    workspaces: { get: () => undefined },
    blobs: {
      get: (digest: string) =>
        digest === "text"
          ? Promise.resolve(Buffer.from("# Look\n".repeat(9_000)))
          : Promise.reject(new Error("ENOENT")),
    },
  };
  const toolbox = createToolbox([projectStatusTool(deps), ...taskTools(deps)]);
  const call = async (name: string, input: object, runId = "run-3", key = KEY) => {
    const { signal } = new AbortController();
    const context = { key, runId, agentId: "agent_eng_1", signal };
    const { text, isError } = await toolbox.call(name, input, context);
    return isError ? `error: ${text}` : text;
  };
  return {
    call,
    toolbox,
    project: () => projects.get("proj_abc") ?? assert.fail(),
    async [Symbol.asyncDispose]() {
      await projections.close();
      await log.close();
      await workspaces[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

test(
  "[TOOL-19] the tools of a project are offered where it is planned and worked on",
  { skip },
  async () => {
    await using place = await openProject();
    const offered = (key: string) => place.toolbox.declarationsFor({ key }).map(({ name }) => name);
    const all = ["project_status", "list_artifacts", "read_artifact", "answer_comment"];
    assert.deepEqual(offered(KEY), all);
    assert.deepEqual(offered("agent:main:project:proj_abc"), all.slice(0, 3));
    assert.deepEqual(offered("agent:eng_1:main"), []);
    for (const name of all.slice(1)) {
      assert.match(await place.call(name, {}, "run-3", "agent:eng_1:main"), /There is no tool/);
    }
    // Of a project that is gone, and asked for by a person in the middle of it.
    const gone = "agent:eng_1:task:task_xyz_1";
    assert.equal(
      await place.call("list_artifacts", {}, "run-9", gone),
      "error: You do not work on a task of a project.",
    );
    assert.match(await place.call("list_artifacts", {}, "run-of-a-talk"), /^art_abc_1 /);
    assert.equal(
      await place.call("answer_comment", { commentId: "cmt_abc_1", text: "Yes." }, "run-of-a-talk"),
      "error: You do not work on a task of a project.",
    );
  },
);

test(
  "[TOOL-19] project_status shows the project that is worked on, and no other",
  { skip },
  async () => {
    await using place = await openProject();
    const status = await place.call("project_status", {});
    assert.match(status, /^"A shop" \(proj_abc\): executing;/);
    assert.match(status, /\n1\. "Look 2\. Trick" \(task_abc_1\): in review; by Eng 2;/);
    assert.equal(await place.call("project_status", { project: "shop" }), status);
    assert.match(
      await place.call("project_status", { project: "other" }),
      /^error: There is no such project/,
    );
  },
);

test("[TOOL-20] list_artifacts shows what was handed over, a line each", { skip }, async () => {
  await using place = await openProject();
  const [look, build] = [
    "art_abc_1 look.md (document), of task 1 by Eng 2, version 1, delivered",
    "art_abc_2 build.patch (change), of task 2 by Eng 1, version 1, changes requested, 2 files, +9001 −1, 1 open comment",
  ];
  assert.equal(await place.call("list_artifacts", {}), `${look}\n${build}`);
  assert.equal(await place.call("list_artifacts", { task: "2" }), build);
  assert.equal(await place.call("list_artifacts", { task: ONE }), look);
  assert.match(
    await place.call("list_artifacts", { task: "__proto__" }),
    /^error: .*no such task.*\n1\. Look 2\. Trick \(/,
  );
});

test(
  "[TOOL-20] read_artifact reads a document, a change, and the patch of one file, bounded",
  { skip },
  async () => {
    await using place = await openProject();
    const read = (input: object) => place.call("read_artifact", input);
    const document = await read({ artifactId: "art_abc_1" });
    assert.match(
      document,
      /^art_abc_1 look\.md .*\nVersion 1: text\/markdown, 5 bytes\n\n# Look\n/,
    );
    assert.match(document, /lines left out/);
    assert.ok(document.length < 31_000);
    assert.deepEqual((await read({ artifactId: "art_abc_2", version: 1 })).split("\n").slice(1), [
      "2 files changed, +9001 −1 lines:",
      "changed a.ts (+1 −1)",
      "added b.ts (+9000 −0)",
      "left out .env (secret)",
      "edits a check or a lock file: ci.yml",
      String.raw`cmt_abc_1 a.ts:1, by Ann: "Why\n\"two\"?"`,
    ]);
    assert.match(
      await read({ artifactId: "art_abc_2", path: "a.ts" }),
      /^diff --git[^]*\n-one\n\+two\n$/,
    );
    const wrong: readonly [object, RegExp][] = [
      [{ artifactId: "art_xyz_1" }, /no such artifact/],
      [{ artifactId: "__proto__" }, /no such artifact/],
      [{ artifactId: "art_abc_1", version: 2 }, /versions 1 to 1, and no version 2/],
      [{ artifactId: "art_abc_1", path: "a.ts" }, /a document/],
      [{ artifactId: "art_abc_2", path: "../a.ts" }, /is not in it/],
      [{ artifactId: "art_abc_2", path: ":(glob)**" }, /is not in it/],
      [{ artifactId: "art_abc_2", path: "b.ts" }, /too large/],
      [{ artifactId: "art_abc_2", version: 0 }, /cannot be called with that/],
    ];
    for (const [input, why] of wrong) assert.match(await read(input), why, JSON.stringify(input));
  },
);

test(
  "[TOOL-21] answer_comment answers a comment on the task's own work, and only while it is worked on",
  { skip },
  async () => {
    await using place = await openProject();
    const answer = (input: object, runId?: string) => place.call("answer_comment", input, runId);
    const text = "It is two now.";
    assert.equal(await answer({ commentId: "cmt_abc_1", text }), "Answered.");
    assert.equal(place.project().artifacts[1]?.comments[0]?.answer, text);
    assert.match(await answer({ commentId: "cmt_abc_9", text }), /^error: /);
    assert.match(await answer({ commentId: "__proto__", text }), /^error: /);
    assert.match(await answer({ commentId: "cmt_abc_1", text: " " }), /^error: .*say what you did/);
    assert.match(await answer({ commentId: "cmt_abc_1", text: "x".repeat(2_001) }), /^error: /);
    // Of another task, and of the run before.
    assert.match(await answer({ commentId: "cmt_abc_1", text }, "run-1"), /^error: /);
    assert.match(await answer({ commentId: "cmt_abc_1", text }, "run-2"), /^error: /);
    assert.equal(place.project().artifacts[1]?.comments[0]?.answer, text);
  },
);
