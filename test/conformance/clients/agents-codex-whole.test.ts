/** The whole way with the real Codex, offline: clients, the server in its own process, Codex in it, our plugin in that. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { gone } from "../../kit/processes.ts";
import { startServer, type ServerProcess } from "../../kit/server-process.ts";
import { askedForPermission, ended, say, transcript } from "../kit/claude-whole.ts";
import { openCodexStage, USAGE, type CodexRequest, type CodexStage } from "../kit/codex-stage.ts";
import { findCodex } from "../kit/peer.ts";

const codex = findCodex();
const { skip } = codex;

function start(stage: CodexStage): Promise<ServerProcess> {
  const runtime = { type: "codex", command: codex.path(), cwd: stage.work };
  const config = { runtimes: { codex: { ...runtime, env: ["CODEX_HOME", "FAKE_KEY"] } } };
  const file = join(stage.folder, "atrium.config.json");
  writeFileSync(file, JSON.stringify(config));
  const args = ["--config", file, "--agents", "codex"];
  return startServer(join(stage.folder, "atrium-home"), { args, env: stage.env });
}

function speak(text: string): Behavior {
  return { type: "answer", chunks: [text], usage: USAGE };
}

function run(cmd: string): Behavior {
  return {
    type: "answer",
    toolCalls: [{ name: "exec_command", input: { cmd } }],
    usage: USAGE,
  };
}

function ours(name: string, input: object): Behavior {
  const toolCalls = [{ name, input, namespace: "mcp__atrium" }];
  return { type: "answer", toolCalls, usage: USAGE };
}

function answer({ said, returned }: CodexRequest): Behavior {
  const steps = said.includes("First")
    ? [
        ours("reply", { text: "I am on it." }),
        ours("deliver_artifact", { name: "plan.md", content: "# Plan" }),
        run("echo one >> ran.txt"),
        speak("All done."),
      ]
    : said.includes("Second")
      ? [run("echo two >> ran.txt"), speak("Not done.")]
      : said.includes("Long")
        ? [run("echo $$ > begun.txt; sleep 983"), speak("Slept.")]
        : [speak(`Heard: ${said}`)];
  return steps[returned.length] ?? speak("?");
}

test(
  "[CONF-31] asked by one client, Codex replies, delivers, is allowed by another, denied, stopped, and ends with the server",
  { skip },
  async () => {
    await using stage = await openCodexStage({ command: codex.path(), answer });
    await using server = await start(stage);
    await using ann = await server.connect({ client: { displayName: "Ann" } });
    await using bob = await server.connect({ client: { displayName: "Bob" } });
    await say(ann, "r1", "First task");
    const { code } = await askedForPermission(bob, "echo one");
    await say(bob, "answer", `yes ${code}`);
    assert.equal((await ended(ann, "r1")).status, "ok");
    await say(ann, "r2", "Second task");
    const { id } = await askedForPermission(bob, "echo two");
    await bob.ask("approval.resolve", { id, kind: "exec", decision: "deny" });
    assert.equal((await ended(ann, "r2")).status, "ok");
    assert.equal(readFileSync(join(stage.work, "ran.txt"), "utf8"), "one\n");
    const lines = await transcript(ann);
    assert.deepEqual(
      lines.filter((line) => !line.startsWith("toolResult")),
      [
        "user: First task",
        "assistant: reply",
        "assistant: I am on it.",
        "assistant: deliver_artifact",
        "assistant: plan.md",
        "assistant: shell",
        "assistant: All done.",
        "user: Second task",
        "assistant: shell",
        "assistant: Not done.",
      ],
    );
    await say(ann, "r3", "Long task");
    const asked = await askedForPermission(bob, "sleep 983");
    await bob.ask("approval.resolve", { id: asked.id, kind: "exec", decision: "allow-once" });
    await written(join(stage.work, "begun.txt"));
    const commands = await begun(stage, "sleep");
    assert.equal(commands.length, 1);
    await ann.ask("chat.abort", { sessionKey: "main", runId: "r3" });
    await ended(ann, "r3");
    await gone(commands);
    await server.end();
    await gone(stage.processes());
  },
);

test(
  "[CONF-32] when the server is killed, Codex and its commands end; the next server goes on with the thread",
  { skip },
  async () => {
    await using stage = await openCodexStage({ command: codex.path(), answer });
    await using server = await start(stage);
    await using ann = await server.connect();
    await say(ann, "r1", "The word is heron.");
    assert.equal((await ended(ann, "r1")).status, "ok");
    await say(ann, "r2", "Long task");
    const asked = await askedForPermission(ann, "sleep 983");
    await ann.ask("approval.resolve", { id: asked.id, kind: "exec", decision: "allow-once" });
    await written(join(stage.work, "begun.txt"));
    const before = stage.processes().filter((pid) => pid !== server.pid);
    assert.ok(before.length > 1);
    await server.end("SIGKILL");
    await gone(before);
    await using again = await start(stage);
    await using bob = await again.connect();
    await say(bob, "r3", "Which word?");
    assert.equal((await ended(bob, "r3")).status, "ok");
    const { input } = stage.model.requests.at(-1)?.body ?? {};
    assert.match(JSON.stringify(input), /Heard: The word is heron/);
    const lines = await transcript(bob);
    assert.match(lines.at(-1) ?? "", /^assistant: Heard: .*Which word\?$/s);
  },
);

async function written(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A shell says that it has begun before it has started the command. */
async function begun(stage: CodexStage, command: string): Promise<readonly number[]> {
  for (;;) {
    const found = stage.processes().filter((pid) => lineOf(pid).startsWith(command));
    if (found.length > 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function lineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
