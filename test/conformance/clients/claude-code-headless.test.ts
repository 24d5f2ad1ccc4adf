/** The headless transport against the real Claude Code, offline. */
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createTestHost } from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import type { AgentRuntime } from "../../../apps/server/src/agents/turn/agent-runtime.ts";
import { openFolders } from "../../../apps/server/src/confinement/testing/confinement-stage.ts";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { describeClaude } from "../kit/claude-code.contract.ts";
import { openClaudeStage, USAGE } from "../kit/claude-stage.ts";
import { findClaudeCode } from "../kit/peer.ts";

const claude = findClaudeCode();
const { skip } = claude;
const settings = { transport: "headless" } as const;

describeClaude("headless", claude);

test(
  "[CLAUDE-10] a question of Claude's is put to people, and it hears the answer",
  { skip },
  async () => {
    await using stage = await openClaudeStage({
      command: claude.path(),
      settings,
      answer: ({ returned }) =>
        returned.length > 0
          ? { type: "answer", chunks: returned, usage: USAGE }
          : { type: "answer", toolCalls: [QUESTION], usage: USAGE },
    });
    const asked: unknown[] = [];
    const host = createTestHost({
      speed: 1,
      ask: (question) => {
        asked.push(question);
        return Promise.resolve("Blue");
      },
    });
    const events = await eventsOf(stage.runtime, turnOf("Paint it"), host);
    assert.deepEqual(asked, [{ text: "Which color?", options: ["Red", "Blue"] }]);
    assert.match(textIn(events), /"Which color\?"="Blue"/);
  },
);

test(
  "[CLAUDE-11] a wrong key and a conversation that is too long are told apart",
  { skip },
  async () => {
    for (const [status, message, kind, reason] of [
      [401, "invalid x-api-key", "unavailable", /no valid key or login/],
      [400, "prompt is too long: 210000 tokens > 200000 maximum", "context_length", /too long/],
    ] as const) {
      await using stage = await openClaudeStage({
        command: claude.path(),
        settings,
        answer: () => ({ type: "status", status, message }),
      });
      const events = await eventsOf(stage.runtime, turnOf("Hello"), createTestHost({ speed: 1 }));
      const last = events.at(-1);
      assert.ok(last?.type === "failed", JSON.stringify(last));
      assert.equal(last.kind, kind);
      assert.match(last.reason, reason);
    }
  },
);

test(
  "[CLAUDE-12] every turn has its own cost, in one process and after a restart of the server",
  { skip },
  async () => {
    await using stage = await openClaudeStage({
      command: claude.path(),
      settings: { ...settings, model: "claude-sonnet-4-5" },
    });
    const history = [{ role: "user" as const, text: "One." }];
    const costOf = async (runtime: AgentRuntime, prompt: string): Promise<number | undefined> => {
      const host = createTestHost({ speed: 1 });
      const events = await eventsOf(runtime, turnOf(prompt, { history }), host);
      assert.equal(events.at(-1)?.type, "completed", JSON.stringify(events));
      return events.findLast((event) => event.type === "usage")?.usage.cost;
    };
    const first = await costOf(stage.runtime, "One.");
    assert.ok(first !== undefined && first > 0, String(first));
    assert.equal(await costOf(stage.runtime, "Two."), first);
    await stage.runtime.close?.();
    assert.equal(await costOf(stage.another(), "Three."), first);
  },
);

test(
  "[CLAUDE-14] in a workspace its commands and tools stay there, and the folder's settings are not read",
  { skip: skip || skipWithoutSandbox() || skipWithout("socat") },
  async () => {
    await using folders = await openFolders();
    const { home, other } = folders;
    // Workspaces are in the home, which is out of reach all the same.
    const folder = join(home, "workspaces/w1");
    await mkdir(join(folder, ".claude"), { recursive: true });
    const hook = { type: "command", command: `touch ${join(other, "hooked")}` };
    const hooks = { PreToolUse: [{ matcher: "*", hooks: [hook] }] };
    await writeFile(join(folder, ".claude/settings.json"), JSON.stringify({ hooks }));
    const token = join(home, "token");
    // Where it is not named, its rules cannot know, and the sandbox has to.
    const up = `D=$(dirname "$(dirname "$PWD")")`;
    const command = `${up}; cat "$D"/tok*; echo x > "$D/out"; echo y > inside.txt; echo "in $PWD"`;
    const calls = [
      { name: "Bash", input: { command, description: "looks around" } },
      { name: "Bash", input: { command: `${up}; cat "$D"/tok*`, dangerouslyDisableSandbox: true } },
      { name: "Read", input: { file_path: token } },
      { name: "Write", input: { file_path: join(home, "atrium.db"), content: "x" } },
      { name: "Write", input: { file_path: join(folder, "made.txt"), content: "made" } },
    ];
    await using stage = await openClaudeStage({
      command: claude.path(),
      settings,
      secretFolders: [home],
      answer: ({ returned }) => {
        const next = calls[returned.length];
        if (next !== undefined) return { type: "answer", toolCalls: [next], usage: USAGE };
        return { type: "answer", chunks: ["done"], usage: USAGE };
      },
    });
    const asked: string[] = [];
    const host = createTestHost({
      speed: 1,
      requestPermission: ({ tool }) => {
        asked.push(tool);
        return Promise.resolve("allowed");
      },
    });
    const turn = turnOf("Go", { workspace: { folder, store: null } });
    const events = await eventsOf(stage.runtime, turn, host);
    const results = events.flatMap((event) => (event.type === "tool.returned" ? [event.text] : []));
    assert.equal(results.length, calls.length, JSON.stringify(events));
    assert.match(results[0] ?? "", new RegExp(`in ${folder}`));
    assert.doesNotMatch(results.join("\n"), /server-token/);
    assert.match(results[2] ?? "", /denied by your permission settings/);
    assert.match(results[3] ?? "", /denied by your permission settings/);
    assert.deepEqual(asked, ["Bash", "Bash", "Write"]);
    assert.equal(await readFile(join(folder, "inside.txt"), "utf8"), "y\n");
    assert.equal(await readFile(join(folder, "made.txt"), "utf8"), "made");
    assert.deepEqual((await readdir(home)).toSorted(), ["token", "workspaces"]);
    assert.deepEqual(await readdir(other), ["secret"]);
  },
);

const QUESTION = {
  name: "AskUserQuestion",
  input: {
    questions: [
      {
        question: "Which color?",
        header: "Color",
        multiSelect: false,
        options: [
          { label: "Red", description: "warm" },
          { label: "Blue", description: "cold" },
        ],
      },
    ],
  },
};
