/** The real Codex, started by hand, with the plugin that `atrium join` installs. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { runCli } from "../../kit/cli-process.ts";
import { startServer } from "../../kit/server-process.ts";
import { enterWorld, type WorldMessage } from "../../kit/world-peer.ts";
import { openCodexStage, USAGE } from "../kit/codex-stage.ts";
import { rememberFiles } from "../kit/folder-files.ts";
import { findCodex } from "../kit/peer.ts";
import { WRITTEN_BY_CODEX } from "../kit/written-by-programs.ts";

const codex = findCodex();
const { skip } = codex;

// oxlint-disable-next-line typescript/no-explicit-any -- held against the schema when it came
type Seen = any;

const joinedIn = ({ type, payload }: WorldMessage): Seen[] =>
  type === "snapshot" ? payload.agents.filter(({ joined }: Seen) => joined !== undefined) : [];

test(
  "[JOIN-13] [JOIN-70] Codex started by hand is in the office, takes a message at the end of its turn, and goes when it ends",
  { skip },
  async () => {
    await using stage = await openCodexStage({
      command: codex.path(),
      answer: ({ said }) => ({
        type: "answer",
        // Long enough for someone to leave a message meanwhile, and then to be seen with it.
        chunks: said.includes("Mind the") ? ["Not", "ed", "."] : ["Let", " me", " see."],
        chunkDelayMs: 700,
        usage: USAGE,
      }),
    });
    const { work, codexHome, folder } = stage;
    const bin = join(folder, "bin");
    mkdirSync(bin);
    symlinkSync(codex.path(), join(bin, "codex"));
    const env = { ...stage.env, PATH: `${bin}${delimiter}${stage.env["PATH"]}`, USER: "ann" };
    const settings = join(codexHome, "config.toml");
    const before = readFileSync(settings, "utf8");
    const files = rememberFiles(codexHome, WRITTEN_BY_CODEX);
    const home = join(folder, "home");
    const joined = await runCli(["join", "codex", "--home", home], { env });
    assert.equal(joined.code, 0, joined.stderr);
    assert.match(joined.stdout, /asks you to review the hooks/);
    await using server = await startServer(home);
    await using peer = await enterWorld(server);
    // As if its user had trusted the hooks, which takes a terminal.
    const args = [
      "exec",
      "--dangerously-bypass-hook-trust",
      "--skip-git-repo-check",
      "Look around",
    ];
    const child = spawn(codex.path(), args, { cwd: work, env, stdio: ["ignore", "pipe", "pipe"] });
    const ended = once(child, "close");
    const isWorking = (one: Seen): boolean => one.status === "working";
    const came = joinedIn(await peer.first((message) => joinedIn(message).some(isWorking)))[0];
    assert.equal(came.name, "Codex · work");
    assert.equal(came.joined.owner, "ann");
    assert.equal(came.joined.can_ask, false);
    await peer.ask("leave_message", { agent_id: came.agent_id, text: "Mind the neap tides." });
    const [code] = await ended;
    assert.equal(code, 0);
    const last = JSON.stringify(stage.model.requests.at(-1)?.body);
    assert.match(last, /left a message in Atrium: Mind the neap tides/);
    await peer.first((message) =>
      joinedIn(message).some((one) => one.joined.messages?.[0]?.moment === "turn-end"),
    );
    const isGone = (message: WorldMessage): boolean =>
      message.type === "snapshot" && joinedIn(message).length === 0;
    if (!isGone(peer.told("snapshot").at(-1)!)) await peer.next(isGone);
    const left = await runCli(["leave", "--home", home], { env });
    assert.equal(left.code, 0, left.stderr);
    assert.equal(readFileSync(settings, "utf8"), before);
    files.assertUnchanged();
  },
);
