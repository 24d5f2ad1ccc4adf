/** `atrium attach`: the process of the command becomes the program in which an agent's session goes on. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { codexPrompt } from "../../../apps/server/src/agents/codex/testing/codex-double.ts";
import { runCli, startCliInTerminal } from "../../kit/cli-process.ts";
import { startServer } from "../../kit/server-process.ts";

const DOUBLE = fileURLToPath(
  new URL("../../../apps/server/src/agents/codex/testing/codex-double.ts", import.meta.url),
);
const KEPT = "kept-0123456789abcdefghij";

/** Codex to the server; in a terminal it tells what it was given, and ends with a line. */
const PROGRAM = `#!/bin/sh
case "$*" in
  *app-server*) exec ${process.execPath} ${DOUBLE} "$@" ;;
esac
echo "RESUMED $PWD agent=$ATRIUM_AGENT home=$CODEX_HOME key=$MY_API_KEY $*"
read -r line
`;

async function openStage() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "atrium-attach-"));
  const [home, command] = [join(folder.path, "home"), join(folder.path, "codex")];
  writeFileSync(command, PROGRAM);
  chmodSync(command, 0o755);
  const env = ["CODEX_HOME", "MY_API_KEY", "OTHER_TOKEN"];
  const config = { runtimes: { codex: { type: "codex", command, cwd: folder.path, env } } };
  const file = join(folder.path, "atrium.config.json");
  writeFileSync(file, JSON.stringify(config));
  const server = await startServer(home, {
    args: ["--config", file, "--agents", "codex"],
    env: { CODEX_HOME: join(folder.path, "codex-home"), OTHER_TOKEN: "other-0123456789abcdef" },
  });
  const cli = (words: readonly string[], input?: string) =>
    runCli([...words, "--home", home], input === undefined ? {} : { input });
  const attach = (...words: string[]) =>
    startCliInTerminal(["attach", ...words, "--home", home], { env: { USER: "ann" } });
  return {
    folder: folder.path,
    server,
    cli,
    attach,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      folder.remove();
    },
  };
}

test("[CLI-60] [TERMINAL-6] attach becomes the agent's program where it works, with keys of the home, and the run goes on after it", async () => {
  await using stage = await openStage();
  const { server, folder } = stage;
  assert.equal((await stage.cli(["config", "keep-key", "MY_API_KEY"], `${KEPT}\n`)).code, 0);
  await using peer = await server.connect();
  const message = codexPrompt({ say: "Painting." }, { hang: "interruptible" });
  await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: "r1" });
  await peer.first(
    ({ event, payload }) => event === "agent" && JSON.stringify(payload).includes("Painting."),
  );
  await using attached = stage.attach("main");
  await attached.says("RESUMED");
  await attached.says("End it to give the session back.");
  await attached.says("Set for Atrium, but not in this terminal: OTHER_TOKEN");
  await attached.says(`${folder} agent=terminal home=${join(folder, "codex-home")} key=${KEPT}`);
  const again = await stage.attach("r1").ended;
  assert.equal(again.code, 1);
  assert.match(again.stdout, /in a terminal already/);
  const wait = { runId: "r1", timeoutMs: 1 };
  assert.equal((await peer.ask("agent.wait", wait)).status, "timeout");
  attached.type("\n");
  const { code, stdout } = await attached.ended;
  assert.equal(code, 0, stdout);
  const { status } = await peer.ask("agent.wait", { runId: "r1", timeoutMs: 60_000 });
  assert.equal(status, "ok");
  const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
  const said = JSON.stringify(messages);
  assert.match(said, /ann has given it back/);
  assert.ok(!said.includes(KEPT));
});

test("[CLI-60] attach says what cannot be taken", async () => {
  await using stage = await openStage();
  const said = async (...words: string[]): Promise<string> => {
    const { code, stdout } = await stage.attach(...words).ended;
    assert.notEqual(code, 0);
    return stdout;
  };
  assert.match(await said(), /Name a run, a task or a conversation/);
  assert.match(await said("a b"), /run/i);
  assert.match(await said("agent:bd:task:task_abc_1"), /No run has that id/);
  assert.match((await stage.cli(["attach", "main"])).stderr, /needs a terminal/);
  assert.match(await said("main"), /Codex has said nothing in it/);
});
