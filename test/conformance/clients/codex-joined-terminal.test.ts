/** The real Codex, started by hand in its own terminal, with the plugin that `atrium join` installs and with its daemon. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answerInPage } from "../../kit/answer-in-page.ts";
import { runCli } from "../../kit/cli-process.ts";
import { startServer } from "../../kit/server-process.ts";
import { skipWithoutBrowser } from "../../kit/web-page.ts";
import { enterWorld, type WorldMessage, type WorldPeer } from "../../kit/world-peer.ts";
import { endProcesses, openHandStartedCodex, press } from "../kit/codex-hand-started.ts";
import { rememberFiles } from "../kit/folder-files.ts";
import { findCodex } from "../kit/peer.ts";
import { openTerminal } from "../kit/pseudo-terminal.ts";
import { WRITTEN_BY_CODEX } from "../kit/written-by-programs.ts";

const codex = findCodex();
const skip = codex.skip || skipWithoutBrowser;

// oxlint-disable-next-line typescript/no-explicit-any -- held against the schema when it came
type Seen = any;

const joinedIn = ({ type, payload }: WorldMessage): Seen[] =>
  type === "snapshot" ? payload.agents.filter(({ joined }: Seen) => joined !== undefined) : [];
const decisionsIn = ({ type, payload }: WorldMessage): Seen[] =>
  type === "snapshot" ? payload.decisions : [];

async function seen(peer: WorldPeer, isIt: (one: Seen) => boolean): Promise<Seen> {
  return joinedIn(await peer.first((message) => joinedIn(message).some(isIt))).find(isIt);
}

async function asked(peer: WorldPeer, file: string, status = "open"): Promise<Seen> {
  const isIt = (one: Seen): boolean => one.status === status && one.prompt.includes(file);
  return decisionsIn(await peer.first((each) => decisionsIn(each).some(isIt))).find(isIt);
}

async function idle(peer: WorldPeer): Promise<void> {
  await peer.next((message) => joinedIn(message).some(({ status }) => status === "idle"));
}

const isReached = ({ joined }: Seen): boolean => joined.message_moments.includes("at-once");
const allow = (peer: WorldPeer, { decision_id }: Seen): Promise<void> =>
  peer.ask("resolve_decision", { decision_id, choice: "Allow" });

/** As the transcript of the first session says. */
function threadBegunAt(codexHome: string): number {
  const files = readdirSync(join(codexHome, "sessions"), { recursive: true, encoding: "utf8" });
  const [first = ""] = files.filter((path) => path.endsWith(".jsonl")).toSorted();
  const [line = "{}"] = readFileSync(join(codexHome, "sessions", first), "utf8").split("\n");
  return Date.parse(JSON.parse(line).payload.timestamp);
}

