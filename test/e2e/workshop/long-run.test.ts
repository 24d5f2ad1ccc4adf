/** A model that works for 200 steps in its worktree, with real tools, in a context that holds a few of them. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { openModelServer, type Body } from "../../kit/model-server/model-server.ts";
import { withHome } from "../../kit/server-process.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const STEPS = 200;
const CONTEXT_TOKENS = 8_000;
const TASK = { title: "Write the notes", description: "All of them.", role: "engineer" };
const PLAN = JSON.stringify({ title: "Notes", summary: "One thing.", tasks: [TASK] });
const PAGE = `${"a line of a draft\n".repeat(80)}state: open\n`;

/** Writes, reads, edits and tests one note after the other, without end. */
function toolAt(step: number): { readonly name: string; readonly input: object } {
  const path = `notes/${Math.ceil(step / 5)}.txt`;
  switch (step % 5) {
    case 1:
      return { name: "write", input: { path, content: PAGE } };
    case 2:
      return { name: "read", input: { path } };
    case 3:
      return { name: "edit", input: { path, old: "state: open", new: "state: done" } };
    case 4:
      return { name: "search", input: { pattern: "state: open" } };
    default:
      return { name: "run", input: { command: "grep -l 'state: done' notes/*.txt | wc -l" } };
  }
}

function tokensOf(messages: Body): number {
  return Math.ceil(JSON.stringify(messages).length / 4);
}

function createWorker() {
  let steps = 0;
  const seen = { sizes: [] as number[], handOvers: 0, results: [] as string[] };
  const decide = ({ messages }: Body): Behavior => {
    const inputTokens = tokensOf(messages);
    const usage = { inputTokens, outputTokens: 10, cachedTokens: Math.floor(inputTokens * 0.9) };
    const last = messages.at(-1);
    const lastText = JSON.stringify(last.content);
    if (JSON.stringify(messages).includes("Plan this for the team")) {
      return { type: "answer", chunks: [PLAN], usage };
    }
    if (lastText.includes("Write a hand-over now")) {
      seen.handOvers += 1;
      return { type: "answer", chunks: [`Next: go on after step ${steps}.`], usage };
    }
    if (last.role === "tool") seen.results.push(String(last.content));
    seen.sizes.push(inputTokens);
    steps += 1;
    return { type: "answer", toolCalls: [toolAt(steps)], usage };
  };
  return { decide, seen };
}

const skip = skipWithoutSandbox() || skipWithout("git");

test(
  "[MODEL-11] 200 steps with real tools fit into a small context and a budget, and the result says that it was cut off",
  { skip, timeout: 240_000 },
  async () => {
    await withHome(async (home) => {
      const worker = createWorker();
      await using model = await openModelServer(({ body }) => worker.decide(body));
      const runtime = { type: "model", provider: "openai-compatible", model: "m" };
      const settings = {
        runtimes: { m: { ...runtime, baseUrl: model.baseUrl, contextTokens: CONTEXT_TOKENS } },
        agents: [
          { id: "agent_bd", name: "BD", role: "front desk", runtime: "m" },
          { id: "agent_eng_1", name: "Eng 1", role: "engineer", runtime: "m" },
        ],
      };
      await writeFile(join(home, "atrium.config.json"), JSON.stringify(settings));
      await using atrium = await openTestAtrium({ home, env: { PATH: process.env["PATH"] ?? "" } });
      await using peer = await enterWorld(atrium);
      await peer.ask("submit_request", { text: "Write all the notes" });
      const { project_id } = (await peer.event("kickoff_finished")).payload;
      await peer.ask("auto_assign", { project_id });
      const { tokens } = (await peer.event("work_finished")).payload;
      // Far over the default budget of a run, were cached input counted in full.
      assert.ok(tokens > 400_000, `${tokens} tokens`);
      const { sizes, handOvers, results } = worker.seen;
      assert.equal(sizes.length, STEPS);
      assert.ok(Math.max(...sizes) < CONTEXT_TOKENS, `${Math.max(...sizes)} tokens`);
      assert.ok(handOvers > 2, `${handOvers} hand-overs`);
      // The last command that the model was told of counted 39 of 40 notes.
      assert.match(results.findLast((text) => text.includes("exit code")) ?? "", /^\s*39\n/);
      assert.deepEqual(
        results.filter((text) => /^error/i.test(text)),
        [],
      );
      const { change } = (await peer.event("artifact_created")).payload;
      assert.equal(change.is_unfinished, true);
      assert.match(change.summary, /\[Cut off: the turn reached the most steps/);
      assert.deepEqual(atrium.faults, []);
    });
  },
);
