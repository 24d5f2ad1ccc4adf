import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse } from "../engine/refusal.ts";
import type { CheckVerdict } from "../workspace/workspace.ts";
import type { ChangeFacts } from "./model/change.ts";
import type { ProjectCommand } from "./model/commands.ts";
import type { Artifact, Project, Task } from "./model/entities.ts";
import { evolve } from "./model/evolve.ts";
import { project } from "./project.ts";

const at = 1;
const by = { id: "ann", name: "Ann", via: "world" };
const usage = { inputTokens: 1, outputTokens: 1 };
const change: ChangeFacts = {
  commit: "c1",
  base: "c0",
  tree: "t1",
  files: 1,
  added: 2,
  removed: 1,
  omitted: [],
  isCut: false,
  flagged: [],
};

class Story {
  state: Project | null = null;

  /** Whatever is refused leaves everything as it was. */
  tell(...commands: readonly ProjectCommand[]): readonly string[] {
    return commands.flatMap((command) => {
      const outcome = project.decide(this.state, command);
      assert.ok(outcome.ok, `${command.type}: ${outcome.ok ? "" : outcome.detail}`);
      this.state = outcome.value.reduce(evolve, this.state);
      return outcome.value.map(({ type }) => type.replace("project.", ""));
    });
  }

  try(command: ProjectCommand) {
    return project.decide(this.state, command);
  }

  get project(): Project {
    assert.ok(this.state !== null);
    return this.state;
  }

  task(number = 1): Task {
    const task = this.project.tasks.find(({ taskId }) => taskId === `task_abc_${number}`);
    assert.ok(task !== undefined);
    return task;
  }

  get artifact(): Artifact {
    const [artifact] = this.project.artifacts;
    assert.ok(artifact !== undefined);
    return artifact;
  }
}

const taskId = "task_abc_1";
const artifactId = "art_abc_1";
const poiId = "poi_shelf";

function planned(titles: readonly string[] = ["One"]): Story {
  const story = new Story();
  const request = { projectId: "proj_abc", title: "t", text: "t", constraints: {} };
  const tasks = titles.map((title) => ({ title, description: "", role: null }));
  story.tell(
    { type: "submit", at, ...request, attachments: [], by },
    { type: "accept", at },
    { type: "start-kickoff", at, participants: [], poiId: "poi_table" },
    { type: "plan", at, runId: null, title: null, summary: "", tasks },
    { type: "auto-assign", at, candidates: [{ agentId: "agent_eng", role: "eng", load: 0 }] },
  );
  return story;
}

function work(story: Story, runId: string, checks: readonly string[] = []): readonly string[] {
  const content = { name: "one.patch", mediaType: "text/x-patch", bytes: 1, digest: "d" };
  const made = { name: "one.patch", kind: "change", content, change };
  story.tell(
    { type: "start-task", at, taskId, runId },
    { type: "create-artifact", at, taskId, runId, made },
  );
  return story.tell({ type: "finish-work", at, taskId, runId, usage, poiId, checks });
}

const result = (verdict: CheckVerdict, isRequired = true) => {
  return { checkId: "k1", name: "test", isRequired, verdict, exitCode: 1, ms: 1 };
};

test("[CORE-47] approving a change leaves its task in review until it is merged", () => {
  const story = planned();
  work(story, "r1");
  assert.deepEqual(story.tell({ type: "approve", at, artifactId, by }), ["review_approved"]);
  assert.equal(story.task().status, "in_review");
  assert.equal(story.artifact.landing?.state, "pending");
  const land = { type: "land-change", at, artifactId, version: 1, commit: "m1", before: "c0" };
  assert.deepEqual(story.tell(land as ProjectCommand), ["change_landed", "task_done", "completed"]);
  assert.equal(story.project.line, "m1");
  const again = story.try(land as ProjectCommand);
  assert.ok(!again.ok && again.code === "artifact.status");
});

