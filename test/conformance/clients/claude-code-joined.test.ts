/** The real Claude Code, started by hand in a terminal, with the plugin that `atrium join` installs. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { answerInPage } from "../../kit/answer-in-page.ts";
import { runCli } from "../../kit/cli-process.ts";
import { startServer } from "../../kit/server-process.ts";
import { skipWithoutBrowser } from "../../kit/web-page.ts";
import { enterWorld, type WorldMessage, type WorldPeer } from "../../kit/world-peer.ts";
import { openClaudeJoinedStage } from "../kit/claude-joined-stage.ts";
import { rememberFiles } from "../kit/folder-files.ts";
import { findClaudeCode } from "../kit/peer.ts";
import { openTerminal, type Terminal } from "../kit/pseudo-terminal.ts";
import { WRITTEN_BY_CLAUDE_CODE } from "../kit/written-by-programs.ts";

const claude = findClaudeCode();
const skip = claude.skip || skipWithoutBrowser;

// oxlint-disable-next-line typescript/no-explicit-any -- held against the schema when it came
type Seen = any;

const inSnapshot = ({ type, payload }: WorldMessage, list: "agents" | "decisions"): Seen[] =>
  type === "snapshot" ? (payload[list] as Seen[]) : [];

async function seen(
  peer: WorldPeer,
  list: "agents" | "decisions",
  isIt: (one: Seen) => boolean,
): Promise<Seen> {
  const found = await peer.first((message) => inSnapshot(message, list).some(isIt));
  return inSnapshot(found, list).find(isIt);
}

/** The next time that its turn is over. */
async function idle(peer: WorldPeer): Promise<void> {
  await peer.next((message) =>
    inSnapshot(message, "agents").some(({ joined, status }) => joined && status === "idle"),
  );
}

const isAsked =
  (command: string, status = "open") =>
  (one: Seen): boolean =>
    one.status === status && one.prompt.includes(command);

/** Types it as a person does. */
async function submit(terminal: Terminal, text: string): Promise<void> {
  terminal.type(text);
  await terminal.shows(new RegExp(text.slice(-8)));
  terminal.type("\r");
}

/** A dialog that was just drawn may not take keys yet. */
async function answerInTerminal(terminal: Terminal, answered: Promise<unknown>): Promise<void> {
  do terminal.type("1");
  while ((await Promise.race([answered, setTimeout(3_000, "again")])) === "again");
}

async function exists(path: string): Promise<void> {
  while (!existsSync(path)) await setTimeout(50);
}

