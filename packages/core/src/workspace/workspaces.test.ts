import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemoryLog, type Log } from "@atrium/log";
import { conversation } from "../conversation/conversation.ts";
import type { RunEvent } from "../conversation/events.ts";
import { streamOf } from "../engine/dispatch.ts";
import { findWorkspaceBase } from "./base-at.ts";
import { createMomentAt } from "./moment-at.ts";
import { workspace, type WorkspaceEvent } from "./workspace.ts";
import { createWorkspaces, type WorkspacesProjection } from "./workspaces.ts";

const ann = { id: "device-a", name: "Ann", via: "gateway" } as const;

const opened = (workspaceId: string, projectId = "p1"): WorkspaceEvent => ({
  type: "workspace.opened",
  workspaceId,
  repositoryId: "shop",
  purpose: { type: "task", projectId, taskId: workspaceId },
  forkedFrom: null,
});
const ready = (tree: string): WorkspaceEvent => {
  return { type: "workspace.ready", base: "c0", tree, ms: 1 };
};
const returned = (tree?: string): RunEvent => ({
  type: "run.tool.returned",
  runId: "r1",
  messageId: "m1",
  callId: "c1",
  name: "edit",
  text: "done",
  isError: false,
  ...(tree !== undefined && { tree }),
});

class Story implements AsyncDisposable {
  readonly log: Log = openMemoryLog();
  readonly workspaces: WorkspacesProjection = createWorkspaces();

  async tell(id: string, ...events: readonly WorkspaceEvent[]): Promise<void> {
    await this.#append(
      streamOf(workspace, id),
      events.map((event) => [event.type, workspace.write(event)]),
    );
  }

  async say(key: string, ...events: readonly RunEvent[]): Promise<void> {
    const drafts = events.map((event) => [event.type, conversation.write(event)] as const);
    await this.#append(streamOf(conversation, key), drafts);
  }

  async #append(stream: string, drafts: readonly (readonly [string, object])[]): Promise<void> {
    const done = await this.log.append(
      stream,
      "any",
      drafts.map(([type, data]) => ({ type, at: 1, data })),
    );
    assert.ok(done.ok);
    for (const entry of done.entries) this.workspaces.apply(entry);
  }

  async treeAt(id: string, seq: number): Promise<string | undefined> {
    const row = this.workspaces.get(id);
    assert.ok(row);
    return (await createMomentAt(this.log)(row, seq))?.tree;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.log.close();
  }
}

test("[CORE-44] the files at a position are those of the newest entry at or before it, whoever changed them", async () => {
  await using story = new Story();
  await story.tell("t1", opened("t1"), ready("T0"));
  await story.say("agent:eng:task:t1", returned("T1"), returned(), returned("T2"));
  await story.say("agent:other:task:t1", returned("T3"), returned());
  await story.tell("t1", { type: "workspace.moment", tree: "T4", cause: "person", runId: null });
  await story.tell("t1", { type: "workspace.restored", tree: "T1", fromSeq: 3, by: ann });
  await story.say("agent:eng:task:t1", returned("T5"));
  const seen = await Promise.all(Array.from({ length: 12 }, (_, seq) => story.treeAt("t1", seq)));
  const none = undefined;
  assert.deepEqual(seen, [none, none, "T0", "T1", "T1", "T2", "T3", "T3", "T4", "T1", "T5", "T5"]);
});

test("[CORE-45] a fork stands on what the other stood on at that moment", async () => {
  await using story = new Story();
  const rebased = { type: "workspace.rebased", base: "c9", tree: "T2", paths: ["a"] } as const;
  await story.tell("t1", opened("t1"), ready("T0"), rebased);
  const bases = [1, 2, 3, 9].map((seq) => findWorkspaceBase(story.log, "t1", seq));
  assert.deepEqual(await Promise.all(bases), [undefined, "c0", "c9", "c9"]);
  assert.equal(story.workspaces.get("t1")?.base, "c9");
});

test("[CORE-50] the newest result of each check and state of the files is kept", async () => {
  await using story = new Story();
  const check = (checkedTree: string, checkId: string) => {
    return { checkId, name: "test", command: "npm test", isRequired: true, checkedTree } as const;
  };
  const start = (tree: string, id: string): WorkspaceEvent => {
    return { type: "workspace.check_started", ...check(tree, id), commit: "c1" };
  };
  const finish = (tree: string, id: string): WorkspaceEvent => {
    const end = { verdict: "passed", exitCode: 0, ms: 1, output: null } as const;
    return { type: "workspace.check_finished", ...check(tree, id), ...end };
  };
  await story.tell("t1", opened("t1"), ready("T0"), start("T1", "a"), finish("T1", "a"));
  await story.tell("t1", start("T2", "b"), start("T1", "c"));
  const kept = story.workspaces.get("t1")?.checks ?? [];
  assert.deepEqual(
    kept.map(({ checkId, end }) => [checkId, end?.verdict]),
    [
      ["b", undefined],
      ["c", undefined],
    ],
  );
  assert.equal(story.workspaces.get("t1")?.newest?.tree, "T0", "a check changes no files");
  for (let n = 0; n < 60; n++) await story.tell("t1", finish(`T${n}`, `k${n}`));
  assert.equal(story.workspaces.get("t1")?.checks.length, 50);
});

test("[CORE-44] what happens in another conversation, or says nothing of files, changes no workspace", async () => {
  await using story = new Story();
  await story.tell("t1", opened("t1"), ready("T0"));
  await story.say("agent:eng:task:t2", returned("X1"));
  await story.say("agent:eng:main", returned("X2"));
  await story.say("agent:eng:task:__proto__", returned("X3"));
  await story.say("agent:eng:task:t1", returned());
  assert.deepEqual(story.workspaces.get("t1")?.newest, { seq: 2, tree: "T0" });
  assert.equal(story.workspaces.get("t2"), undefined);
  assert.equal(story.workspaces.get("__proto__"), undefined);
});

test("[CORE-44] workspaces are found by their project, and a saved projection goes on where it was", async () => {
  await using story = new Story();
  await story.tell("t1", opened("t1"), ready("T0"));
  await story.tell("t2", opened("t2"), { type: "workspace.failed", reason: "no disk" });
  await story.tell("t3", opened("t3", "p2"), ready("T0"));
  await story.tell("t2", opened("t2"), ready("T7"), { type: "workspace.discarded", by: null });
  const copy = createWorkspaces();
  copy.load(JSON.parse(JSON.stringify(story.workspaces.save())));
  for (const each of [story.workspaces, copy]) {
    const states = each.ofProject("p1").map(({ workspaceId, state }) => [workspaceId, state]);
    assert.deepEqual(states, [
      ["t1", "ready"],
      ["t2", "discarded"],
    ]);
    assert.deepEqual(each.ofProject("p3"), []);
    assert.deepEqual(each.get("t2")?.newest, { seq: 8, tree: "T7" });
  }
});