test("[CORE-47] what was approved and merged is in the line, also where its task was cancelled meanwhile", () => {
  const story = planned(["One", "Two"]);
  work(story, "r1");
  story.tell({ type: "approve", at, artifactId, by }, { type: "cancel-task", at, taskId, by });
  const land = { artifactId, version: 1, commit: "m1", before: "c0" };
  assert.deepEqual(story.tell({ type: "land-change", at, ...land }), ["change_landed"]);
  assert.equal(story.task().status, "cancelled");
});

test("[CORE-47] a conflict goes back to the agent twice, then to a person, whose retry grants two more", () => {
  const story = planned();
  const conflict = { artifactId, with: "m0", paths: [{ path: "a.ts", kind: "content" }] };
  const rounds = (version: number) => {
    work(story, `r${version}`);
    story.tell({ type: "approve", at, artifactId, by });
    return story.tell({ type: "conflict-change", at, version, ...conflict });
  };
  assert.deepEqual(rounds(1), ["change_conflicted"]);
  assert.equal(story.task().status, "assigned");
  assert.equal(story.artifact.landing?.conflict?.paths[0]?.path, "a.ts");
  assert.deepEqual(rounds(2), ["change_conflicted"]);
  assert.deepEqual(rounds(3), ["change_conflicted", "task_failed"]);
  assert.match(story.task().note ?? "", /a\.ts/);
  story.tell({ type: "rerun-task", at, taskId, by });
  assert.deepEqual(rounds(4), ["change_conflicted"]);
  assert.deepEqual(rounds(5), ["change_conflicted"]);
  assert.deepEqual(rounds(6), ["change_conflicted", "task_failed"]);
});

test("[CORE-47] a change that cannot be merged at all fails its task, and is made anew", () => {
  const story = planned();
  work(story, "r1");
  story.tell({ type: "approve", at, artifactId, by });
  const failure = { artifactId, version: 1, reason: "the disk is gone" };
  assert.deepEqual(story.tell({ type: "fail-landing", at, ...failure }), ["task_failed"]);
  assert.equal(story.task().note, "the disk is gone");
  story.tell({ type: "rerun-task", at, taskId, by });
  work(story, "r2");
  story.tell({ type: "approve", at, artifactId, by });
  const land = { artifactId, version: 2, commit: "m1", before: "c0" };
  const names = story.tell({ type: "land-change", at, ...land });
  assert.deepEqual(names, ["change_landed", "task_done", "completed"]);
});

test("[CORE-47] a task that was cancelled while its change was merged stays cancelled, however often it conflicted", () => {
  for (const rounds of [0, 1, 2]) {
    const story = planned(["One", "Two"]);
    const conflict = { artifactId, with: "m0", paths: [{ path: "a.ts", kind: "content" }] };
    for (let version = 1; version <= rounds; version++) {
      work(story, `r${version}`);
      story.tell({ type: "approve", at, artifactId, by });
      story.tell({ type: "conflict-change", at, version, ...conflict });
    }
    work(story, "last");
    story.tell({ type: "approve", at, artifactId, by }, { type: "cancel-task", at, taskId, by });
    const last = { type: "conflict-change", at, version: rounds + 1, ...conflict } as const;
    assert.deepEqual(story.tell(last), ["change_conflicted"]);
    assert.equal(story.task().status, "cancelled");
    assert.equal(story.artifact.status, "withdrawn");
    assert.equal(story.artifact.landing?.state, "conflicted");
  }
});