test(
  "[JOIN-10] [JOIN-70] Claude Code started by hand is in the office, asks there and in its terminal, and survives a kill of Atrium",
  { skip },
  async (t) => {
    await using stage = await openClaudeJoinedStage();
    const { project, home, env, folder } = stage;
    const settings = join(folder, ".claude-config", "settings.json");
    // A hook of its user's, which runs beside ours, tells when the first one was called.
    const calledAt = join(folder, "called-at");
    const hook = { type: "command", command: `date +%s%3N > '${calledAt}'` };
    const hooks = JSON.stringify({ SessionStart: [{ hooks: [hook] }] });
    const before = `{\n   "env": {"TIDE": "high"},   "theme": "dark", "hooks": ${hooks} }\n`;
    writeFileSync(settings, before);
    const config = rememberFiles(join(folder, ".claude-config"), WRITTEN_BY_CLAUDE_CODE);
    const joined = await runCli(["join", "--home", home], { env });
    assert.equal(joined.code, 0, joined.stderr);
    assert.match(readFileSync(settings, "utf8"), /atrium@atrium/);
    let server = await startServer(home);
    const terminal = openTerminal(claude.path(), ["--permission-mode", "manual"], {
      cwd: project,
      env,
    });
    try {
      const peer = await enterWorld(server);
      const came = await seen(peer, "agents", ({ joined: info }) => info !== undefined);
      const cameAt = Date.now();
      assert.equal(came.name, "Claude Code · project");
      assert.equal(came.joined.owner, "ann");
      const passed = cameAt - Number(readFileSync(calledAt, "utf8"));
      t.diagnostic(`in the office ${passed} ms after its first hook was called`);
      // Answered in the page.
      await terminal.shows(/shortcuts|manual/);
      await submit(terminal, "Run: touch by-office.txt");
      const first = await seen(peer, "decisions", isAsked("by-office.txt"));
      assert.equal(first.agent_id, came.agent_id);
      const rested = idle(peer);
      await answerInPage(server, "touch by-office.txt", "y");
      await rested;
      assert.ok(existsSync(join(project, "by-office.txt")));
      // Answered in the terminal.
      await submit(terminal, "Run: touch by-terminal.txt");
      await seen(peer, "decisions", isAsked("by-terminal.txt"));
      await terminal.shows(/1\. Yes/);
      await answerInTerminal(
        terminal,
        seen(peer, "decisions", isAsked("by-terminal.txt", "expired")),
      );
      await terminal.shows(/Done\./);
      assert.ok(existsSync(join(project, "by-terminal.txt")));
      // Asked before Atrium was killed, answered in the terminal while it is dead: nothing is blocked.
      await submit(terminal, "Run: touch by-itself.txt");
      await seen(peer, "decisions", isAsked("by-itself.txt"));
      await server.end("SIGKILL");
      await terminal.shows(/1\. Yes/);
      await answerInTerminal(terminal, exists(join(project, "by-itself.txt")));
      await terminal.shows(/Done\./);
      server = await startServer(home);
      const between = await enterWorld(server);
      // Asked before Atrium was killed, answered after it is back.
      await submit(terminal, "Run: touch by-next.txt");
      await seen(between, "decisions", isAsked("by-next.txt"));
      await server.end("SIGKILL");
      server = await startServer(home);
      const later = await enterWorld(server);
      const third = await seen(later, "decisions", isAsked("by-next.txt"));
      const restedAgain = idle(later);
      await later.ask("resolve_decision", { decision_id: third.decision_id, choice: "Allow" });
      await restedAgain;
      assert.ok(existsSync(join(project, "by-next.txt")));
      // A message wakes it: nobody types anything.
      await later.ask("leave_message", { agent_id: came.agent_id, text: "Mind the neap tides." });
      await seen(
        later,
        "agents",
        ({ joined: info, status }) => info?.messages?.[0]?.moment && status === "idle",
      );
      const asked = stage.model.requests.map(({ body }) => JSON.stringify(body));
      assert.ok(asked.some((each) => each.includes("Mind the neap tides")));
      const gone = later.next(
        (message) =>
          message.type === "snapshot" &&
          inSnapshot(message, "agents").every(({ joined: info }) => info === undefined),
      );
      await submit(terminal, "/exit");
      await gone;
    } finally {
      await terminal[Symbol.asyncDispose]();
      await server.end();
    }
    const left = await runCli(["leave", "--home", home], { env });
    assert.equal(left.code, 0, left.stderr);
    assert.equal(readFileSync(settings, "utf8"), before);
    config.assertUnchanged();
    const state = readFileSync(join(folder, ".claude-config", ".claude.json"), "utf8");
    assert.ok(!state.includes("atrium@"));
  },
);

test(
  "[SIGHT-16] Claude Code whose turn is cancelled in its terminal rests in the office too",
  { skip },
  async (t) => {
    await using stage = await openClaudeJoinedStage();
    const { project, home, env } = stage;
    const joined = await runCli(["join", "--home", home], { env });
    assert.equal(joined.code, 0, joined.stderr);
    const server = await startServer(home, {
      env: { CLAUDE_CONFIG_DIR: env["CLAUDE_CONFIG_DIR"]! },
    });
    const terminal = openTerminal(claude.path(), ["--permission-mode", "manual"], {
      cwd: project,
      env,
    });
    try {
      const peer = await enterWorld(server);
      await terminal.shows(/shortcuts|manual/);
      await submit(terminal, "Run: mkfifo late.fifo; cat late.fifo");
      const { decision_id } = await seen(peer, "decisions", isAsked("mkfifo late"));
      await peer.ask("resolve_decision", { decision_id, choice: "Allow" });
      const working = ({ joined: info, status }: Seen): boolean =>
        status === "working" && info?.doing === "Bash: mkfifo late.fifo; cat late.fifo";
      await seen(peer, "agents", working);
      const rested = idle(peer);
      await setTimeout(3_000);
      const cancelledAt = Date.now();
      terminal.type("\u001b");
      await terminal.shows(/[Ii]nterrupted/);
      await rested;
      t.diagnostic(`at rest ${Date.now() - cancelledAt} ms after Escape`);
    } finally {
      await terminal[Symbol.asyncDispose]();
      await server.end();
    }
  },
);
