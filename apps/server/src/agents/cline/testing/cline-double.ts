/**
 * A double of `cline --json`: writes its lines, and follows the prompt, which holds its steps as JSON between `<<` and
 * `>>`. What it proves is our side of the wire; that the real one speaks it is proved in test/conformance.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

export type ClineStep =
  | { readonly say: string }
  | { readonly tool: { readonly name: string; readonly input: object; readonly output?: unknown } }
  /** Lines as they are. */
  | { readonly lines: string }
  /** What it has used so far; otherwise it says at its end that this was a little, for nothing. */
  | {
      readonly usage: {
        readonly tokens: readonly [number, number, number?];
        readonly cost?: number;
      };
    }
  | { readonly recording: string }
  | { readonly tell: "args" | "prompt" | "servers" }
  /** Leaves a process behind that is in no group of ours, and says its number. */
  | { readonly leave: true }
  | { readonly exit: number; readonly complain?: string }
  | { readonly talkOn: true }
  | { readonly hang: true };

export function clinePrompt(...steps: readonly ClineStep[]): string {
  return `<<${JSON.stringify(steps)}>>`;
}

let used: object = { totalInputTokens: 11, totalOutputTokens: 7, totalCost: 0 };

if (import.meta.main) {
  const steps = /<<(.*)>>/s.exec(process.argv.at(-1) ?? "")?.[1] ?? "[]";
  for (const [at, step] of (JSON.parse(steps) as readonly ClineStep[]).entries()) {
    await play(step, `call_${at}`);
  }
  tell({ type: "usage", ...used });
  write({ type: "run_result", finishReason: "completed", text: "" });
}

async function play(step: ClineStep, toolCallId: string): Promise<void> {
  if ("say" in step) say(step.say);
  else if ("tool" in step) {
    const { name: toolName, input, output } = step.tool;
    const call = { contentType: "tool", toolName, toolCallId };
    tell({ type: "content_start", ...call, input });
    if (output === undefined) await setTimeout(1_000_000);
    tell({ type: "content_end", ...call, output });
  } else if ("usage" in step) {
    const { tokens, cost: totalCost = 0 } = step.usage;
    const [totalInputTokens, totalOutputTokens, totalCacheReadTokens] = tokens;
    used = { totalInputTokens, totalOutputTokens, totalCacheReadTokens, totalCost };
    tell({ type: "usage", ...used });
  } else if ("lines" in step) process.stdout.write(step.lines);
  else if ("recording" in step) {
    process.stdout.write(readFileSync(step.recording, "utf8"), () => process.exit(0));
    await setTimeout(1_000_000);
  } else if ("tell" in step) {
    const { argv, env } = process;
    const told = {
      args: JSON.stringify(argv.slice(2, -1)),
      prompt: argv.at(-1) ?? "",
      servers: env["CLINE_MCP_SETTINGS_PATH"] ?? "its user's",
    };
    say(told[step.tell]);
  } else if ("leave" in step) {
    const left = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    left.unref();
    say(String(left.pid));
  } else if ("exit" in step) {
    process.stderr.write(step.complain ?? "");
    process.exit(step.exit);
  } else if ("talkOn" in step) {
    for (;;) {
      say("and on ");
      await setTimeout(5);
    }
  } else await setTimeout(1_000_000);
}

function say(text: string): void {
  tell({ type: "content_start", contentType: "text", text });
}

function tell(event: object): void {
  write({ type: "agent_event", event });
}

function write(message: object): void {
  process.stdout.write(`${JSON.stringify({ ts: "2026-11-16T00:03:40.530Z", ...message })}\n`);
}
