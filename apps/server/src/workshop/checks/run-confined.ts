/** One check in its folder: where commands of agents run too, asked of people where nothing confines it. */
import type { CheckVerdict } from "@atrium/core";
import { LiveOutput } from "../../agents/process/live-output.ts";
import { plainTerminalText } from "../../agents/process/terminal-text.ts";
import { readPermission } from "../../agents/turn/agent-runtime.ts";
import { knownSecrets, maskBytes } from "../../agents/turn/mask.ts";
import type { CommandEnd, Confinement } from "../../confinement/confinement.ts";
import { limitsWith } from "../../confinement/limits.ts";
import type { Timers } from "../../platform/timers.ts";
import type { ChangeCheck } from "../../projects/work/changes.ts";
import type { RunOrigin, TurnHumanInput } from "../../runs/run-driver.ts";
import type { Checkout } from "../../workspaces/port/landing.ts";

export interface ConfinedCheckDeps {
  readonly confinement: Pick<Confinement, "run">;
  readonly humanInput: Pick<TurnHumanInput, "requestPermission">;
  /** What must not be said, whoever has come by it. */
  readonly secrets: () => readonly string[];
  readonly timers: Timers;
}

export interface CheckPlace {
  readonly checkout: Checkout;
  /** What became of the repository's setup there. */
  readonly preparation: string;
}

interface CheckRun extends CheckPlace {
  readonly run: RunOrigin;
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
}

export interface CheckEnd {
  readonly verdict: CheckVerdict;
  readonly exitCode: number | null;
  readonly ms: number;
  readonly text: string;
}

export const NOT_RUN = { verdict: "error", exitCode: null, ms: 0 } as const;

const TIMEOUT_MS = 30 * 60_000;

export async function runConfined(
  deps: ConfinedCheckDeps,
  { command, argv }: ChangeCheck,
  { checkout, preparation, run, signal, onText }: CheckRun,
): Promise<CheckEnd> {
  const { folder, store } = checkout;
  const live = new LiveOutput({ ...deps, publish: onText });
  if (preparation !== "") live.add(preparation);
  const result = await deps.confinement.run(
    {
      argv,
      onOutput: (text) => live.add(text),
      mask: (bytes, goesOn) => maskBytes(bytes, knownSecrets(deps.secrets()), goesOn),
      permit: async ({ warning }) => {
        const about = { tool: "check", input: { command }, cwd: folder } as const;
        const request = { ...about, warning, mayAlways: false } as const;
        const answer = await deps.humanInput.requestPermission(run, request, signal);
        return readPermission(answer).permission === "allowed"
          ? { isAllowed: true }
          : { isAllowed: false, reason: "No person allowed it." };
      },
    },
    { folder, store },
    limitsWith({ timeoutMs: TIMEOUT_MS }),
    signal,
  );
  live.end();
  const { end, output, durationMs } = result;
  const shown = plainTerminalText(Buffer.from(output.whole).toString("utf8"));
  const text = [preparation, shown, noteOf(end)].filter((part) => part !== "").join("\n");
  return { ...verdictOf(end), ms: Math.round(durationMs), text };
}

function verdictOf(end: CommandEnd): Pick<CheckEnd, "verdict" | "exitCode"> {
  switch (end.how) {
    case "exited":
      return { verdict: end.code === 0 ? "passed" : "failed", exitCode: end.code };
    case "killed":
    case "stopped":
      return { verdict: "failed", exitCode: null };
    case "refused":
      return { verdict: "skipped", exitCode: null };
  }
}

const STOPPED = {
  time: "[stopped: it took longer than 30 minutes]",
  memory: "[stopped: it took too much memory]",
  processes: "[stopped: it started too many processes]",
  aborted: "[stopped]",
} as const;

function noteOf(end: CommandEnd): string {
  switch (end.how) {
    case "exited":
      return "";
    case "killed":
      return `[ended by ${end.signal}]`;
    case "stopped":
      return STOPPED[end.why];
    case "refused":
      return `[not run: ${end.reason}]`;
  }
}
