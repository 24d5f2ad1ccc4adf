/** The gateway room, put together. Part of compose.ts. */
import { randomUUID } from "node:crypto";
import { createFindMessage, createInvocationReader, createTranscript } from "@atrium/core";
import { Attempts } from "./access/attempts.ts";
import type { Door } from "./compose-door.ts";
import type { People } from "./compose-people.ts";
import type { State } from "./compose-state.ts";
import type { Director } from "./director/director.ts";
import type { Asking } from "./director/drive.ts";
import type { Eraser } from "./director/eraser.ts";
import { HOUSE_COMMANDS } from "./director/house-commands.ts";
import type { TermsOf } from "./director/terms.ts";
import type { Fanout } from "./fanout/fanout.ts";
import { createJournalTail } from "./journal-tail.ts";
import { clock, ids } from "./machine.ts";
import type { Guest } from "./rooms/gateway/guest.ts";
import { createHandshake } from "./rooms/gateway/handshake.ts";
import { openPairingRequests } from "./rooms/gateway/pairing/pairing-requests.ts";
import type { ServerFacts } from "./rooms/gateway/reports.ts";
import { openGatewayRoom, type GatewayRoom } from "./rooms/gateway/room.ts";
import { showSettings } from "./shown-settings.ts";
import type { Surface } from "./surface.ts";
import type { OpenToolbox } from "./tools/toolbox.ts";

/** How many devices may ask from one address, and how soon one more. */
const PAIRING_QUESTIONS = { tries: 5, refillMs: 60_000 };

export interface GatewayParts {
  readonly token: string | null;
  readonly attempts: Attempts;
  readonly door: Pick<Door, "doorkeeper" | "deviceToken" | "browserLogins">;
  readonly facts: ServerFacts;
  readonly state: State;
  readonly fanout: Fanout;
  readonly director: Director;
  readonly people: People;
  readonly toolbox: OpenToolbox;
  readonly termsOf: TermsOf;
  /** How agents ask. */
  readonly asking: Asking;
  readonly guests: readonly Guest[];
  readonly eraser: Pick<Eraser, "run">;
}

export function composeGateway(
  { config, home, report }: Surface,
  parts: GatewayParts,
  opened: AsyncDisposableStack,
): GatewayRoom {
  const { token, attempts, facts, state, fanout, director, people } = parts;
  const { deviceToken } = parts.door;
  const { log, conversations, devices, nodes, dispatch, runs, spending, trail } = state;
  const { maxPayloadBytes, maxBufferedBytes, tickIntervalMs, healthIntervalMs } = config.limits;
  const pairings = openPairingRequests({
    devices,
    dispatch,
    ids,
    clock,
    attempts: new Attempts(PAIRING_QUESTIONS, clock),
    lifetimeMs: config.limits.pairingRequestMs,
    report,
  });
  opened.defer(() => pairings.close());
  const { crew } = config;
  const transcript = createTranscript(log);
  const readInvocation = createInvocationReader(log);
  const forAgents = { asking: parts.asking, offerTools: parts.toolbox.offer };
  return openGatewayRoom({
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
      desk: director.desk,
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
    asked: people,
    delivery: people,
    crew: {
      crew: crew.map((member) => ({ ...member, model: director.modelOf(member.handle) })),
      commands: HOUSE_COMMANDS.map((command) => ({ ...command, args: [] })),
      toolsOf: (agentId) => parts.termsOf(agentId).tools.declarations,
    },
    operations: {
      desk: director.desk,
      dispatch,
      ids,
      crew,
      readJournal: createJournalTail(home.journalFile),
      settings: () => showSettings(config),
      statePath: home.folder,
    },
    inspection: { trail, runs },
    spending,
    logins: { logins: state.logins, browserLogins: parts.door.browserLogins, dispatch },
    guests: parts.guests,
    nodes: { nodes, devices, dispatch, ids, deviceToken, readInvocation, ...forAgents },
    reports: { conversations, crew, facts },
    policy: { maxPayload: maxPayloadBytes, maxBufferedBytes, tickIntervalMs },
    healthIntervalMs,
    authMode: config.auth,
    bootId: randomUUID(),
    newChallenge: () => ({ nonce: randomUUID(), ts: clock.now() }),
    openAudience: (present) => fanout.openAudience(present),
    report,
  });
}
