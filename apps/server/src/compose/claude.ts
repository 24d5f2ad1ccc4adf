/**
 * What Claude Code, and programs in its place, may do beside a turn. Part of compose.ts, and loaded by its parts where a
 * runtime is of that type.
 */
import { own } from "@atrium/wire";
import { REPLY } from "../agents/claude-code/protocol/bridge-reply.ts";
import { handSecret } from "../agents/claude-code/transports/hand-secret.ts";
import type { OpenBridgePorts } from "../agents/claude-code/transports/starter.ts";
import type { ReadKey } from "../agents/roster.ts";
import type { RuntimeSettings } from "../agents/settings/runtime-settings.ts";
import { redactDeep } from "../agents/turn/redact.ts";
import { clock } from "../platform/system-clock.ts";
import { systemTimers } from "../platform/timers.ts";
import type { Config } from "../settings/read-config.ts";
import type { AgentParts, Agents } from "./agents.ts";
import { createHandPrograms, type HandPrograms } from "./hand-programs.ts";

export interface ClaudeParts
  extends
    Pick<AgentParts, "toolbox" | "humanInput" | "bridge" | "reports" | "secrets">,
    Pick<Agents, "policyOf"> {}

export interface Claude {
  readonly openBridgePorts: OpenBridgePorts;
  readonly byHand: HandPrograms;
}

/** An answer is in the log long before; a program that is told late is told all the same. */
const SETTLE_MS = 10_000;

export function composeClaude(
  { crew, runtimes }: Pick<Config, "crew" | "runtimes">,
  readKey: ReadKey,
  parts: ClaudeParts,
): Claude {
  const settingsOf = (agentId: string): RuntimeSettings | undefined => {
    const runtime = crew.find(({ id }) => id === agentId)?.runtime;
    return runtime === undefined ? undefined : own(runtimes, runtime);
  };
  const openBridgePorts = createBridgePorts(parts);
  const byHand = createHandPrograms({
    sessions: parts.bridge,
    crew,
    secretOf(agentId) {
      const settings = settingsOf(agentId);
      return settings?.type === "claude-code" ? handSecret(settings, readKey) : undefined;
    },
    toolsOf: (agentId) => parts.policyOf(agentId).tools.declarations,
    openPorts: openBridgePorts,
    timers: systemTimers,
    now: () => clock.now(),
  });
  return { openBridgePorts, byHand };
}

/** What is said here is said beside a turn, so no runtime has masked it. */
function createBridgePorts(parts: ClaudeParts): OpenBridgePorts {
  const { toolbox, humanInput, reports, secrets } = parts;
  return (key, { id: agentId }) => ({
    ask: (request, runId, signal) =>
      humanInput.requestPermission({ key, runId, agentId }, redactDeep(request, secrets()), signal),
    speak(text) {
      const { signal } = new AbortController();
      const input = redactDeep({ text }, secrets());
      return toolbox.call(REPLY, input, { key, runId: null, agentId, signal });
    },
    async settled(runId) {
      await reports().wait(runId, AbortSignal.timeout(SETTLE_MS));
    },
  });
}
