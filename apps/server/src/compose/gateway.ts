/** The gateway room, put together. Part of compose.ts. */
import { randomUUID } from "node:crypto";
import { createFindMessage, createInvocationReader, createTranscript } from "@atrium/core";
import { AuthAttempts } from "../access/auth-attempts.ts";
import type { Fanout } from "../fanout/fanout.ts";
import { createJournalTail } from "../platform/journal-tail.ts";
import { clock, ids } from "../platform/system-clock.ts";
import type { GatewayExtension } from "../rooms/gateway/extension.ts";
import { createHandshake } from "../rooms/gateway/inbound/handshake.ts";
import {
  openPairingRequests,
  type PairingRequests,
} from "../rooms/gateway/pairing/pairing-requests.ts";
import { openGatewayRoom } from "../rooms/gateway/room.ts";
import type { ServerFacts } from "../rooms/gateway/state/health-reports.ts";
import type { AgentPolicyOf } from "../runs/agent-policy.ts";
import type { Eraser } from "../runs/eraser.ts";
import type { RunDirector } from "../runs/run-director.ts";
import type { TurnHumanInput } from "../runs/run-driver.ts";
import { SLASH_COMMANDS } from "../runs/slash-commands.ts";
import { publicSettings } from "../settings/public-settings.ts";
import type { OpenToolbox } from "../tools/toolbox.ts";
import type { Door } from "./access.ts";
import type { People } from "./human-input.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { State } from "./state.ts";

/** How many devices may ask from one address, and how soon one more. */
const PAIRING_QUESTIONS = { tries: 5, refillMs: 60_000 };

export interface GatewayParts {
  readonly token: string | null;
  readonly attempts: AuthAttempts;
  readonly door: Pick<Door, "doorkeeper" | "deviceToken" | "browserLogins">;
  readonly facts: ServerFacts;
  readonly state: State;
  readonly fanout: Fanout;
  readonly people: People;
  readonly crew: {
    readonly director: RunDirector;
    readonly toolbox: OpenToolbox;
    readonly termsOf: AgentPolicyOf;
    /** How agents ask. */
    readonly asking: TurnHumanInput;
  };
  readonly guests: readonly GatewayExtension[];
  readonly eraser: Pick<Eraser, "run">;
}

export function composeGateway(
  { config, home, report }: ServerOptions,
  parts: GatewayParts,
  opened: AsyncDisposableStack,
): Part {
  const { token, attempts, facts, state, fanout, people } = parts;
  const { deviceToken } = parts.door;
  const { director, asking, toolbox, termsOf } = parts.crew;
  const { offer: offerTools } = toolbox;
  const { log, conversations, devices, nodes, dispatch, runs, spending, trail } = state;
  const { approvals, questions, polls } = state;
  const { maxPayloadBytes, maxBufferedBytes, tickIntervalMs, healthIntervalMs } = config.limits;
  const pairings = openPairings(config, state, report);
  opened.defer(() => pairings.close());
  const { crew } = config;
  const transcript = createTranscript(log);
  const readInvocation = createInvocationReader(log);
  const room = openGatewayRoom({
    clock,
    handshake: createHandshake({
      token,
      deviceToken,
      doorkeeper: parts.door.doorkeeper,
      attempts,
      pairings,
      devices,
      dispatch,
      clock,
    }),
    chat: {
      dispatch,
      desk: director.intake,
      runs: director.reports,
      ids,
      crew,
      conversations,
      transcript,
      findMessage: createFindMessage(log),
      modelOf: director.modelOf,
      erase: () => parts.eraser.run(),
    },
    live: director.live,
    heartbeats: state.heartbeats,
    asked: { approvals, questions, asking: people.asking, timers: people.timers },
    delivery: { channels: people.channels, polling: people.polling, polls },
    crew: {
      crew: crew.map((member) => ({ ...member, model: director.modelOf(member.handle) })),
      commands: SLASH_COMMANDS.map((command) => ({ ...command, args: [] })),
      toolsOf: (agentId) => termsOf(agentId).tools.declarations,
    },
    operations: {
      desk: director.intake,
      dispatch,
      ids,
      crew,
      readJournal: createJournalTail(home.journalFile),
      settings: () => publicSettings(config),
      statePath: home.folder,
    },
    inspection: { trail, runs },
    spending,
    logins: { logins: state.logins, browserLogins: parts.door.browserLogins, dispatch },
    guests: parts.guests,
    nodes: { nodes, devices, crew, dispatch, ids, deviceToken, readInvocation, asking, offerTools },
    reports: { conversations, crew, facts },
    policy: { maxPayload: maxPayloadBytes, maxBufferedBytes, tickIntervalMs },
    healthIntervalMs,
    authMode: config.auth,
    bootId: randomUUID(),
    newChallenge: () => ({ nonce: randomUUID(), ts: clock.now() }),
    openAudience: (present) => fanout.openAudience(present),
    report,
  });
  return {
    sockets: { "/": room },
    onBatch: room.onBatch,
    recover: () => room.recover(),
    close: (reason) => room.close(reason),
  };
}

function openPairings(
  { limits }: ServerOptions["config"],
  { devices, dispatch }: State,
  report: ServerOptions["report"],
): PairingRequests {
  return openPairingRequests({
    devices,
    dispatch,
    ids,
    clock,
    attempts: new AuthAttempts(PAIRING_QUESTIONS, clock),
    lifetimeMs: limits.pairingRequestMs,
    report,
  });
}
