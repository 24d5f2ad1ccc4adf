/** Agents that change files: each in a worktree of its own, and the user's repository stays as it is. */
import assert from "node:assert/strict";
import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Entry } from "@atrium/log";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { acpPrompt } from "../../kit/acp-agent.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { contentsOf, git, modelOn, openShop, storeOf, works } from "../../kit/workshop.ts";

const skip = skipWithout("git");
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

const WRITE = ["write", { path: "made.txt", content: "made\n" }] as const;
const ENG = { id: "agent_eng_1", runtime: "local" };

const typesIn = (entries: readonly Entry[], stream: string): readonly string[] =>
  entries.filter((entry) => entry.stream === stream).map(({ type }) => type);

/** By call, of those that have one. */
const treesIn = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ data }) => (data as { readonly tree?: string }).tree ?? []);

test(
  "[SHOP-1] [SHOP-2] a task works in a worktree of the repository its project names, and the log has its files",
  { skip },
  async () => {
    await using model = await openModelServer(works(WRITE, ["read", { path: "made.txt" }]));
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [ENG],
    });
    const [taskId = ""] = await shop.request("Make it", "shop");
    await shop.peer.event("review_requested");
    assert.match(JSON.stringify(model.requests[0]?.body), /a git worktree that is yours alone/);
    const entries = await shop.entries();
    assert.deepEqual(typesIn(entries, `workspace/${taskId}`), [
      "workspace.opened",
      "workspace.ready",
      "workspace.sealed",
    ]);
    const returned = entries.filter(({ type }) => type === "run.tool.returned");
    const [tree = "", ...more] = treesIn(returned);
    assert.deepEqual([returned.length, more], [2, []]);
    assert.equal(git(storeOf(shop, "shop"), "show", `${tree}:made.txt`), "made");
    assert.equal(git(storeOf(shop, "shop"), "show", `${tree}:README.md`), "# Shop");
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[SHOP-1] a project that names no repository works in one of its own, and planning and chats in none",
  { skip },
  async () => {
    await using model = await openModelServer(works(WRITE));
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [ENG],
    });
    const [taskId = ""] = await shop.request("Make it");
    await shop.peer.event("review_requested");
    await using chat = await shop.atrium.connect();
    const sent = { sessionKey: "agent:eng_1:main", message: "Hi", idempotencyKey: "chat" };
    await chat.ask("chat.send", sent);
    await chat.ask("agent.wait", { runId: "chat", timeoutMs: 30_000 });
    const entries = await shop.entries();
    const opened = entries.filter(({ type }) => type === "workspace.opened");
    assert.deepEqual(
      opened.map(({ stream }) => stream),
      [`workspace/${taskId}`],
    );
    const [{ repositoryId } = { repositoryId: "" }] = opened.map(
      ({ data }) => data as { readonly repositoryId: string },
    );
    const [tree = ""] = treesIn(entries.filter(({ type }) => type === "run.tool.returned"));
    assert.equal(git(storeOf(shop, repositoryId), "ls-tree", "--name-only", tree), "made.txt");
  },
);

