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

const now = (): number => clock.now();

export interface GatewayParts extends Pick<
  Shared,
  "state" | "people" | "token" | "attempts" | "auth" | "fanout"
> {
  readonly crew: Pick<Shared, "director" | "toolbox" | "policyOf" | "humanInput">;
  readonly facts: ServerFacts;
  readonly extensions: readonly GatewayExtension[];
  readonly eraser: Pick<Eraser, "run">;
}

export function composeGateway(
  options: ServerOptions,
  parts: GatewayParts,
  opened: AsyncDisposableStack,
): Part {
  const { config, home, report } = options;
  const { state, people, fanout, facts } = parts;
  const { director, humanInput, policyOf } = parts.crew;
  const { log, conversations, devices, nodes, dispatch, runs, spending, trail } = state;
  const { approvals, questions, polls } = state;
  const { crew, limits } = config;
  const room = openGatewayRoom({
    now,
    handshake: composeHandshake(options, parts, opened),
    chat: {
      dispatch,
      intake: director.intake,
      runs: director.reports,
      ids,
      now,
      crew,
      conversations,
      transcript: createTranscript(log),
      findMessage: createFindMessage(log),
      modelOf: director.modelOf,
      statePath: home.folder,
      erase: () => parts.eraser.run(),
    },
    live: director.live,
    heartbeats: state.heartbeats,
    approvals,
    questions,
    humanInput: people.humanInput,
    timers: people.timers,
    delivery: { channels: people.channels, pollCommands: people.pollCommands, polls, now },
    crew: {
      crew: () => crew.map((member) => ({ ...member, model: director.modelOf(member.handle) })),
      commands: SLASH_COMMANDS,
      toolsOf: (agentId) => policyOf(agentId).tools.declarations,
    },
    operations: {
      intake: director.intake,
      dispatch,
      ids,
      crew,
      readJournal: createJournalTail(home.journalFile),
      settings: () => publicSettings(config),
      statePath: home.folder,
    },
    inspection: { trail, runs, now },
    usage: { spending, conversations, crew, now },
    logins: { logins: state.logins, browserLogins: parts.auth.browserLogins, dispatch },
    extensions: parts.extensions,
    nodes: {
      nodes,
      devices,
      crew,
      dispatch,
      ids,
      deviceToken: parts.auth.deviceToken,
      readInvocation: createInvocationReader(log),
      humanInput,
      offerTools: parts.crew.toolbox.offer,
      relay: state.relay,
      cluster: state.cluster,
      timers: people.timers,
    },
    reports: { conversations, crew, facts, now },
    limits,
    authMode: config.auth,
    bootId: randomUUID(),
    newChallenge: () => ({ nonce: randomUUID(), ts: now() }),
    openAudience: (present) => fanout.openAudience(present),
    report,
  });
  const { onBatch, recover, close } = room;
  return { sockets: { "/": room }, onBatch, recover, close };
}

function composeHandshake(
  { config, report }: ServerOptions,
  { state, token, attempts, auth }: GatewayParts,
  opened: AsyncDisposableStack,
): Handshake {
  const { devices, dispatch } = state;
  const pairings = openPairingRequests({
    devices,
    dispatch,
    ids,
    clock,
    attempts: new AuthAttempts(PAIRING_QUESTIONS, clock),
    limits: config.limits,
    report,
  });
  opened.defer(() => pairings.close());
  return createHandshake({
    token,
    deviceToken: auth.deviceToken,
    authenticate: auth.authenticate,
    attempts,
    pairings,
    devices,
    dispatch,
    clock,
  });
}
