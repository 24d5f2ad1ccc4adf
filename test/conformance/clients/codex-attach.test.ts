/** The real Codex of an agent, taken into a terminal in the middle of its turn, and given back. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gone } from "../../kit/processes.ts";
import { startServer } from "../../kit/server-process.ts";
import { askedForPermission, ended, say, transcript } from "../kit/claude-whole.ts";
import { openCodexStage, USAGE, type CodexRequest } from "../kit/codex-stage.ts";
import { findCodex } from "../kit/peer.ts";
import { openTerminal } from "../kit/pseudo-terminal.ts";

const codex = findCodex();
const CLI = fileURLToPath(new URL("../../../apps/cli/src/main.ts", import.meta.url));

function answer({ said, returned }: CodexRequest) {
  const speak = (text: string) => ({ type: "answer", chunks: [text], usage: USAGE }) as const;
  if (said.includes("has given it back")) return speak("All done, with what Ann said.");
  if (said.includes("From the terminal")) return speak("Heard in the terminal.");
  if (!said.includes("First task") || returned.length > 0) return speak("A title");
  const call = { name: "exec_command", input: { cmd: "echo one > ran.txt" } };
  return { type: "answer", chunks: [], toolCalls: [call], usage: USAGE } as const;
}

for (const [beside, hasDaemon] of [
  ["", false],
  [" beside a daemon of its user", true],
] as const) {
  test(
    `[CONF-41] an agent's Codex is taken into a terminal in the middle of its turn, and the agent goes on after it${beside}`,
    { skip: codex.skip },
    async () => {
      await using stage = await openCodexStage({ command: codex.path(), answer });
      const { folder, work, codexHome, env, model } = stage;
      const settings = join(codexHome, "config.toml");
      const trusted = `[projects."${work}"]\ntrust_level = "trusted"\n`;
      // What its terminal notes at the first start of all.
      const seenBefore = `[tui]\nscreen_reader_detection_done = true\n`;
      const nux = `[tui.model_availability_nux]\n"gpt-6.1-sol" = 4\n`;
      writeFileSync(
        settings,
        [readFileSync(settings, "utf8"), trusted, seenBefore, nux].join("\n"),
      );
      if (hasDaemon) {
        const started = spawnSync(codex.path(), ["app-server", "daemon", "start"], {
          cwd: work,
          env,
        });
        assert.equal(started.status, 0, String(started.stderr));
      }
      const runtime = { type: "codex", command: codex.path(), cwd: work };
      const config = { runtimes: { codex: { ...runtime, env: ["CODEX_HOME", "FAKE_KEY"] } } };
      const file = join(folder, "atrium.config.json");
      writeFileSync(file, JSON.stringify(config));
      const home = join(folder, "atrium-home");
      await using server = await startServer(home, {
        args: ["--config", file, "--agents", "codex"],
        env,
      });
      await using ann = await server.connect({ client: { displayName: "Ann" } });
      await say(ann, "r1", "First task");
      await askedForPermission(ann, "echo one");
      const args = [CLI, "attach", "main", "--home", home];
      const terminal = openTerminal(process.execPath, args, {
        cwd: work,
        env: { ...env, USER: "ann" },
      });
      try {
        await terminal.shows(/First\s*task/);
        terminal.type("From the terminal");
        await terminal.shows(/terminal/);
        terminal.type("\r");
        await terminal.shows(/Heard\s*in\s*the\s*terminal/);
        terminal.type("/quit");
        await terminal.shows(/quit/);
        terminal.type("\r");
        assert.equal((await ended(ann, "r1")).status, "ok");
        const lines = await transcript(ann);
        assert.equal(lines.at(-1), "assistant: All done, with what Ann said.", lines.join("\n"));
        const { body } = model.requests.at(-1) ?? {};
        assert.match(JSON.stringify(body), /has given it back/);
        assert.match(JSON.stringify(body), /Heard in the terminal/);
      } catch (cause) {
        throw new Error(terminal.drawn().slice(-3_000), { cause });
      } finally {
        await terminal[Symbol.asyncDispose]();
        await server.end();
        // The terminal leaves a daemon behind.
        const left = stage.processes();
        for (const pid of left) process.kill(pid, "SIGKILL");
        await gone(left);
      }
    },
  );
}
