/** The real Codex, started by hand and without the plugin, as its own files show it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { startServer } from "../../kit/server-process.ts";
import { patchSettings } from "../../kit/settings.ts";
import { enterWorld, type WorldMessage } from "../../kit/world-peer.ts";
import { openCodexStage, USAGE } from "../kit/codex-stage.ts";
import { findCodex } from "../kit/peer.ts";

const codex = findCodex();
const { skip } = codex;

// oxlint-disable-next-line typescript/no-explicit-any -- held against the schema when it came
type Seen = any;

const joinedIn = ({ type, payload }: WorldMessage): readonly Seen[] =>
  type === "snapshot" ? payload.agents.filter(({ joined }: Seen) => joined !== undefined) : [];

test(
  "[SIGHT-12] Codex started by hand is seen without the plugin while it works, and gone when it ends",
  { skip },
  async () => {
    await using stage = await openCodexStage({
      command: codex.path(),
      // Long enough to be looked at.
      answer: () => ({
        type: "answer",
        chunks: ["Let", " me", " see", " the", " tide."],
        chunkDelayMs: 1_500,
        usage: USAGE,
      }),
    });
    const { work, codexHome, env } = stage;
    await using server = await startServer(join(stage.folder, "home"), {
      env: { CODEX_HOME: codexHome, USER: "ann" },
    });
    await using peer = await enterWorld(server);
    const on = await patchSettings(server, { sightings: { codex: true } });
    assert.equal(on.status, 200);
    const child = spawn(codex.path(), ["exec", "--skip-git-repo-check", "Look around"], {
      cwd: work,
      env,
      stdio: ["ignore", "ignore", "ignore"],
    });
    const ended = once(child, "close");
    const isWorking = (one: Seen): boolean => one.status === "working" && one.joined.model;
    const came = joinedIn(await peer.first((message) => joinedIn(message).some(isWorking)))[0];
    assert.equal(came.name, "Codex · work");
    const { source, folder, owner, can_ask } = came.joined;
    assert.deepEqual(
      { source, folder, owner, can_ask },
      { source: "transcript", folder: work, owner: "ann", can_ask: false },
    );
    const isGone = (message: WorldMessage): boolean =>
      message.type === "snapshot" && joinedIn(message).length === 0;
    const gone = peer.next(isGone);
    const [code] = await ended;
    assert.equal(code, 0);
    await gone;
    assert.doesNotMatch(JSON.stringify(peer.told("snapshot")), /Look around|the tide/);
  },
);
