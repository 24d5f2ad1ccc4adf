/** Runs a command in the workspace, confined. */
import { Type } from "@atrium/schema";
import { LiveOutput } from "../../agents/process/live-output.ts";
import { plainTerminalText } from "../../agents/process/terminal-text.ts";
import { allows } from "../../agents/process/workspace-preset.ts";
import type { ToolResult } from "../../agents/turn/agent-runtime.ts";
import { knownSecrets, maskBytes } from "../../agents/turn/mask.ts";
import type { CommandResult, Confinement } from "../../confinement/confinement.ts";
import { limitsWith } from "../../confinement/limits.ts";
import type { Blobs } from "../../platform/blobs.ts";
import type { Timers } from "../../platform/timers.ts";
import { objection } from "../define-tool.ts";
import type { Tool } from "../toolbox.ts";
import { createAskPerson, type PermitDeps } from "./permit.ts";
import { defineWorkspaceTool } from "./workspace-tool.ts";

export interface RunDeps extends PermitDeps {
  readonly confinement: Pick<Confinement, "probe" | "run">;
  /** Where output is kept that is too long to be shown. */
  readonly blobs: Pick<Blobs, "put">;
  /** What must not be said, whoever has come by it. */
  readonly secrets: () => readonly string[];
  readonly timers: Timers;
}

const MAX_CHARS = 20_000;
const MAX_TIMEOUT_MS = 30 * 60_000;
const NETWORK_WARNING =
  "The network is on for this command, and with it the ports of this machine.";

export function runTool(deps: RunDeps): Tool {
  const ask = createAskPerson(deps);
  return defineWorkspaceTool({
    name: "run",
    description:
      "Runs a shell command in the folder you work in and returns its output and exit code. It has no network, unless you say why it needs one and a person allows it. Nothing it starts goes on afterwards. Do not commit: what is in the folder when you finish is what you hand over.",
    input: {
      command: Type.String({ minLength: 1, maxLength: MAX_CHARS }),
      timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: MAX_TIMEOUT_MS })),
      needs: Type.Optional(Type.Literal("network")),
      why: Type.Optional(Type.String({ maxLength: 500, description: "Why it needs that." })),
    },
    waitsForPeople: true,
    mayWrite: true,
    async call({ command, timeoutMs, needs, why }, call) {
      const network = needs === "network";
      if (network && (why ?? "") === "") return objection("Say why the command needs the network.");
      const details = why === undefined ? {} : { details: why };
      const { problem } = await deps.confinement.probe();
      const mustAsk = network || !allows(deps.permissionsOf(call.agentId), "confined");
      // Without a sandbox it is asked below, with a warning.
      if (problem === null && mustAsk) {
        const alone = network ? ({ warning: NETWORK_WARNING, mayAlways: false } as const) : {};
        const input = network ? { command, needs } : { command };
        const refused = await ask(call, { tool: "run", input, ...details, ...alone });
        if (refused !== undefined) return objection(refused);
      }
      const { onOutput: publish } = call;
      const live = publish && new LiveOutput({ ...deps, publish });
      const result = await deps.confinement.run(
        {
          argv: ["/bin/sh", "-c", command],
          network,
          onOutput: live && ((text) => live.add(text)),
          mask: (bytes, goesOn) => maskBytes(bytes, knownSecrets(deps.secrets()), goesOn),
          permit: async ({ warning }) => {
            const request = { tool: "run", input: { command }, warning, mayAlways: false } as const;
            const reason = await ask(call, { ...request, ...details });
            return reason === undefined ? { isAllowed: true } : { isAllowed: false, reason };
          },
        },
        call.workspace,
        limitsWith(timeoutMs === undefined ? {} : { timeoutMs }),
        call.signal,
      );
      live?.end();
      const { note, ...kept } = await keepOutput(result.output, deps.blobs);
      return { ...resultOf(result, note), ...kept };
    },
  });
}

const STOPPED = {
  time: "it took longer than its time",
  memory: "it took too much memory",
  processes: "it started too many processes",
  aborted: "the turn was stopped",
} as const;

/** What is shown whole needs no other place. */
async function keepOutput(
  { whole, isCut }: CommandResult["output"],
  blobs: Pick<Blobs, "put">,
): Promise<Pick<ToolResult, "output"> & { readonly note: string }> {
  if (!isCut) return { note: "" };
  try {
    return { note: "", output: { digest: await blobs.put(whole), bytes: whole.length } };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return { note: `[the whole output could not be kept: ${why}]\n` };
  }
}

function resultOf({ end, output, durationMs }: CommandResult, note: string): ToolResult {
  const seconds = `${(durationMs / 1_000).toFixed(1)} s`;
  const plain = plainTerminalText(output.text);
  const shown = plain === "" || plain.endsWith("\n") ? plain : `${plain}\n`;
  const text = `${shown}${note}`;
  switch (end.how) {
    case "refused":
      return objection(end.reason);
    case "exited":
      return { text: `${text}[exit code ${end.code}, ${seconds}]`, isError: end.code !== 0 };
    case "killed":
      return { text: `${text}[ended by ${end.signal}, ${seconds}]`, isError: true };
    case "stopped":
      return { text: `${text}[stopped after ${seconds}: ${STOPPED[end.why]}]`, isError: true };
  }
}
