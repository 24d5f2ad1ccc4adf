/** The real Qwen Code and Copilot CLI, started by hand in a terminal: each takes a task and hands it over. */
import { dirname } from "node:path";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { copilot } from "../kit/copilot-program.ts";
import { openJoinedStage, submit } from "../kit/joined-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";
import { qwen } from "../kit/qwen-program.ts";
import { handedOver, openTaskOffice, takesTask, writeTaskSettings } from "../kit/task-by-hand.ts";

const PROGRAMS = [
  {
    title: "Qwen Code",
    needed: findAgentProgram("qwen-code-0.24.4"),
    program: qwen,
    args: ["--approval-mode", "yolo"],
    ready: /Type your message/,
  },
  {
    title: "Copilot CLI",
    needed: findAgentProgram("copilot-1.0.102"),
    program: copilot,
    args: ["--allow-all"],
    ready: /Do you trust the files/,
  },
] as const;

for (const { title, needed, program, args, ready } of PROGRAMS) {
  test(
    `[CONF-46] the real ${title}, started by hand, takes a task, works in its worktree, and hands it over`,
    { skip: needed.skip || skipWithout("git") || skipWithout("curl") },
    async () => {
      const chosen = program(needed.path());
      await using stage = await openJoinedStage(chosen, (asked) => takesTask(asked, chosen));
      await writeTaskSettings(stage.home, dirname(stage.home));
      const joined = await stage.cli("join", chosen.command, "--tasks");
      if (joined.code !== 0) throw new Error(joined.stderr);
      await using office = await openTaskOffice(stage.home);
      await using terminal = stage.start(...args);
      try {
        await terminal.shows(ready);
        if (chosen.command === "copilot") {
          terminal.type("\r");
          await terminal.shows(/shortcuts|Describe a task|help/i);
        }
        await submit(terminal, `Take: ${office.taskId}`);
        await handedOver(office.peer);
      } catch (cause) {
        throw new Error(`${terminal.drawn().slice(-2_000)}\n${stage.model.heard().slice(-3_000)}`, {
          cause,
        });
      }
    },
  );
}
