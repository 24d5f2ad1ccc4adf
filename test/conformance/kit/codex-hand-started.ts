/** The real Codex as its user starts it in a terminal, and what that takes. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gone } from "../../kit/processes.ts";
import { openCodexStage, USAGE, type CodexStage } from "./codex-stage.ts";
import { findCodex } from "./peer.ts";
import type { Terminal } from "./pseudo-terminal.ts";

/** Someone who has used Codex before, in this folder too. Its commands need a word of theirs. */
export async function openHandStartedCodex(more = ""): Promise<CodexStage> {
  const command = findCodex().path();
  const stage = await openCodexStage({
    command,
    answer: ({ said, returned }) => {
      const [, cmd] = /^Run: (.*)$/m.exec(said) ?? [];
      const isTitle = said.includes("Do not answer the request");
      const [, question] = /^Ask: (.*)$/m.exec(said) ?? [];
      if (question !== undefined && !isTitle && returned.length === 0) {
        const call = { name: "request_user_input", input: { questions: [netsIn(question)] } };
        return { type: "answer", chunks: [], toolCalls: [call], usage: USAGE };
      }
      if (cmd === undefined || isTitle || returned.length > 0) {
        return { type: "answer", chunks: ["Done."], usage: USAGE };
      }
      const input = { cmd, sandbox_permissions: "require_escalated", justification: "as told" };
      const call = { name: "exec_command", input };
      return { type: "answer", chunks: [], toolCalls: [call], usage: USAGE };
    },
  });
  const settings = join(stage.codexHome, "config.toml");
  const trusted = `[projects."${stage.work}"]\ntrust_level = "trusted"\n`;
  // What its terminal notes at the first start of all.
  const seenBefore = `[tui]\nscreen_reader_detection_done = true\n`;
  const nux = `[tui.model_availability_nux]\n"gpt-6.1-sol" = 4\n`;
  const written = [readFileSync(settings, "utf8"), trusted, seenBefore, nux, more].join("\n");
  writeFileSync(settings, written);
  const bin = join(stage.folder, "bin");
  mkdirSync(bin);
  symlinkSync(command, join(bin, "codex"));
  const path = `${bin}${delimiter}${stage.env["PATH"]}`;
  return { ...stage, env: { ...stage.env, PATH: path, USER: "ann" } };
}

function netsIn(question: string): object {
  const options = ["Wide", "Narrow"].map((label) => ({ label, description: "as told" }));
  return { id: "net", header: "Net", question, options };
}

/** A dialog that was just drawn may not listen yet, so the key is pressed until it is seen to count. */
export async function press(terminal: Terminal, key: string, text: RegExp): Promise<void> {
  const shown = terminal.shows(text).then(() => true);
  for (;;) {
    terminal.type(key);
    if (await Promise.race([shown, setTimeout(1_000, false)])) return;
  }
}

/** The terminal leaves a daemon behind, and what keeps that up to date. */
export async function endProcesses(stage: CodexStage): Promise<void> {
  const left = stage.processes();
  for (const pid of left) process.kill(pid, "SIGKILL");
  await gone(left);
}
