/** Files put back as they were, and other tries from there: with a real server, git and a model on loopback. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import {
  calling,
  get,
  openModelShop,
  post,
  returnsOf,
  worktreeOf,
  write,
} from "../../kit/moments.ts";
import type { Shop } from "../../kit/workshop.ts";

const skip = skipWithout("git");

async function namesAt(shop: Shop, projectId: string, seq?: number): Promise<readonly string[]> {
  const query = seq === undefined ? "" : `?seq=${seq}`;
  const { json } = await get(shop, `/api/projects/${projectId}/files${query}`);
  return json.entries.map(({ name }: { name: string }) => name);
}

test(
  "[FILES-5] files are put back as they were, how they were before is kept, and that is undone the same way",
  { skip },
  async () => {
    await using model = await calling([write("a.txt", "one\n"), write("b.txt", "two\n")]);
    await using shop = await openModelShop(model);
    const [taskId = ""] = await shop.request("Make it", "shop");
    const projectId = `proj_${taskId.split("_")[1]}`;
    await shop.peer.event("review_requested");
    const [first = 0] = await returnsOf(shop);
    const folder = worktreeOf(shop, taskId);
    writeFileSync(join(folder, "mine.txt"), "a person wrote this\n");

    await shop.peer.ask("restore_files", { task_id: taskId, seq: first });
    const { payload: event } = await shop.peer.event("files_restored");
    assert.deepEqual([event.project_id, event.task_id, event.from_seq], [projectId, taskId, first]);
    assert.ok(existsSync(join(folder, "a.txt")));
    assert.ok(!existsSync(join(folder, "b.txt")));
    assert.ok(!existsSync(join(folder, "mine.txt")));
    assert.deepEqual(await namesAt(shop, projectId), [".gitignore", "README.md", "a.txt", "src"]);

    const { json: now } = await get(shop, `/api/projects/${projectId}/files`);
    const before = now.seq - 1;
    assert.deepEqual(await namesAt(shop, projectId, before), [
      ".gitignore",
      "README.md",
      "a.txt",
      "b.txt",
      "mine.txt",
      "src",
    ]);
    const key = { "idempotency-key": "undo-1" };
    const undo = () => post(shop, `/api/workspaces/${taskId}/restore`, { seq: before }, key);
    const undone = await undo();
    assert.equal(undone.status, 200, undone.text);
    assert.equal(undone.json.workspace, taskId);
    assert.equal(readFileSync(join(folder, "mine.txt"), "utf8"), "a person wrote this\n");

    // The answer was lost, and the work goes on.
    writeFileSync(join(folder, "later.txt"), "later\n");
    const again = await undo();
    assert.deepEqual([again.status, again.json], [200, undone.json]);
    assert.ok(existsSync(join(folder, "later.txt")));
    const other = await post(shop, `/api/workspaces/${taskId}/restore`, { seq: first }, key);
    assert.deepEqual([other.status, other.json.error.code], [409, "key.reused"]);
    assert.ok(existsSync(join(folder, "later.txt")));

    const events = (await shop.entries()).filter(({ stream }) => stream === `workspace/${taskId}`);
    assert.deepEqual(
      events.map(({ type }) => type.replace("workspace.", "")),
      ["opened", "ready", "sealed", "moment", "restored", "restored"],
    );
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[FILES-9] the next run is told that files were put back, and the one after it no longer",
  { skip },
  async () => {
    await using model = await calling([write("a.txt", "one\n"), write("b.txt", "two\n")]);
    await using shop = await openModelShop(model);
    const [taskId = ""] = await shop.request("Make it", "shop");
    await shop.peer.event("review_requested");
    const [first = 0] = await returnsOf(shop);
    const rerun = async (): Promise<string> => {
      const count = model.requests.length;
      const reviewed = shop.peer.next(({ payload }) => payload.name === "review_requested");
      await shop.peer.ask("rerun_task", { task_id: taskId });
      await reviewed;
      return JSON.stringify(model.requests[count]?.body.messages);
    };
    await shop.peer.ask("restore_files", { task_id: taskId, seq: first });
    assert.match(await rerun(), /put the files back as they were at an earlier moment/);
    assert.doesNotMatch(await rerun(), /put the files back/);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[FILES-5] [FILES-2] nothing is put back while a run works there, nor what is not there",
  { skip },
  async () => {
    const hanging = Promise.withResolvers<void>();
    await using model = await openModelServer(({ body: { messages } }) => {
      const isFirst = messages.every(({ role }: { role: string }) => role !== "tool");
      if (!isFirst) {
        hanging.resolve();
        return { type: "silence" };
      }
      const input = { path: "a.txt", content: "one\n" };
      return { type: "answer", toolCalls: [{ name: "write", input }] };
    });
    await using shop = await openModelShop(model);
    const [taskId = ""] = await shop.request("Make it", "shop");
    await hanging.promise;
    const folder = worktreeOf(shop, taskId);
    const [first = 0] = await returnsOf(shop);
    const table: readonly (readonly [string, object, string, RegExp])[] = [
      ["restore_files", { task_id: taskId, seq: first - 1 }, "CONFLICT", /Somebody works/],
      ["restore_files", { task_id: taskId, seq: 0 }, "NOT_FOUND", /nothing was worked on/],
      ["restore_files", { task_id: taskId, seq: 999_999 }, "VALIDATION_FAILED", /after the newest/],
      ["restore_files", { task_id: taskId, seq: -1 }, "VALIDATION_FAILED", /seq/],
      ["restore_files", { task_id: "task_other_1", seq: first }, "NOT_FOUND", /task_other_1/],
      ["fork_task", { task_id: "task_other_1", seq: first }, "NOT_FOUND", /task_other_1/],
      ["fork_task", { task_id: taskId, seq: 0 }, "NOT_FOUND", /nothing was worked on/],
    ];
    for (const [name, data, code, says] of table) {
      const { payload } = await shop.peer.command(name, data);
      assert.equal(payload.code, code, JSON.stringify([data, payload]));
      assert.match(payload.message, says);
    }
    const busy = await post(shop, `/api/workspaces/${taskId}/restore`, { seq: first - 1 });
    assert.deepEqual([busy.status, busy.json.error.code], [409, "workspace.busy"]);
    const nobody = await post(shop, "/api/workspaces/__proto__/restore", { seq: 1 });
    assert.deepEqual([nobody.status, nobody.json.error.code], [404, "workspace.missing"]);
    assert.ok(existsSync(join(folder, "a.txt")));
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[FILES-7] a fork is another task with the files and the talk of that moment, and the first goes on",
  { skip },
  async () => {
    await using model = await openModelServer(({ body }) => {
      const text = JSON.stringify(body.messages);
      const results = body.messages.filter(({ role }: { role: string }) => role === "tool").length;
      const wanted = text.includes("In red.") ? ["red.txt"] : ["a.txt", "b.txt"];
      const path = wanted[results];
      if (path === undefined) return { type: "answer", chunks: [`Made ${wanted.join(" and ")}.`] };
      return { type: "answer", toolCalls: [{ name: "write", input: { path, content: "made\n" } }] };
    });
    await using shop = await openModelShop(model);
    const [taskId = ""] = await shop.request("Make it", "shop");
    const projectId = `proj_${taskId.split("_")[1]}`;
    await shop.peer.event("review_requested");
    const [first = 0] = await returnsOf(shop);
    const reviewed = shop.peer.next(
      ({ type, payload }) => type === "event" && payload.name === "review_requested",
    );
    const ask = { task_id: taskId, seq: first, instructions: "In red." };
    await shop.peer.ask("fork_task", ask);
    const { payload } = await reviewed;
    const forkId = `${taskId.replace(/\d+$/, "")}2`;
    assert.equal(payload.task_id, forkId);

    const { payload: snapshot } = await shop.peer.subscribe();
    const shown = snapshot.tasks.find((task: { task_id: string }) => task.task_id === forkId);
    assert.deepEqual(shown.forked_from, { task_id: taskId, seq: first });

    const listed = async (task: string): Promise<readonly string[]> => {
      const { json } = await get(shop, `/api/projects/${projectId}/files?task=${task}`);
      return json.entries.map(({ name }: { name: string }) => name);
    };
    assert.deepEqual(await listed(forkId), [".gitignore", "README.md", "a.txt", "red.txt", "src"]);
    assert.deepEqual(await listed(taskId), [".gitignore", "README.md", "a.txt", "b.txt", "src"]);
    const changed = await get(shop, `/api/projects/${projectId}/diff?task=${forkId}`);
    assert.deepEqual(
      changed.json.files.map(({ path }: { path: string }) => path),
      ["red.txt"],
    );
    const asked = model.requests.find(({ body }) => JSON.stringify(body).includes("In red."));
    const talk = JSON.stringify(asked?.body.messages);
    assert.match(talk, /Task 1 of 1: Work of agent_eng_1/);
    assert.match(talk, /What I had done until here:.*write .*a\.txt/);
    assert.doesNotMatch(talk, /b\.txt/);
    assert.match(talk, /files are as they were at an earlier moment/);

    const opened = (await shop.entries()).find(
      ({ stream, type }) => stream === `workspace/${forkId}` && type === "workspace.opened",
    );
    assert.ok(opened);
    const { repositoryId, forkedFrom } = opened.data as Record<string, unknown>;
    assert.equal(repositoryId, "shop");
    assert.deepEqual(
      { ...(forkedFrom as object), tree: "" },
      { workspaceId: taskId, seq: first, tree: "" },
    );
    assert.deepEqual(shop.atrium.faults, []);
  },
);
