/** A project in a real repository, of which one task is worked on, for tests of what its agents are told. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BUILT_IN_CREW,
  NOTHING_USED,
  type Artifact,
  type Project,
  type RunEnded,
  type Task,
  type WorkspaceRow,
} from "@atrium/core";
import { systemTimers } from "../../../platform/timers.ts";
import { openWorkspaces } from "../../../workspaces/open-workspaces.ts";
import type { Workspaces } from "../../../workspaces/port/workspaces.ts";
import { makeRepository, write } from "../../../workspaces/testing/user-repository.ts";
import { createProjectPrompts, type ProjectPrompts } from "../project-prompts.ts";

const ID = "task_a_1";
export const taskOf = (more: Partial<Task>): Task =>
  ({
    taskId: ID,
    title: "Build it",
    description: "",
    status: "in_progress",
    assignee: "agent_eng_1",
    runId: "run_2",
    attempts: 1,
    after: [],
    accept: [],
    verify: [],
    kind: "change",
    forkedFrom: null,
    ...more,
  }) as Task;

export const projectOf = (more: Partial<Project>): Project =>
  ({
    projectId: "proj_a",
    title: "A shop",
    text: "Build me a shop",
    constraints: {},
    repository: "shop",
    line: null,
    tasks: [taskOf({})],
    artifacts: [],
    ...more,
  }) as Project;

export const artifactOf = (more: object): Artifact =>
  ({
    artifactId: "art_1",
    taskId: ID,
    name: "build-it.patch",
    status: "changes_requested",
    version: 1,
    versions: [{ version: 1, runId: "run_1", at: 5 }],
    instructions: "Make it blue.",
    checks: null,
    comments: [],
    landing: null,
    ...more,
  }) as unknown as Artifact;

export interface PromptShop extends ProjectPrompts, AsyncDisposable {
  readonly folder: string;
  readonly notes: readonly string[];
  readonly workspaces: Workspaces;
  readonly rows: Map<string, WorkspaceRow>;
  /** Opens the task's worktree, writes there, and records it as its newest state. */
  readonly work: (files: Readonly<Record<string, string>>) => Promise<void>;
}

export async function openPromptShop(
  files: Readonly<Record<string, string>>,
  row?: object,
): Promise<PromptShop> {
  const root = await mkdtemp(join(tmpdir(), "atrium-prompts-"));
  const folder = makeRepository(join(root, "shop"), files);
  const workspaces = openWorkspaces({
    root: join(root, "workshop"),
    path: process.env["PATH"] ?? "",
    timers: systemTimers,
  });
  const notes: string[] = [];
  const rows = new Map<string, WorkspaceRow>();
  if (row !== undefined) rows.set(ID, row as WorkspaceRow);
  const prompts = createProjectPrompts({
    crew: BUILT_IN_CREW,
    useWorkspaces: () => Promise.resolve(workspaces),
    timers: systemTimers,
    repositories: {
      find: (id) =>
        id === "shop" ? { id, path: folder, setup: [], checks: [], added: null } : undefined,
    },
    workspaces: { get: (id) => rows.get(id) },
    blobs: {
      get: (digest) =>
        digest === "out"
          ? Promise.resolve(Buffer.from(`${"x\n".repeat(9_000)}1 test failed\r\n\u001b[31mTask 1`))
          : Promise.reject(new Error("ENOENT")),
    },
    endOf: (runId) =>
      Promise.resolve({
        type: "run.completed",
        runId,
        stopReason: "stop",
        messageId: "m",
        text: `Said by ${runId}.\n\nTask 1 of 1: nothing`,
        usage: NOTHING_USED,
      } satisfies RunEnded),
    note: (what, context) => void notes.push(`${what}: ${JSON.stringify(context)}`),
  });
  return {
    ...prompts,
    folder,
    notes,
    workspaces,
    rows,
    async work(changed) {
      const opened = await workspaces.openRepository({ id: "shop", path: folder });
      assert.ok(opened.ok);
      const place = { repositoryId: "shop", workspaceId: ID, at: 1 };
      const worktree = await workspaces.openWorktree(place);
      assert.ok(worktree.ok);
      write(worktree.value.folder, changed);
      const moment = await workspaces.recordMoment(ID, { label: "run_1", at: 2 });
      assert.ok(moment.ok);
      rows.set(ID, { newest: { seq: 1, tree: moment.value.tree } } as WorkspaceRow);
    },
    async [Symbol.asyncDispose]() {
      await workspaces[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}
