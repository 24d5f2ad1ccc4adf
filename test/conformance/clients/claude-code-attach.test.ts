/** The real Claude Code of an agent, taken into a terminal in the middle of its turn, and given back. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import type { RawPeer } from "../../kit/raw-peer.ts";
import { git, openShop, storeOf } from "../../kit/workshop.ts";
import type { WorldMessage } from "../../kit/world-peer.ts";
import { askedIn, environment, USAGE, type Asked } from "../kit/claude-stage.ts";
import { askedForPermission, ended, openWholeStage, say, transcript } from "../kit/claude-whole.ts";
import { findClaudeCode } from "../kit/peer.ts";
import { openTerminal, type Terminal } from "../kit/pseudo-terminal.ts";

const claude = findClaudeCode();
const { skip } = claude;
const CLI = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));
const CTRL_C = "\u0003";
const DOWN = "\u001b[B";
/** A dialog that was just drawn may not listen yet. */
const LISTENS_MS = 2_000;

function answer({ said, returned }: Asked) {
  const speak = (text: string) => ({ type: "answer", chunks: [text], usage: USAGE }) as const;
  if (said.includes("has given it back")) return speak("All done, with what Ann said.");
  if (said.includes("From the terminal")) return speak("Heard in the terminal.");
  if (!said.includes("First task")) return speak("Hello to you.");
  if (returned.length > 0) return speak("?");
  const call = { name: "Bash", input: { command: "echo one > ran.txt", description: "one" } };
  return { type: "answer", chunks: [], toolCalls: [call], usage: USAGE } as const;
}

/** Someone who has used Claude Code before, in this folder too. */
async function openStage() {
  const stage = await openWholeStage({ command: claude.path(), transport: "headless", answer });
  const { folder, home, model } = stage;
  const known = environment(folder, model.baseUrl);
  const env = { ...known, USER: "ann" };
  const config = known["CLAUDE_CONFIG_DIR"] ?? "";
  mkdirSync(config, { recursive: true });
  const trusted = { [folder]: { hasTrustDialogAccepted: true } };
  const used = { hasCompletedOnboarding: true, theme: "dark", projects: trusted };
  writeFileSync(join(config, ".claude.json"), JSON.stringify(used));
  const attach = (): Terminal =>
    openTerminal(process.execPath, [CLI, "attach", "main", "--home", home], { cwd: folder, env });
  return { stage, attach };
}

async function quit(terminal: Terminal): Promise<void> {
  terminal.type(CTRL_C);
  await terminal.shows(/again/);
  terminal.type(CTRL_C);
}

async function sayThere(terminal: Terminal): Promise<void> {
  terminal.type("From the terminal");
  await terminal.shows(/terminal/);
  terminal.type("\r");
  await terminal.shows(/Heard\s*in\s*the\s*terminal/);
}

async function isUnderWay(peer: RawPeer, runId: string): Promise<boolean> {
  return (await peer.ask("agent.wait", { runId, timeoutMs: 1 })).status === "timeout";
}

test(
  "[CONF-40] an agent's Claude Code is taken into a terminal in the middle of its turn, and the agent goes on after it",
  { skip },
  async () => {
    const { stage, attach } = await openStage();
    await using _stage = stage;
    const server = await stage.start();
    await using ann = await server.connect({ client: { displayName: "Ann" } });
    await say(ann, "r1", "First task");
    await askedForPermission(ann, "echo one");
    await using terminal = attach();
    await terminal.shows(/First\s*task/);
    // What was asked is not asked any more.
    await ann.first(({ event }) => event === "exec.approval.resolved");
    await sayThere(terminal);
    assert.ok(await isUnderWay(ann, "r1"));
    await quit(terminal);
    assert.equal((await ended(ann, "r1")).status, "ok");
    const lines = await transcript(ann);
    assert.equal(lines.at(-1), "assistant: All done, with what Ann said.");
    assert.ok(lines.includes("assistant: terminal"), lines.join("\n"));
    const last = JSON.stringify(stage.model.requests.at(-1)?.body);
    assert.match(last, /Heard in the terminal/);
    assert.match(last, /ann took this session into a terminal/);
  },
);

