/** How a rehearsing agent uses the tools of its folder, one after the other, and what it makes of their results. */
import type { ToolResult, TurnEvent } from "../turn/agent-runtime.ts";
import { useTool } from "../turn/use-tool.ts";
import type { WorkStage } from "./rehearse-work.ts";
import type { Voice } from "./voice.ts";

export type UseTool = (name: string, input: object) => AsyncGenerator<TurnEvent, ToolResult>;

export interface Hands {
  readonly voice: Voice;
  readonly use: UseTool;
}

const CALL_MS = 120;
const EXIT_CODE = /\[exit code (?<code>\d+),/;

export function handsOf({ host, voice, pace }: WorkStage): Hands {
  const offered = new Set(host.tools.map(({ name }) => name));
  let calls = 0;
  return {
    voice,
    async *use(name, input) {
      if (!offered.has(name)) return { text: `I have no tool ${name}.`, isError: true };
      host.signal.throwIfAborted();
      if (pace > 0) await host.sleep(CALL_MS * pace);
      calls += 1;
      const result = yield* useTool(host, { id: `work_${calls}`, name, input });
      host.signal.throwIfAborted();
      return result;
    },
  };
}

export function todo(steps: readonly string[], at: number): object {
  const stateOf = (step: number): string => (step < at ? "done" : step === at ? "active" : "open");
  return { items: steps.map((text, step) => ({ text, state: stateOf(step) })) };
}

/** Undefined: it was not run at all. */
export function exitCode({ text }: ToolResult): number | undefined {
  const code = EXIT_CODE.exec(text)?.groups?.["code"];
  return code === undefined ? undefined : Number(code);
}

export function howItEnded(run: ToolResult): string {
  const code = exitCode(run);
  if (code === undefined) return `whether its test passes is not known: ${firstLine(run)}`;
  return code === 0 ? "its test passes." : "its test still fails.";
}

export function firstLine({ text }: Pick<ToolResult, "text">): string {
  return text.trim().split("\n")[0] ?? "";
}
