/** The real Codex, started by hand in its own terminal: takes a task and hands it over. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { runCli } from "../../kit/cli-process.ts";
import { joinedAgent } from "../../kit/joined-office.ts";
import { gone } from "../../kit/processes.ts";
import { openCodexStage, type CodexRequest } from "../kit/codex-stage.ts";
import { findCodex } from "../kit/peer.ts";
import { openTerminal } from "../kit/pseudo-terminal.ts";
import { handedOver, openTaskOffice, takesTask, writeTaskSettings } from "../kit/task-by-hand.ts";

const codex = findCodex();
const skip = codex.skip || skipWithout("git") || skipWithout("curl");

const runs = (cmd: string) => ({ name: "exec_command", input: { cmd } });

function answer({ said, returned, body }: CodexRequest) {
  // It also asks for a title of the thread.
  const task = said.includes("Do not answer the request") ? "" : said;
  return takesTask(
    { said: task, returned, whole: JSON.stringify(body) },
    {
      runs,
      callsOurs: (name, input) => ({ namespace: "mcp__atrium", name, input }),
    },
  );
}

test(
  "[CONF-46] the real Codex, started by hand, takes a task, works in its worktree, and hands it over",
  { skip },
  async () => {
    await using stage = await openCodexStage({ command: codex.path(), answer });
    const { work, codexHome, folder } = stage;
    const settings = join(codexHome, "config.toml");
    const known = [
      `[projects."${work}"]\ntrust_level = "trusted"`,
      "[tui]\nscreen_reader_detection_done = true",
      '[tui.model_availability_nux]\n"gpt-6.1-sol" = 4',
    ];
    writeFileSync(settings, [readFileSync(settings, "utf8"), ...known].join("\n"));
    const bin = join(folder, "bin");
    mkdirSync(bin);
    symlinkSync(codex.path(), join(bin, "codex"));
    const env = { ...stage.env, PATH: `${bin}${delimiter}${stage.env["PATH"]}`, USER: "ann" };
    const home = join(folder, "home");
    await writeTaskSettings(home, folder);
    const joined = await runCli(["join", "codex", "--tasks", "--home", home], { env });
    assert.equal(joined.code, 0, joined.stderr);
    await using office = await openTaskOffice(home);
    const args = ["--sandbox", "danger-full-access", "--ask-for-approval", "never"];
    const terminal = openTerminal(codex.path(), args, { cwd: work, env });
    try {
      await terminal.shows(/esc\s*skip/);
      const trusted = terminal.shows(/›\s*2/).then(() => true);
      do terminal.type("2");
      while (!(await Promise.race([trusted, setTimeout(1_000, false)])));
      terminal.type("\r");
      await joinedAgent(office.peer, ({ joined: info }) =>
        info.message_moments.includes("at-once"),
      );
      await terminal.shows(/shortcuts/);
      terminal.type(`Take: ${office.taskId}`);
      await terminal.shows(new RegExp(office.taskId.slice(-8)));
      terminal.type("\r");
      await handedOver(office.peer);
    } catch (cause) {
      throw new Error(terminal.drawn().slice(-3_000), { cause });
    } finally {
      await terminal[Symbol.asyncDispose]();
      const left = stage.processes();
      for (const pid of left) process.kill(pid, "SIGKILL");
      await gone(left);
    }
  },
);
