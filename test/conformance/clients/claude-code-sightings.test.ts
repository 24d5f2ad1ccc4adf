/** The real Claude Code, started by hand in a terminal and without the plugin, as its own files show it. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openModelServer, type ModelServer } from "../../kit/model-server/model-server.ts";
import { startServer } from "../../kit/server-process.ts";
import { patchSettings } from "../../kit/settings.ts";
import { enterWorld, type WorldMessage, type WorldPeer } from "../../kit/world-peer.ts";
import { askedIn, environment, USAGE } from "../kit/claude-stage.ts";
import { findClaudeCode } from "../kit/peer.ts";
import { openTerminal } from "../kit/pseudo-terminal.ts";

const claude = findClaudeCode();
const { skip } = claude;

// oxlint-disable-next-line typescript/no-explicit-any -- held against the schema when it came
type Seen = any;

const joinedIn = ({ type, payload }: WorldMessage): readonly Seen[] =>
  type === "snapshot" ? payload.agents.filter(({ joined }: Seen) => joined !== undefined) : [];

async function seen(peer: WorldPeer, isIt: (one: Seen) => boolean): Promise<Seen> {
  return joinedIn(await peer.first((message) => joinedIn(message).some(isIt))).find(isIt);
}

function openModel(): Promise<ModelServer> {
  return openModelServer(({ body }) => {
    const { said, returned } = askedIn(body);
    const [, command] = /^Run: (.*)$/m.exec(said) ?? [];
    if (command === undefined || returned.length > 0) {
      return { type: "answer", chunks: ["Done."], usage: USAGE };
    }
    const call = { name: "Bash", input: { command, description: "as told" } };
    return { type: "answer", chunks: [], toolCalls: [call], usage: USAGE };
  });
}

test(
  "[SIGHT-11] Claude Code in a terminal is seen without the plugin: idle, asking, working, gone",
  { skip },
  async () => {
    await using model = await openModel();
    const folder = mkdtempSync(join(tmpdir(), "atrium-sighted-"));
    const project = join(folder, "project");
    mkdirSync(project);
    const env = environment(folder, model.baseUrl);
    const config = env["CLAUDE_CONFIG_DIR"]!;
    mkdirSync(config);
    const trusted = { [project]: { hasTrustDialogAccepted: true } };
    const used = { hasCompletedOnboarding: true, theme: "dark", projects: trusted };
    writeFileSync(join(config, ".claude.json"), JSON.stringify(used));
    const server = await startServer(join(folder, "home"), {
      env: { CLAUDE_CONFIG_DIR: config, USER: "ann" },
    });
    const peer = await enterWorld(server);
    const terminal = openTerminal(claude.path(), ["--permission-mode", "manual"], {
      cwd: project,
      env,
    });
    try {
      await terminal.shows(/shortcuts|manual/);
      const on = await patchSettings(server, { sightings: { "claude-code": true } });
      assert.equal(on.status, 200);
      const came = await seen(peer, ({ status }) => status === "idle");
      assert.equal(came.name, "Claude Code · project");
      assert.equal(came.joined.source, "transcript");
      assert.equal(came.joined.owner, "ann");
      assert.equal(came.joined.folder, project);
      terminal.type("Run: sleep 4; touch tide.txt");
      await terminal.shows(/tide\.txt/);
      terminal.type("\r");
      await terminal.shows(/1\. Yes/);
      const asks = await seen(peer, ({ status }) => status !== "idle");
      assert.match(asks.status, /asks|working/);
      terminal.type("1");
      const busy = await seen(
        peer,
        ({ status, joined }) => status === "working" && joined.doing !== undefined,
      );
      assert.equal(busy.joined.doing, "Bash: sleep 4; touch tide.txt");
      assert.equal(busy.joined.model, "test-model");
      await terminal.shows(/Done\./);
      assert.ok(existsSync(join(project, "tide.txt")));
      await peer.next((message) => joinedIn(message).some(({ status }) => status === "idle"));
      const gone = peer.next(
        (message) => message.type === "snapshot" && joinedIn(message).length === 0,
      );
      await terminal[Symbol.asyncDispose]();
      await gone;
    } finally {
      await terminal[Symbol.asyncDispose]();
      await peer[Symbol.asyncDispose]();
      await server.end();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
);