test("[CORE-47] what cannot be merged is withdrawn with a cancelled task, and made anew by one taken up again", () => {
  const failure = { type: "fail-landing", at, artifactId, version: 1, reason: "no disk" } as const;
  const cancelled = planned();
  work(cancelled, "r1");
  cancelled.tell({ type: "approve", at, artifactId, by }, { type: "cancel-task", at, taskId, by });
  assert.deepEqual(cancelled.tell(failure), ["landing_failed"]);
  assert.deepEqual(
    [cancelled.task().status, cancelled.artifact.status, cancelled.artifact.landing],
    ["cancelled", "withdrawn", null],
  );
  const again = cancelled.try(failure);
  assert.ok(!again.ok && again.code === "artifact.status");

  const rerun = planned();
  work(rerun, "r1");
  rerun.tell({ type: "approve", at, artifactId, by }, { type: "rerun-task", at, taskId, by });
  assert.deepEqual(rerun.tell(failure), ["landing_failed"]);
  assert.deepEqual([rerun.task().status, rerun.artifact.status], ["assigned", "changes_requested"]);
  work(rerun, "r2");
  rerun.tell({ type: "approve", at, artifactId, by });
  const land = { artifactId, version: 2, commit: "m1", before: "c0" };
  const names = rerun.tell({ type: "land-change", at, ...land });
  assert.deepEqual(names, ["change_landed", "task_done", "completed"]);
});

test("[CORE-47] a merged change is reverted once, and one that cannot be stays merged", () => {
  const story = planned();
  work(story, "r1");
  const early = story.try({ type: "request-revert", at, artifactId, by });
  assert.ok(!early.ok && early.code === "artifact.status");
  story.tell(
    { type: "approve", at, artifactId, by },
    { type: "land-change", at, artifactId, version: 1, commit: "m1", before: "c0" },
    { type: "request-revert", at, artifactId, by },
    { type: "refuse-revert", at, artifactId, reason: "conflict", paths: [] },
  );
  assert.equal(story.artifact.landing?.state, "landed");
  story.tell(
    { type: "request-revert", at, artifactId, by },
    { type: "revert-change", at, artifactId, commit: "m2", before: "m1" },
  );
  assert.equal(story.artifact.landing?.state, "reverted");
  assert.equal(story.project.line, "m2");
  assert.ok(!story.try({ type: "request-revert", at, artifactId, by }).ok);
});

test("[CORE-48] a failed required check goes back to the agent once, then to people", () => {
  const story = planned();
  assert.deepEqual(work(story, "r1", ["test"]), ["work_finished", "checks_started"]);
  const early = story.try({ type: "deliver", at, taskId, poiId });
  assert.ok(!early.ok && early.code === "task.status");
  const finish = { type: "finish-checks", at, artifactId, poiId } as const;
  story.tell({ ...finish, version: 1, results: [result("failed")] });
  assert.equal(story.task().status, "assigned");
  assert.equal(story.artifact.checks?.state, "failed");
  work(story, "r2", ["test"]);
  assert.deepEqual(story.tell({ ...finish, version: 2, results: [result("error")] }), [
    "checks_finished",
    "artifact_delivered",
    "review_requested",
  ]);
  assert.equal(story.task().status, "in_review");
  assert.deepEqual(story.tell({ ...finish, version: 2, results: [] }), []);
  const late = story.try({ ...finish, version: 1, results: [] });
  assert.ok(!late.ok && late.code === "artifact.superseded");
});

test("[CORE-48] what is not required, or nobody allowed, holds nothing up", () => {
  for (const end of [result("failed", false), result("skipped"), result("passed")]) {
    const story = planned();
    work(story, "r1", ["test"]);
    story.tell({ type: "finish-checks", at, artifactId, version: 1, results: [end], poiId });
    assert.equal(story.artifact.checks?.state, "passed");
    assert.equal(story.task().status, "in_review");
  }
});

test("[CORE-48] what was approved before its checks were through has their results all the same", () => {
  const story = planned();
  work(story, "r1");
  const content = { name: "one.patch", mediaType: "text/x-patch", bytes: 1, digest: "e" };
  const made = { name: "one.patch", kind: "change", content, change: { ...change, commit: "c2" } };
  story.tell(
    { type: "revise-artifact", at, artifactId, made, by },
    { type: "start-checks", at, artifactId, version: 2, names: ["test"] },
    { type: "approve", at, artifactId, by },
    { type: "land-change", at, artifactId, version: 2, commit: "m1", before: "c0" },
  );
  const results = [result("failed")];
  const finish = { type: "finish-checks", at, artifactId, version: 2, results, poiId } as const;
  assert.deepEqual(story.tell(finish), ["checks_finished"]);
  assert.deepEqual([story.artifact.checks?.state, story.task().status], ["failed", "done"]);
});