test(
  "[SHOP-3] a model, an ACP agent and a program change files at the same time, and nothing of the user's changes",
  { skip: skip || skipWithoutSandbox() },
  async () => {
    const command = 'echo "$ATRIUM_TASK_ID" > env.txt; sleep 2';
    await using model = await openModelServer(works(WRITE, ["run", { command }]));
    const agent = join(ROOT, "test/kit/acp-agent.ts");
    const program =
      'cat > /dev/null; echo program > program.txt; echo "$ATRIUM_TASK_ID $ATRIUM_PROJECT_ID" > env.txt; [ "$PWD" = "$ATRIUM_WORKTREE" ] && sleep 2';
    await using shop = await openShop({
      runtimes: {
        local: modelOn(model.baseUrl),
        acp: {
          type: "acp",
          command: [process.execPath, agent],
          sandbox: { readable: [ROOT] },
        },
        program: { type: "command", command: ["/bin/sh", "-c", program] },
      },
      agents: [
        ENG,
        { id: "agent_eng_2", runtime: "acp" },
        { id: "agent_eng_3", runtime: "program" },
      ],
    });
    const before = contentsOf(shop.repository);
    const steps = acpPrompt(
      { make: "acp.txt", content: "acp\n" },
      { tell: "env" },
      { say: "Done." },
    );
    const tasks = await shop.request(`Make it ${steps}`, "shop");
    for (const taskId of tasks) {
      await shop.peer.first(
        ({ payload }) => payload.name === "review_requested" && payload.task_id === taskId,
      );
    }
    assert.deepEqual(contentsOf(shop.repository), before);
    const entries = await shop.entries();
    const store = storeOf(shop, "shop");
    const filesOf = (workspaceId = ""): string =>
      git(store, "ls-tree", "-r", "--name-only", `refs/atrium/moments/${workspaceId}`);
    const [ofModel, ofAcp, ofProgram] = tasks;
    const BASE = [".gitignore", "README.md"];
    const END = ["src/price.ts"];
    assert.deepEqual(filesOf(ofModel).split("\n"), [...BASE, "env.txt", "made.txt", ...END]);
    assert.deepEqual(filesOf(ofAcp).split("\n"), [...BASE, "acp.txt", ...END].toSorted());
    assert.deepEqual(filesOf(ofProgram).split("\n"), [...BASE, "env.txt", "program.txt", ...END]);
    const projectId = entries.find(({ type }) => type === "project.request_submitted")?.stream;
    const told = git(store, "show", `refs/atrium/moments/${ofProgram}:env.txt`);
    assert.equal(told, `${ofProgram} ${projectId?.replace("project/", "")}`);
    // They worked at the same time.
    const isWork = ({ stream }: Entry): boolean => stream.includes(":task:");
    const seqs = (type: string): readonly number[] =>
      entries.filter((entry) => isWork(entry) && entry.type === type).map(({ seq }) => seq);
    assert.ok(Math.max(...seqs("run.started")) < Math.min(...seqs("run.completed")));
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test("[SHOP-4] without git, tasks yield documents as ever, and a project that names a repository says what is missing", async () => {
  await using model = await openModelServer(works());
  await using shop = await openShop({
    runtimes: { local: modelOn(model.baseUrl) },
    agents: [ENG],
    options: { env: { PATH: "" } },
  });
  await shop.request("Make it");
  await shop.peer.event("review_requested");
  await shop.request("Make it again");
  const said = shop.atrium.notes.filter(
    ({ what }) => what === "tasks and builds work without files",
  );
  assert.equal(said.length, 1);
  await shop.request("Make it", "shop");
  const { payload } = await shop.peer.event("task_failed");
  assert.match(payload.reason, /repository shop cannot be used: Git is missing or too old/);
});

test(
  "[SHOP-4] a repository that vanished fails the run with the reason; what was opened goes on",
  { skip },
  async () => {
    await using model = await openModelServer(works(WRITE));
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [ENG],
    });
    renameSync(shop.repository, `${shop.repository}-away`);
    const [taskId = ""] = await shop.request("Make it", "shop");
    const { payload } = await shop.peer.event("task_failed");
    assert.match(payload.reason, /^The repository shop cannot be used: /);
    renameSync(`${shop.repository}-away`, shop.repository);
    await shop.peer.ask("rerun_task", { task_id: taskId });
    await shop.peer.event("review_requested");
    const [folder] = readdirSync(join(shop.home, "workshop/worktrees"));
    assert.ok(folder?.startsWith(taskId));
    const entries = await shop.entries();
    assert.deepEqual(typesIn(entries, `workspace/${taskId}`), [
      "workspace.opened",
      "workspace.failed",
      "workspace.opened",
      "workspace.ready",
      "workspace.sealed",
    ]);
  },
);