test(
  "[CONF-40] the server is killed while a session is in a terminal: it stays there, and what is asked meanwhile waits",
  { skip },
  async () => {
    const { stage, attach } = await openStage();
    await using _stage = stage;
    const first = await stage.start();
    await using before = await first.connect();
    await say(before, "r1", "Hello");
    assert.equal((await ended(before, "r1")).status, "ok");
    await using terminal = attach();
    await terminal.shows(/Hello/);
    await first.end("SIGKILL");
    const second = await stage.start();
    await using after = await second.connect();
    await say(after, "r2", "After the kill");
    await after.first(
      ({ event, payload }) =>
        event === "agent" && JSON.stringify(payload).includes("In a terminal of ann"),
    );
    await sayThere(terminal);
    assert.ok(await isUnderWay(after, "r2"));
    await quit(terminal);
    assert.equal((await ended(after, "r2")).status, "ok");
    const last = JSON.stringify(stage.model.requests.at(-1)?.body);
    assert.match(last, /Heard in the terminal/);
    assert.match(last, /After the kill/);
  },
);

test(
  "[CONF-40] a task's session is taken in its worktree, and what a person changed there is part of the change",
  { skip: skip || skipWithout("git") || skipWithoutSandbox() || skipWithout("socat") },
  async () => {
    await using api = await openModelServer(({ body }) => {
      const { said, returned } = askedIn(body);
      if (said.includes("has given it back") || returned.length > 0) {
        return { type: "answer", chunks: ["Done, with what Ann did."], usage: USAGE };
      }
      const input = { command: "echo waits > waits.txt", description: "Waits" };
      return { type: "answer", toolCalls: [{ name: "Bash", input }], usage: USAGE };
    });
    await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-claude-"));
    const env = environment(folder.path, api.baseUrl);
    const config = env["CLAUDE_CONFIG_DIR"] ?? "";
    mkdirSync(config, { recursive: true });
    const runtime = { type: "claude-code", command: claude.path(), transport: "headless" };
    await using shop = await openShop({
      runtimes: { claude: { ...runtime, env: Object.keys(env) } },
      agents: [{ id: "agent_eng_1", runtime: "claude" }],
      options: { env },
    });
    await using ann = await shop.atrium.connect({ client: { displayName: "Ann" } });
    const used = { hasCompletedOnboarding: true, theme: "dark" };
    writeFileSync(join(config, ".claude.json"), JSON.stringify(used));
    const [taskId = ""] = await shop.request("Make it", "shop");
    await askedForPermission(ann, "echo waits > waits.txt");
    const place = ["--url", shop.atrium.url, "--token", shop.atrium.token ?? ""];
    const args = [CLI, "attach", taskId, ...place];
    const home = { cwd: folder.path, env: { ...env, USER: "ann" } };
    await using terminal = openTerminal(process.execPath, args, home);
    // It asks its user about a folder that is new to it.
    await terminal.shows(/to\s*confirm/);
    await sleep(LISTENS_MS);
    terminal.type(DOWN);
    await terminal.shows(/❯\s*Yes/);
    await sleep(LISTENS_MS);
    terminal.type("\r");
    await terminal.shows(/Task\s*1\s*of\s*1/);
    await sleep(LISTENS_MS);
    const asked = JSON.stringify(api.requests.map(({ body }) => body));
    const [, worktree = ""] = /You work in the folder (\S+),/.exec(asked) ?? [];
    writeFileSync(join(worktree, "by-hand.txt"), "by hand\n");
    await quit(terminal);
    const isReviewed = ({ payload }: WorldMessage): boolean =>
      payload.name === "review_requested" && payload.task_id === taskId;
    await shop.peer.first(isReviewed);
    const files = git(
      storeOf(shop, "shop"),
      "ls-tree",
      "-r",
      "--name-only",
      `refs/atrium/moments/${taskId}`,
    );
    assert.match(files, /^by-hand\.txt$/m);
    assert.deepEqual(shop.atrium.faults, []);
  },
);
