/** The gateway room, put together. Part of compose.ts. */
import { randomUUID } from "node:crypto";
import { createFindMessage, createInvocationReader, createTranscript } from "@atrium/core";
import { AuthAttempts } from "../access/auth-attempts.ts";
import { createJournalTail } from "../platform/journal-tail.ts";
import { clock, ids } from "../platform/system-clock.ts";
import type { GatewayExtension } from "../rooms/gateway/extension.ts";
import { createHandshake, type Handshake } from "../rooms/gateway/inbound/handshake.ts";
import { openPairingRequests } from "../rooms/gateway/pairing/pairing-requests.ts";
import { openGatewayRoom } from "../rooms/gateway/room.ts";
import type { ServerFacts } from "../rooms/gateway/state/health-reports.ts";
import type { Eraser } from "../runs/eraser.ts";
import { SLASH_COMMANDS } from "../runs/slash-commands.ts";
import { publicSettings } from "../settings/public-settings.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { Shared } from "./shared.ts";

/** How many devices may ask from one address, and how soon one more. */
const PAIRING_QUESTIONS = { tries: 5, refillMs: 60_000 };

export interface GatewayParts extends Pick<
  Shared,
  "state" | "people" | "token" | "attempts" | "door" | "fanout"
> {
  readonly crew: Pick<Shared, "director" | "toolbox" | "termsOf" | "asking">;
  readonly facts: ServerFacts;
  readonly guests: readonly GatewayExtension[];
  readonly eraser: Pick<Eraser, "run">;
}

export function composeGateway(
  options: ServerOptions,
  parts: GatewayParts,
  opened: AsyncDisposableStack,
): Part {
  const { config, home, report } = options;
  const { state, people, fanout, facts } = parts;
  const { director, asking, termsOf } = parts.crew;
  const { deviceToken } = parts.door;
  const { offer: offerTools } = parts.crew.toolbox;
  const { log, conversations, devices, nodes, dispatch, runs, spending, trail } = state;
  const { approvals, questions, polls } = state;
  const { maxPayloadBytes, maxBufferedBytes, tickIntervalMs, healthIntervalMs } = config.limits;
  const { crew } = config;
  const transcript = createTranscript(log);
  const readInvocation = createInvocationReader(log);
  const room = openGatewayRoom({
    clock,
    handshake: composeHandshake(options, parts, opened),
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

function composeHandshake(
  { config, report }: ServerOptions,
  { state, token, attempts, door }: GatewayParts,
  opened: AsyncDisposableStack,
): Handshake {
  const { devices, dispatch } = state;
  const pairings = openPairingRequests({
    devices,
    dispatch,
    ids,
    clock,
    attempts: new AuthAttempts(PAIRING_QUESTIONS, clock),
    lifetimeMs: config.limits.pairingRequestMs,
    report,
  });
  opened.defer(() => pairings.close());
  return createHandshake({
    token,
    deviceToken: door.deviceToken,
    doorkeeper: door.doorkeeper,
    attempts,
    pairings,
    devices,
    dispatch,
    clock,
  });
}