test(
  "[DAEMON-8] [JOIN-70] Codex started by hand is in the office, asks there and in its terminal, is woken, and survives a kill of Atrium",
  { skip },
  async (t) => {
    await using stage = await openHandStartedCodex();
    const { work, codexHome, folder, env } = stage;
    const settings = join(codexHome, "config.toml");
    const before = readFileSync(settings, "utf8");
    const files = rememberFiles(codexHome, WRITTEN_BY_CODEX);
    const home = join(folder, "home");
    const joined = await runCli(["join", "codex", "--home", home], { env });
    assert.equal(joined.code, 0, joined.stderr);
    let server = await startServer(home);
    const terminal = openTerminal(codex.path(), [], { cwd: work, env });
    try {
      const peer = await enterWorld(server);
      const submit = async (text: string): Promise<void> => {
        terminal.type(text);
        await terminal.shows(new RegExp(text.slice(-8)));
        terminal.type("\r");
      };
      // As a user does it: trust all, continue.
      await terminal.shows(/esc\s*skip/);
      await press(terminal, "2", /›\s*2/);
      const trustedAt = Date.now();
      terminal.type("\r");
      const came = await seen(peer, () => true);
      const cameAt = Date.now();
      t.diagnostic(`in the office ${cameAt - trustedAt} ms after its hooks were trusted`);
      assert.equal(came.name, "Codex · work");
      const reached = await seen(peer, isReached);
      t.diagnostic(`reached ${Date.now() - trustedAt} ms after its hooks were trusted`);
      assert.equal(reached.agent_id, came.agent_id);
      // Answered in the page.
      await terminal.shows(/shortcuts/);
      await submit("Run: touch by-office.txt");
      const first = await asked(peer, "by-office.txt");
      assert.equal(first.agent_id, came.agent_id);
      await terminal.shows(/Yes, proceed/);
      const rested = idle(peer);
      await answerInPage(server, "touch by-office.txt", "y");
      await rested;
      assert.ok(existsSync(join(work, "by-office.txt")));
      // Codex has noted by now when it has begun the thread.
      const passed = cameAt - threadBegunAt(codexHome);
      t.diagnostic(`in the office ${passed} ms after its thread has begun`);
      // Its hooks, which run from the first prompt on, tell of the same session.
      await seen(peer, ({ joined: info }) => info.owner === "ann");
      assert.equal(joinedIn(peer.told("snapshot").at(-1)!).length, 1);
      // Answered in the terminal.
      await submit("Run: touch by-terminal.txt");
      await asked(peer, "by-terminal.txt");
      await terminal.shows(/Yes, proceed/);
      const restedThere = idle(peer);
      terminal.type("y");
      await asked(peer, "by-terminal.txt", "expired");
      await restedThere;
      assert.ok(existsSync(join(work, "by-terminal.txt")));
      // Asked before Atrium was killed, answered after it is back.
      await submit("Run: touch by-next.txt");
      await asked(peer, "by-next.txt");
      await server.end("SIGKILL");
      // Meanwhile nothing is blocked: its dialog is there.
      await terminal.shows(/Yes, proceed/);
      server = await startServer(home);
      const later = await enterWorld(server);
      await seen(later, isReached);
      const restedAgain = idle(later);
      await allow(later, await asked(later, "by-next.txt"));
      await restedAgain;
      assert.ok(existsSync(join(work, "by-next.txt")));
      // A message wakes it.
      await later.ask("leave_message", { agent_id: came.agent_id, text: "Mind the neap tides." });
      await seen(
        later,
        ({ joined: info, status }) => info.messages?.[0]?.moment === "at-once" && status === "idle",
      );
      await terminal.shows(/Mind the neap tides/);
      const bodies = JSON.stringify(stage.model.requests.map(({ body }) => body));
      assert.match(bodies, /left a message in Atrium: Mind the neap tides/);
      assert.equal(joinedIn(later.told("snapshot").at(-1)!).length, 1);
      // The daemon lets go of it a minute after its terminal is gone.
      const left = later.next(
        (message) => message.type === "snapshot" && joinedIn(message).length === 0,
      );
      await submit("/exit");
      await left;
    } finally {
      await terminal[Symbol.asyncDispose]();
      await server.end();
      await endProcesses(stage);
    }
    const left = await runCli(["leave", "codex", "--home", home], { env });
    assert.equal(left.code, 0, left.stderr);
    assert.equal(readFileSync(settings, "utf8"), before);
    files.assertUnchanged();
  },
);

test(
  "[DAEMON-10] questions of Codex in plan mode are answered in the office and in its terminal",
  { skip: codex.skip },
  async () => {
    await using stage = await openHandStartedCodex();
    const { work, folder, model, env } = stage;
    const home = join(folder, "home");
    const joined = await runCli(["join", "codex", "--home", home], { env });
    assert.equal(joined.code, 0, joined.stderr);
    const server = await startServer(home);
    const terminal = openTerminal(codex.path(), [], { cwd: work, env });
    const submit = async (text: string): Promise<void> => {
      terminal.type(text);
      await terminal.shows(new RegExp(text.slice(-8).replace("?", String.raw`\?`)));
      terminal.type("\r");
    };
    const heard = (): string => JSON.stringify(model.requests.map(({ body }) => body));
    try {
      const peer = await enterWorld(server);
      await terminal.shows(/esc\s*skip/);
      await press(terminal, "2", /›\s*2/);
      terminal.type("\r");
      await seen(peer, isReached);
      await terminal.shows(/shortcuts/);
      await submit("/plan");
      await terminal.shows(/Plan mode/);
      await submit("Ask: Which-net-by-office?");
      const one = await asked(peer, "by-office?");
      assert.deepEqual(one.options, ["Wide", "Narrow"]);
      await seen(peer, ({ status, joined: info }) => status === "asks" && info.can_ask);
      // Its own dialog is open meanwhile.
      await terminal.shows(/1\.\s*Wide/);
      const rested = idle(peer);
      await peer.ask("resolve_decision", { decision_id: one.decision_id, choice: "Narrow" });
      await rested;
      assert.match(heard(), /net\\*":\{\\*"answers\\*":\[\\*"Narrow/);
      await submit("Ask: Which-net-by-terminal?");
      await asked(peer, "by-terminal?");
      await terminal.shows(/1\.\s*Wide/);
      const restedThere = idle(peer);
      terminal.type("\r");
      await asked(peer, "by-terminal?", "expired");
      await restedThere;
      assert.match(heard(), /net\\*":\{\\*"answers\\*":\[\\*"Wide/);
    } finally {
      await terminal[Symbol.asyncDispose]();
      await server.end();
      await endProcesses(stage);
    }
  },
);
