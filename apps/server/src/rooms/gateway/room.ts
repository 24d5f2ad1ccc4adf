/**
 * The gateway room: OpenClaw's control plane, spoken at the root of the port.
 *
 * Gives each part (handshake, methods, presence, reports, events) what it needs, and publishes the two
 * events that come at an interval: `tick` and `health`.
 */
import type { Approvals, BatchListener, Fault, Heartbeats, Questions } from "@atrium/core";
import {
  healthChanged,
  heartbeat,
  presenceChanged,
  shutdown,
  tick,
  type StateVersion,
} from "@atrium/wire/gateway";
import type { Channels } from "../../channels/channel.ts";
import type { OpenMirror } from "../../cluster/relay.ts";
import { SharedIds } from "../../cluster/shared-ids.ts";
import type { HumanInput } from "../../human-input/human-input.ts";
import { createMethodRouter } from "../../pipeline/method-router.ts";
import { holdingTimers, repeat, type Timers } from "../../platform/timers.ts";
import type { LiveRuns } from "../../runs/live-runs.ts";
import { type Audience, type Room } from "../../sockets/peer.ts";
import type { GatewayExtension } from "./extension.ts";
import type { GatewayMethod, GatewayPeer } from "./frames/peer.ts";
import { openGatewayNodes, type NodeDeps } from "./gateway-nodes.ts";
import type { Challenge, Handshake } from "./inbound/handshake.ts";
import { listFeatures, buildHello, type PolicyLimits } from "./inbound/hello.ts";
import { guardRoles } from "./inbound/roles.ts";
import { GatewaySession, type GatewaySessionDeps } from "./inbound/session.ts";
import { agentMethods } from "./methods/agent.ts";
import { approvalMethods } from "./methods/approvals.ts";
import { chatMethods } from "./methods/chat.ts";
import { crewMethods, type CrewDeps } from "./methods/crew.ts";
import { deliveryMethods, type DeliveryDeps } from "./methods/delivery.ts";
import { inspectionMethods, type InspectionDeps } from "./methods/inspection.ts";
import { loginsMethods, type LoginsDeps } from "./methods/logins.ts";
import { messageActionMethods } from "./methods/message-actions.ts";
import { operationsMethods, type OperationsDeps } from "./methods/operations.ts";
import { questionMethods } from "./methods/questions.ts";
import { sessionsMethods, type SessionsDeps } from "./methods/sessions.ts";
import { standingPermissionMethods } from "./methods/standing-permissions.ts";
import { systemMethods } from "./methods/system.ts";
import { unsupportedMethods } from "./methods/unsupported.ts";
import { usageMethods, type UsageDeps } from "./methods/usage.ts";
import { createConversationEvents } from "./outbound/conversation-events.ts";
import { createGatewayEgress, type GatewayEgress } from "./outbound/egress.ts";
import { createHumanInputEvents } from "./outbound/human-input-events.ts";
import { RunEvents } from "./outbound/run-events.ts";
import { createSubscriptions } from "./outbound/subscriptions.ts";
import { createApproveByText } from "./params/approve-by-text.ts";
import { heartbeatRow } from "./rows/conversation-rows.ts";
import { createHealthReports, type HealthReportDeps } from "./state/health-reports.ts";
import { createPresence } from "./state/presence.ts";

export interface GatewayDeps {
  readonly now: () => number;
  readonly handshake: Handshake;
  readonly chat: SessionsDeps;
  readonly live: LiveRuns;
  readonly heartbeats: Pick<Heartbeats, "last">;
  readonly approvals: Approvals;
  readonly questions: Questions;
  readonly humanInput: HumanInput;
  readonly timers: Timers;
  readonly delivery: DeliveryDeps & { readonly channels: Channels };
  readonly crew: CrewDeps;
  readonly operations: OperationsDeps;
  readonly inspection: InspectionDeps;
  readonly usage: UsageDeps;
  readonly logins: LoginsDeps;
  readonly nodes: NodeDeps;
  /** Other rooms whose methods and events are served here too. */
  readonly extensions: readonly GatewayExtension[];
  readonly reports: HealthReportDeps;
  readonly limits: PolicyLimits & { readonly healthIntervalMs: number };
  readonly authMode: "none" | "token";
  readonly bootId: string;
  readonly newChallenge: () => Challenge;
  readonly openAudience: (present?: () => readonly string[]) => Audience;
  readonly report: (fault: Fault) => void;
}

export interface GatewayRoom extends Room {
  /** Publishes what was written to the log. */
  readonly onBatch: Readonly<Record<string, BatchListener>>;
  /** Settles invocations that were open when the server last stopped. */
  readonly recover: () => Promise<void>;
  /** Announces the shutdown; the listener closes the sockets. */
  readonly close: (reason: string) => void;
}

