/**
 * The gateway room: OpenClaw's control plane, spoken at the root of the port.
 *
 * Brings the parts together (handshake, methods, presence, reports, egress), turns log entries into the
 * events peers know, and keeps the two clocks the protocol has: `tick` and `health`.
 */
import {
  conversation,
  readMessage,
  streamOf,
  type BatchListener,
  type Clock,
  type Fault,
} from "@atrium/core";
import {
  chatChanged,
  healthChanged,
  presenceChanged,
  shutdown,
  tick,
  type HelloOk,
  type StateVersion,
} from "@atrium/wire/gateway";
import { createCall, type Audience, type Room } from "../room.ts";
import { createEgress, type Egress } from "./egress.ts";
import type { Challenge, Handshake } from "./handshake.ts";
import { announce, sayHello } from "./hello.ts";
import { chatMethods, type ChatDeps } from "./methods/chat.ts";
import { sessionsMethods } from "./methods/sessions.ts";
import { systemMethods } from "./methods/system.ts";
import { createPresence } from "./presence.ts";
import { createReports, type ReportDeps } from "./reports.ts";
import { spoken } from "./rows.ts";
import { GatewaySession, type SessionDeps } from "./session.ts";

export interface GatewayDeps {
  readonly clock: Clock;
  readonly handshake: Handshake;
  readonly chat: ChatDeps;
  readonly reports: Omit<ReportDeps, "now">;
  readonly policy: HelloOk["policy"];
  readonly healthIntervalMs: number;
  readonly authMode: "none" | "token";
  readonly bootId: string;
  readonly newChallenge: () => Challenge;
  readonly openAudience: () => Audience;
  readonly report: (fault: Fault) => void;
}

export interface GatewayRoom extends Room {
  /** Tells peers what the log now holds. */
  readonly onBatch: BatchListener;
  /** Says good-bye to everyone; the sockets are closed by whoever owns them. */
  close(reason: string): void;
}

export function openGatewayRoom(deps: GatewayDeps): GatewayRoom {
  const now = (): number => deps.clock.now();
  const egress = createEgress(deps.openAudience);
  const { facts } = deps.reports;
  let healthVersion = 1;
  const stateVersion = (): StateVersion => ({ presence: presence.version, health: healthVersion });

  const presence = createPresence({
    now,
    version: facts.version,
    platform: process.platform,
    instanceId: deps.bootId,
    onChange: () =>
      egress.publish(
        presenceChanged,
        { presence: [...presence.list()] },
        { stateVersion: stateVersion() },
      ),
  });
  const reports = createReports({ ...deps.reports, now });
  const { conversations } = deps.reports;
  const methods = [
    ...systemMethods({ reports, presence }),
    ...chatMethods(deps.chat),
    ...sessionsMethods({ conversations, statePath: facts.statePath, now }),
  ];
  const hello = { ...deps, facts, features: announce(methods), presence, reports, stateVersion };
  const session: SessionDeps = {
    handshake: deps.handshake,
    call: createCall(methods, deps.report),
    newChallenge: deps.newChallenge,
    now,
    welcome(member) {
      presence.joined(member);
      egress.join(member);
      return JSON.stringify(sayHello(member, hello));
    },
    farewell: (peerId) => presence.left(peerId),
    report: deps.report,
  };

  const ticking = setInterval(
    () => egress.publish(tick, { ts: now() }),
    deps.policy.tickIntervalMs,
  );
  const reporting = setInterval(() => {
    healthVersion++;
    egress.publish(healthChanged, reports.healthText(), { stateVersion: stateVersion() });
  }, deps.healthIntervalMs);

  return {
    open: (peer) => new GatewaySession(peer, session),
    onBatch: tellOf(egress, deps.chat.conversations),
    close(reason) {
      clearInterval(ticking);
      clearInterval(reporting);
      presence.close();
      egress.publish(shutdown, { reason });
    },
  };
}

/** Entries as events. */
function tellOf(egress: Egress, conversations: ChatDeps["conversations"]): BatchListener {
  const prefix = streamOf(conversation, "");
  return (entries) => {
    for (const entry of entries) {
      if (!entry.stream.startsWith(prefix)) continue;
      const message = readMessage(entry);
      const row = conversations.get(entry.stream.slice(prefix.length));
      if (message === undefined || row === undefined) continue;
      egress.publish(chatChanged, {
        runId: `inject-${message.id}`,
        sessionKey: row.key,
        agentId: row.handle,
        seq: 0,
        state: "final",
        message: spoken(message),
      });
    }
  };
}
