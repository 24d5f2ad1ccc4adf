/** `atrium attach` where several nodes serve one log: given to a node that does not direct. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { codexPrompt } from "../../../apps/server/src/agents/codex/testing/codex-double.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { runCli, startCliInTerminal } from "../../kit/cli-process.ts";
import { startCluster } from "../../kit/cluster-processes.ts";

const skip = skipWithout("nats-server");
const DOUBLE = fileURLToPath(
  new URL("../../../apps/server/src/agents/codex/testing/codex-double.ts", import.meta.url),
);
const KEPT = "kept-0123456789abcdefghij";

/** Codex to the server; in a terminal it tells what it was given, and ends with a line. */
const PROGRAM = `#!/bin/sh
case "$*" in
  *app-server*) exec ${process.execPath} ${DOUBLE} "$@" ;;
esac
echo "RESUMED $PWD key=$MY_API_KEY"
read -r line
`;

test(
  "[NODE-70] attach at a node that does not direct goes on with the director's agent, with the keys that all nodes share",
  { skip },
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-attach-"));
    const command = join(folder.path, "codex");
    writeFileSync(command, PROGRAM);
    chmodSync(command, 0o755);
    const codex = { type: "codex", command, cwd: folder.path, env: ["CODEX_HOME", "MY_API_KEY"] };
    await using cluster = await startCluster({
      names: ["a", "b"],
      settings: { runtimes: { codex } },
      args: ["--agents", "codex"],
      env: { CODEX_HOME: join(folder.path, "codex-home") },
    });
    const other = await cluster.other();
    const at = ["--home", other.home];
    const kept = await runCli(["config", "keep-key", "MY_API_KEY", ...at], { input: `${KEPT}\n` });
    assert.equal(kept.code, 0, kept.stderr);
    await assert.rejects(readFile(join(other.home, "keys.json")), "it is in the shared folder");
    await using peer = await other.connect();
    const message = codexPrompt({ say: "Painting." }, { hang: "interruptible" });
    await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: "r1" });
    await peer.first(
      ({ event, payload }) => event === "agent" && JSON.stringify(payload).includes("Painting."),
    );
    await using attached = startCliInTerminal(["attach", "main", ...at], { env: { USER: "ann" } });
    await attached.says(/RESUMED .*\r?\n/);
    assert.match(attached.stdout, new RegExp(`RESUMED ${folder.path} key=${KEPT}`));
    const again = await startCliInTerminal(["attach", "r1", ...at]).ended;
    assert.match(again.stdout, /in a terminal already/);
    attached.type("\n");
    const { code, stdout } = await attached.ended;
    assert.equal(code, 0, stdout);
    const { status } = await peer.ask("agent.wait", { runId: "r1", timeoutMs: 60_000 });
    assert.equal(status, "ok");
  },
);