export function openGatewayRoom(deps: GatewayDeps): GatewayRoom {
  const { now, live, heartbeats, approvals, questions, bootId, authMode, limits } = deps;
  const { conversations, modelOf } = deps.chat;
  const egress = createGatewayEgress(deps.openAudience, () => runs.present());
  const subscriptions = createSubscriptions(() => deps.openAudience());
  const { facts } = deps.reports;
  let healthVersion = 1;
  const stateVersion = (): StateVersion => ({ presence: presence.version, health: healthVersion });

  const presence = createPresence({
    now,
    version: facts.version,
    platform: process.platform,
    instanceId: bootId,
    mirror: deps.nodes.relay.mirror,
    onChange() {
      const present = { presence: [...presence.list()] };
      egress.publish(presenceChanged, present, { stateVersion: stateVersion() });
    },
  });
  const reports = createHealthReports(deps.reports);
  const runs = new RunEvents({ egress, subscriptions, live, modelOf, now });
  const nodes = openGatewayNodes(deps.nodes, { egress, now, report: deps.report });
  deps.delivery.channels.register(nodes.channel);
  const reviewers = createReviewers(deps.nodes.relay.mirror);
  const methods = [
    ...systemMethods({ reports, presence, heartbeats }),
    ...agentMethods(deps.chat),
    ...chatMethods(deps.chat, createApproveByText(deps.humanInput, now)),
    ...sessionsMethods(deps.chat, subscriptions),
    ...humanInputMethods(deps, reviewers.isAnyBut),
    ...deliveryMethods(deps.delivery),
    ...messageActionMethods(deps.delivery),
    ...crewMethods(deps.crew),
    ...operationsMethods(deps.operations),
    ...loginsMethods(deps.logins),
    ...inspectionMethods(deps.inspection),
    ...usageMethods(deps.usage),
    ...unsupportedMethods(facts.statePath, now),
    ...nodes.methods,
    ...serveExtensions(deps.extensions, egress),
  ];
  const features = listFeatures(methods);
  const hello = { facts, bootId, authMode, limits, features, presence, reports, stateVersion };
  const session: GatewaySessionDeps = {
    handshake: nodes.declaring(deps.handshake),
    call: guardRoles(createMethodRouter(methods, deps.report), methods),
    newChallenge: deps.newChallenge,
    now,
    welcome(member) {
      for (const part of [presence, nodes, reviewers]) part.joined(member);
      egress.join(member);
      return JSON.stringify(buildHello(member, hello));
    },
    farewell(peerId) {
      for (const part of [presence, subscriptions, reviewers, nodes]) part.left(peerId);
    },
    report: deps.report,
  };

  const publishTick = (): void => egress.publish(tick, { ts: now() });
  const publishHealth = (): void => {
    healthVersion++;
    egress.publish(healthChanged, reports.healthText(), { stateVersion: stateVersion() });
  };
  const intervals = openIntervals(limits, publishTick, publishHealth);

  return {
    open: (peer) => new GatewaySession(peer, session),
    onBatch: {
      conversations: createConversationEvents({ runs, subscriptions, conversations, modelOf, now }),
      humanInput: createHumanInputEvents(egress, { approvals, questions }, runs),
      ...nodes.onBatch,
      heartbeats: createHeartbeatEvents(egress, heartbeats),
    },
    recover: () => nodes.resume(),
    close(reason) {
      nodes.close();
      for (const each of [intervals, presence, runs]) each.close();
      egress.publish(shutdown, { reason });
    },
  };
}

function openIntervals(
  limits: GatewayDeps["limits"],
  onTick: () => void,
  onHealth: () => void,
): { readonly close: () => void } {
  const stops = [
    repeat(holdingTimers, () => limits.tickIntervalMs, onTick),
    repeat(holdingTimers, () => limits.healthIntervalMs, onHealth),
  ];
  return { close: () => stops.forEach((stop) => stop()) };
}

function humanInputMethods(
  { approvals, questions, humanInput, timers, reports }: GatewayDeps,
  hasReviewer: (exceptPeerId: string) => boolean,
): readonly GatewayMethod[] {
  const { statePath } = reports.facts;
  return [
    ...approvalMethods({ approvals, humanInput, hasReviewer }),
    ...questionMethods({ questions, humanInput, timers }),
    ...standingPermissionMethods({ approvals, humanInput, statePath }),
  ];
}

function serveExtensions(
  extensions: readonly GatewayExtension[],
  egress: Pick<GatewayEgress, "publish">,
): readonly GatewayMethod[] {
  for (const extension of extensions) extension.connect(egress);
  return extensions.flatMap(({ methods }) => methods);
}

/** The peers that may answer approvals. */
function createReviewers(mirror: OpenMirror) {
  const ids = new SharedIds("reviewers", mirror);
  return {
    isAnyBut: (peerId: string): boolean => ids.isAnyBut(peerId),
    joined({ peer, scopes }: GatewayPeer): void {
      if (scopes.has("operator.approvals")) ids.add(peer.id);
    },
    left: (peerId: string): void => ids.remove(peerId),
  };
}

/** One event for each heartbeat; the projection keeps the last one only. */
function createHeartbeatEvents(
  egress: Pick<GatewayEgress, "publish">,
  heartbeats: Pick<Heartbeats, "last">,
): BatchListener {
  let published = heartbeats.last;
  return () => {
    const { last } = heartbeats;
    if (last === null || last === published) return;
    published = last;
    egress.publish(heartbeat, heartbeatRow(last));
  };
}