test("[CORE-49] comments have ids of their own, are answered by the run and resolved by people", () => {
  const story = planned();
  work(story, "r1");
  const lines = { code: ["x"], before: [], after: [], blob: "b" };
  const draft = { path: "a.ts", side: "new", line: 3, endLine: 3, text: "why?", ...lines } as const;
  const wish = { artifactId, instructions: "", by };
  const empty = story.try({ type: "request-changes", at, ...wish });
  assert.ok(!empty.ok && empty.code === "request.empty");
  story.tell({ type: "request-changes", at, ...wish, comments: [draft, draft] });
  const ids = story.artifact.comments.map(({ commentId }) => commentId);
  assert.deepEqual(ids, ["cmt_abc_1", "cmt_abc_2"]);
  assert.equal(story.task().note, "why?");
  story.tell({ type: "start-task", at, taskId, runId: "r2" });
  const answer = { taskId, runId: "r2", commentId: "cmt_abc_1", text: "mended" };
  story.tell({ type: "answer-comment", at, ...answer });
  const missing = story.try({ type: "answer-comment", at, ...answer, commentId: "__proto__" });
  assert.deepEqual(missing, refuse("comment.missing", "__proto__"));
  const stale = story.try({ type: "answer-comment", at, ...answer, runId: "r1" });
  assert.ok(!stale.ok && stale.code === "task.stale");
  story.tell({ type: "resolve-comment", at, artifactId, commentId: "cmt_abc_2", by });
  const [first, second] = story.artifact.comments;
  assert.deepEqual([first?.answer, second?.resolvedBy?.name], ["mended", "Ann"]);
  const twice = story.try({ type: "resolve-comment", at, artifactId, commentId: "cmt_abc_2", by });
  assert.deepEqual(twice, accept([]));
});

test("[CORE-49] a person's revision is the next version and waits for a verdict like any other", () => {
  const story = planned();
  work(story, "r1");
  const content = { name: "one.patch", mediaType: "text/x-patch", bytes: 1, digest: "e" };
  const made = { name: "one.patch", kind: "change", content, change: { ...change, commit: "c2" } };
  const guards = { expectedVersion: 1 };
  story.tell({ type: "revise-artifact", at, artifactId, made, by, guards });
  assert.deepEqual([story.artifact.version, story.artifact.status], [2, "delivered"]);
  assert.equal(story.task().status, "in_review");
  const names = ["test"];
  assert.deepEqual(story.tell({ type: "start-checks", at, artifactId, version: 2, names }), [
    "checks_started",
  ]);
  assert.deepEqual(story.tell({ type: "start-checks", at, artifactId, version: 2, names }), []);
  story.tell({
    type: "finish-checks",
    at,
    artifactId,
    version: 2,
    results: [result("failed")],
    poiId,
  });
  assert.equal(story.task().status, "in_review");
  const old = story.try({ type: "revise-artifact", at, artifactId, made, by, guards });
  assert.ok(!old.ok && old.code === "artifact.superseded");
});

test("[CORE-52] a line is updated when someone asks, and delivered once something was merged", () => {
  const story = planned();
  const delivery = { how: "branch", ref: "atrium/t", commit: "m1", by } as const;
  const early = story.try({ type: "record-delivery", at, ...delivery });
  assert.ok(!early.ok && early.code === "project.unmerged");
  const update = { type: "update-line", at, commit: "m2", before: "m1", base: "u1" } as const;
  work(story, "r1");
  story.tell(
    { type: "approve", at, artifactId, by },
    { type: "land-change", at, artifactId, version: 1, commit: "m1", before: "c0" },
  );
  assert.ok(!story.try(update).ok);
  story.tell({ type: "request-update", at, by }, update);
  assert.equal(story.project.line, "m2");
  story.tell({ type: "record-delivery", at, ...delivery });
  assert.equal(story.project.deliveries[0]?.ref, "atrium/t");
});
