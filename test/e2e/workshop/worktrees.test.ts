/** Agents that change files: each in a worktree of its own, and the user's repository stays as it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { contentsOf, git, openShop } from "../../kit/workshop.ts";

test("[SHOP-1] [SHOP-2] a task works in a worktree of the repository its project names, and the log has its files", async () => {
  await using model = await openModelServer(({ body }) => {
    const results = body.messages.filter(({ role }: { role: string }) => role === "tool").length;
    const calls = (name: string, input: unknown) =>
      ({ type: "answer", toolCalls: [{ name, input }] }) as const;
    if (results === 0) return calls("write", { path: "made.txt", content: "made\n" });
    if (results === 1) return calls("read", { path: "made.txt" });
    return { type: "answer", chunks: ["Made."] };
  });
  await using shop = await openShop({
    runtimes: {
      local: { type: "model", provider: "openai-compatible", baseUrl: model.baseUrl, model: "m" },
    },
    agents: [{ id: "agent_eng_1", runtime: "local" }],
  });
  const before = contentsOf(shop.repository);
  const [taskId = ""] = await shop.request("Make it", "shop");
  await shop.peer.event("review_requested");
  assert.deepEqual(contentsOf(shop.repository), before);
  const [, asked] = model.requests;
  assert.match(JSON.stringify(asked?.body.messages), /a git worktree that is yours alone/);
  const entries = await shop.entries();
  const ofWorkspace = entries.filter(({ stream }) => stream === `workspace/${taskId}`);
  assert.deepEqual(
    ofWorkspace.map(({ type }) => type),
    ["workspace.opened", "workspace.ready"],
  );
  const returned = entries.filter(({ type }) => type === "run.tool.returned");
  const trees = returned.map(({ data }) => (data as { tree?: string }).tree);
  assert.equal(trees[1], undefined);
  const store = `${shop.home}/workshop/stores/shop.git`;
  assert.equal(git(store, "show", `${trees[0]}:made.txt`), "made");
  assert.equal(git(store, "show", `${trees[0]}:README.md`), "# Shop");
  assert.deepEqual(shop.atrium.faults, []);
});
