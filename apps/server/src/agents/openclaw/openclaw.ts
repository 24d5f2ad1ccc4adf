/**
 * The openclaw runtime: an agent of an OpenClaw gateway, reached as any other client would.
 *
 *   connect -> chat.send (once, under the run's id) -> chat and agent events -> one end
 *      ^                                                   | connection lost
 *      `--- ask what became of the run <-------------------'
 *
 * The conversation is a session there, which keeps its own history and its own tools.
 */
import type { Timers } from "../../platform/timers.ts";
import type { AgentRuntime, Turn, TurnEvent } from "../turn/agent-runtime.ts";
import { redact } from "../turn/mask.ts";
import { createReportedTools } from "../turn/reported-tools.ts";
import { ABORTED, closeTurn, failed } from "../turn/turn-ends.ts";
import { createMeter } from "../turn/usage/usage-meter.ts";
import { GatewayLink, GatewayRefused } from "./gateway-link.ts";
import {
  withDefaults,
  type CompleteOpenClawSettings,
  type OpenClawSettings,
} from "./openclaw-settings.ts";
import { UpstreamTurn } from "./upstream-turn.ts";

export function createOpenClawRuntime(
  name: string,
  given: OpenClawSettings,
  timers: Timers,
): AgentRuntime {
  const settings = withDefaults(given);
  const link = new GatewayLink(settings, timers);
  return {
    name,
    type: "openclaw",
    takesNoTools: true,
    hasFileTools: true,
    model: {
      provider: "openclaw",
      id: settings.agentId,
      contextTokens: settings.contextTokens,
    },
    async *start(turn, host) {
      const meter = createMeter(turn);
      const tools = createReportedTools();
      let end: TurnEvent = ABORTED;
      try {
        host.signal.throwIfAborted();
        const sessionKey = sessionKeyOf(turn, settings);
        const deps = { link, settings, timers, host, meter, tools };
        end = yield* new UpstreamTurn(deps, turn, sessionKey).play();
      } catch (cause) {
        if (cause instanceof GatewayRefused) end = failed("unavailable", cause.message);
        else if (!host.signal.aborted) throw cause;
      }
      yield* closeTurn({ host, meter, tools }, withoutToken(end, settings.token));
    },
    close() {
      link.close();
      return Promise.resolve();
    },
  };
}

/** A conversation that is begun anew here begins anew there. */
function sessionKeyOf(
  { conversation }: Turn,
  { sessionKey, agentId }: CompleteOpenClawSettings,
): string {
  return sessionKey ?? `agent:${agentId}:atrium:${conversation.sessionId}`.toLowerCase();
}

function withoutToken(end: TurnEvent, token: string | undefined): TurnEvent {
  return end.type === "failed" ? { ...end, reason: redact(end.reason, token) } : end;
}
