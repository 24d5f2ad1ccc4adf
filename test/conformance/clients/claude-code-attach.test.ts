/** The real Claude Code of an agent, taken into a terminal in the middle of its turn, and given back. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { environment, USAGE, type Asked } from "../kit/claude-stage.ts";
import { askedForPermission, ended, openWholeStage, say, transcript } from "../kit/claude-whole.ts";
import { findClaudeCode } from "../kit/peer.ts";
import { openTerminal } from "../kit/pseudo-terminal.ts";

const claude = findClaudeCode();
const CLI = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));
const CTRL_C = "\u0003";

function answer({ said, returned }: Asked) {
  const speak = (text: string) => ({ type: "answer", chunks: [text], usage: USAGE }) as const;
  if (said.includes("has given it back")) return speak("All done, with what Ann said.");
  if (said.includes("From the terminal")) return speak("Heard in the terminal.");
  if (returned.length > 0) return speak("?");
  const call = { name: "Bash", input: { command: "echo one > ran.txt", description: "one" } };
  return { type: "answer", chunks: [], toolCalls: [call], usage: USAGE } as const;
}

test(
  "[CONF-36] an agent's Claude Code goes on in a terminal, also over a restart, and the agent after it",
  { skip: claude.skip },
  async () => {
    const command = claude.path();
    await using stage = await openWholeStage({ command, transport: "headless", answer });
    const env = environment(stage.folder, stage.model.baseUrl);
    const config = env["CLAUDE_CONFIG_DIR"] ?? "";
    mkdirSync(config, { recursive: true });
    const trusted = { [stage.folder]: { hasTrustDialogAccepted: true } };
    const used = { hasCompletedOnboarding: true, theme: "dark", projects: trusted };
    writeFileSync(join(config, ".claude.json"), JSON.stringify(used));
    const server = await stage.start();
    await using ann = await server.connect({ client: { displayName: "Ann" } });
    await say(ann, "r1", "First task");
    await askedForPermission(ann, "echo one");
    const args = [CLI, "attach", "main", "--home", stage.home];
    const terminal = openTerminal(process.execPath, args, {
      cwd: stage.folder,
      env: { ...env, USER: "ann" },
    });
    try {
      await terminal.shows(/First\s*task/);
      // What was asked is not asked any more.
      await ann.first(({ event }) => event === "exec.approval.resolved");
      terminal.type("From the terminal");
      await terminal.shows(/terminal/);
      terminal.type("\r");
      await terminal.shows(/Heard\s*in\s*the\s*terminal/);
      const wait = { runId: "r1", timeoutMs: 1 };
      assert.equal((await ann.ask("agent.wait", wait)).status, "timeout");
      terminal.type(CTRL_C);
      await terminal.shows(/again/);
      terminal.type(CTRL_C);
      assert.equal((await ended(ann, "r1")).status, "ok");
    } catch (cause) {
      throw new Error(terminal.drawn().slice(-3_000), { cause });
    } finally {
      await terminal[Symbol.asyncDispose]();
    }
    const lines = await transcript(ann);
    assert.equal(lines.at(-1), "assistant: All done, with what Ann said.");
    assert.ok(lines.includes("assistant: terminal"), lines.join("\n"));
    const last = JSON.stringify(stage.model.requests.at(-1)?.body);
    assert.match(last, /Heard in the terminal/);
    assert.match(last, /ann took this session into a terminal/);
  },
);
