/** The real Claude Code works beside a model, an ACP agent and a program, each in a worktree of its own. */
import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { acpPrompt } from "../../kit/acp-agent.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { ACP, playStory, PROGRAM, TASKS } from "../../kit/whole-story.ts";
import { contentsOf, git, modelOn, openShop, storeOf, works } from "../../kit/workshop.ts";
import { askedIn, environment, USAGE } from "../kit/claude-stage.ts";
import { askedForPermission } from "../kit/claude-whole.ts";
import { findClaudeCode } from "../kit/peer.ts";

const claude = findClaudeCode();
const skip = claude.skip || skipWithout("git") || skipWithoutSandbox() || skipWithout("socat");
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const BASE = [".gitignore", "README.md", "src/price.ts"];

test(
  "[CONF-19] Claude Code, a model, an ACP agent and a program change files at once; the user's repository stays as it is",
  { skip },
  async () => {
    await using model = await openModelServer(
      works(["write", { path: "model.txt", content: "model\n" }]),
    );
    await using api = await openModelServer(({ body }) => {
      const { returned } = askedIn(body);
      const command = 'echo "$ATRIUM_TASK_ID" > claude.txt';
      const bash = { name: "Bash", input: { command, description: "Writes it" } };
      return returned.length === 0
        ? { type: "answer", toolCalls: [bash], usage: USAGE }
        : { type: "answer", chunks: ["Done."], usage: USAGE };
    });
    await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-claude-"));
    const env = environment(folder.path, api.baseUrl);
    const program = "cat > /dev/null; echo program > program.txt; sleep 3";
    await using shop = await openShop({
      runtimes: {
        local: modelOn(model.baseUrl),
        claude: {
          type: "claude-code",
          command: claude.path(),
          transport: "headless",
          env: Object.keys(env),
        },
        acp: {
          type: "acp",
          command: [process.execPath, join(ROOT, "test/kit/acp-agent.ts")],
          sandbox: { readable: [ROOT] },
        },
        program: { type: "command", command: ["/bin/sh", "-c", program] },
      },
      agents: [
        { id: "agent_eng_1", runtime: "claude" },
        { id: "agent_eng_2", runtime: "local" },
        { id: "agent_eng_3", runtime: "acp" },
        { id: "agent_eng_4", runtime: "program" },
      ],
      options: { env },
    });
    const before = contentsOf(shop.repository);
    await using ann = await shop.atrium.connect({ client: { displayName: "Ann" } });
    const steps = acpPrompt({ make: "acp.txt", content: "acp\n" }, { say: "Done." });
    const tasks = await shop.request(`Make it ${steps}`, "shop");
    const { id } = await askedForPermission(ann, "claude.txt");
    await ann.ask("approval.resolve", { id, kind: "exec", decision: "allow-once" });
    for (const taskId of tasks) {
      await shop.peer.first(
        ({ payload }) => payload.name === "review_requested" && payload.task_id === taskId,
      );
    }
    assert.deepEqual(contentsOf(shop.repository), before);
    const made = ["claude.txt", "model.txt", "acp.txt", "program.txt"];
    const store = storeOf(shop, "shop");
    for (const [n, taskId] of tasks.entries()) {
      const ref = `refs/atrium/moments/${taskId}`;
      const files = git(store, "ls-tree", "-r", "--name-only", ref).split("\n");
      assert.deepEqual(files, [...BASE, made[n] ?? ""].toSorted());
    }
    assert.equal(git(store, "show", `refs/atrium/moments/${tasks[0]}:claude.txt`), tasks[0]);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[CONF-20] Claude Code, a model, an ACP agent and a program finish a project; the branch holds what was approved and nothing else",
  { skip },
  async () => {
    await using model = await openModelServer(
      works(["run", { command: "echo model > model.txt; ls > last.txt" }]),
    );
    await using api = await openModelServer(({ body }) => {
      const { returned } = askedIn(body);
      const bash = { command: "echo claude > claude.txt", description: "Writes it" };
      return returned.length === 0
        ? { type: "answer", toolCalls: [{ name: "Bash", input: bash }], usage: USAGE }
        : { type: "answer", chunks: ["Done."], usage: USAGE };
    });
    await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-claude-"));
    const env = environment(folder.path, api.baseUrl);
    await using shop = await openShop({
      runtimes: {
        local: modelOn(model.baseUrl),
        claude: {
          type: "claude-code",
          command: claude.path(),
          transport: "headless",
          env: Object.keys(env),
        },
        acp: ACP,
        program: PROGRAM,
      },
      agents: [
        { id: "agent_eng_1", runtime: "claude" },
        { id: "agent_eng_2", runtime: "acp" },
        { id: "agent_eng_3", runtime: "program" },
        { id: "agent_eng_4", runtime: "local" },
      ],
      tasks: TASKS,
      options: { env },
    });
    await playStory(shop, {
      "claude.txt": "claude",
      "src/acp.txt": "acp",
      "seen-by-program.txt": "README.md\nclaude.txt\nseen-by-program.txt\nsrc",
      "model.txt": "model",
      "last.txt": "README.md\nclaude.txt\nlast.txt\nmodel.txt\nseen-by-program.txt\nsrc",
    });
  },
);
