/**
 * The gateway room: OpenClaw's control plane, spoken at the root of the port.
 *
 * Brings the parts together (handshake, methods, presence, reports, telling, egress) and keeps the two
 * clocks the protocol has: `tick` and `health`.
 */
import type { BatchListener, Clock, Conversations, Fault, Heartbeats } from "@atrium/core";
import { DEFAULT_HANDLE } from "@atrium/core";
import {
  healthChanged,
  heartbeat,
  presenceChanged,
  shutdown,
  tick,
  type HelloOk,
  type StateVersion,
} from "@atrium/wire/gateway";
import type { Channels } from "../../channels/channel.ts";
import type { ApprovalRequests } from "../../human-input/approval-requests.ts";
import { createMethodRouter } from "../../pipeline/method-router.ts";
import type { LiveRuns } from "../../runs/live-runs.ts";
import type { MessageIntake } from "../../runs/message-intake.ts";
import type { RunStatuses } from "../../runs/run-statuses.ts";
import { type Audience, type Room } from "../../sockets/peer.ts";
import type { GatewayExtension } from "./extension.ts";
import type { GatewayMethod, GatewayPeer } from "./frames/peer.ts";
import { openGatewayNodes, type NodeDeps } from "./gateway-nodes.ts";
import type { Challenge, Handshake } from "./inbound/handshake.ts";
import { listFeatures, buildHello } from "./inbound/hello.ts";
import { guardRoles } from "./inbound/roles.ts";
import { GatewaySession, type GatewaySessionDeps } from "./inbound/session.ts";
import { agentMethods } from "./methods/agent.ts";
import { approvalMethods, type ApprovalDeps } from "./methods/approvals.ts";
import { chatMethods, type ChatDeps } from "./methods/chat.ts";
import { crewMethods, type CrewDeps } from "./methods/crew.ts";
import { deliveryMethods, type DeliveryDeps } from "./methods/delivery.ts";
import { inspectionMethods, type InspectionDeps } from "./methods/inspection.ts";
import { loginsMethods, type LoginsDeps } from "./methods/logins.ts";
import { messageActionMethods } from "./methods/message-actions.ts";
import { operationsMethods, type OperationsDeps } from "./methods/operations.ts";
import { questionMethods, type QuestionDeps } from "./methods/questions.ts";
import { sessionsMethods } from "./methods/sessions.ts";
import { standingPermissionMethods, type StandingDeps } from "./methods/standing-permissions.ts";
import { systemMethods } from "./methods/system.ts";
import { unsupportedMethods } from "./methods/unsupported.ts";
import { usageMethods, type UsageDeps } from "./methods/usage.ts";
import { createConversationEvents } from "./outbound/conversation-events.ts";
import { createGatewayEgress, type GatewayEgress } from "./outbound/egress.ts";
import { createHumanInputEvents, type HumanInputRows } from "./outbound/human-input-events.ts";
import { RunEvents } from "./outbound/run-events.ts";
import { createSubscriptions } from "./outbound/subscriptions.ts";
import { createApproveByText } from "./params/approve-by-text.ts";
import { heartbeatRow } from "./rows/conversation-rows.ts";
import { createHealthReports, type HealthReportDeps } from "./state/health-reports.ts";
import { createPresence } from "./state/presence.ts";

export interface GatewayDeps {
  readonly clock: Clock;
  readonly handshake: Handshake;
  readonly chat: ChatDeps & {
    readonly conversations: Conversations;
    readonly desk: MessageIntake;
    readonly runs: RunStatuses;
    readonly erase: () => Promise<void>;
  };
  readonly live: LiveRuns;
  readonly heartbeats: Pick<Heartbeats, "last">;
  readonly asked: Omit<ApprovalDeps, "hasReviewer"> &
    Omit<StandingDeps, "statePath"> &
    QuestionDeps &
    HumanInputRows & { readonly asking: Pick<ApprovalRequests, "matchReply"> };
  readonly delivery: Omit<DeliveryDeps, "now"> & { readonly channels: Channels };
  readonly crew: CrewDeps;
  readonly operations: OperationsDeps;
  readonly inspection: Omit<InspectionDeps, "now">;
  readonly spending: UsageDeps["spending"];
  readonly logins: LoginsDeps;
  readonly nodes: NodeDeps;
  /** Other rooms that are served at this door too. */
  readonly guests: readonly GatewayExtension[];
  readonly reports: Omit<HealthReportDeps, "now">;
  readonly policy: HelloOk["policy"];
  readonly healthIntervalMs: number;
  readonly authMode: "none" | "token";
  readonly bootId: string;
  readonly newChallenge: () => Challenge;
  readonly openAudience: (present?: () => readonly string[]) => Audience;
  readonly report: (fault: Fault) => void;
}

export interface GatewayRoom extends Room {
  /** Tells peers what the log now holds. */
  readonly onBatch: Readonly<Record<string, BatchListener>>;
  /** Ends what an earlier life of the server left under way. */
  recover(): Promise<void>;
  /** Says good-bye to everyone; the sockets are closed by whoever owns them. */
  close(reason: string): void;
}

export function openGatewayRoom(deps: GatewayDeps): GatewayRoom {
  const now = (): number => deps.clock.now();
  const egress = createGatewayEgress(deps.openAudience, () => runs.present());
  const subscriptions = createSubscriptions(() => deps.openAudience());
  const { facts } = deps.reports;
  let healthVersion = 1;
  const stateVersion = (): StateVersion => ({ presence: presence.version, health: healthVersion });

  const presence = createPresence({
    now,
    version: facts.version,
    platform: process.platform,
    instanceId: deps.bootId,
    onChange() {
      const present = { presence: [...presence.list()] };
      egress.publish(presenceChanged, present, { stateVersion: stateVersion() });
    },
  });
  const reports = createHealthReports({ ...deps.reports, now });
  const { modelOf } = deps.chat;
  const runs = new RunEvents({ egress, subscriptions, live: deps.live, modelOf, now });
  const nodes = openGatewayNodes(deps.nodes, { egress, now, report: deps.report });
  deps.delivery.channels.register(nodes.channel);
  const defaultModel = () => modelOf(DEFAULT_HANDLE);
  const reviewers = createReviewers();
  const methods = [
    ...systemMethods({ reports, presence, heartbeats: deps.heartbeats }),
    ...agentMethods({ ...deps.chat, now }),
    ...chatMethods({ ...deps.chat, hearAnswer: createApproveByText(deps.asked.asking, now) }),
    ...sessionsMethods({ ...deps.chat, ...facts, subscriptions, defaultModel, now }),
    ...peopleMethods(deps, reviewers.ids, now),
    ...lookingMethods(deps, now),
    ...nodes.methods,
    ...receive(deps.guests, egress),
  ];
  const features = listFeatures(methods);
  const hello = { ...deps, facts, features, presence, reports, stateVersion };
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

  const stopClocks = startClocks(deps, {
    tick: () => egress.publish(tick, { ts: now() }),
    report() {
      healthVersion++;
      egress.publish(healthChanged, reports.healthText(), { stateVersion: stateVersion() });
    },
  });

  return {
    open: (peer) => new GatewaySession(peer, session),
    onBatch: {
      conversations: createConversationEvents({ ...deps.chat, runs, subscriptions, now }),
      asking: createHumanInputEvents(egress, deps.asked, runs),
      nodes: nodes.onBatch,
      heartbeats: tellOfHeartbeats(egress, deps.heartbeats),
    },
    recover: () => nodes.resume(),
    close(reason) {
      nodes.close();
      stopClocks();
      presence.close();
      runs.close();
      egress.publish(shutdown, { reason });
    },
  };
}

/** The peers that may answer what is asked of people. */
function createReviewers() {
  const ids = new Set<string>();
  return {
    ids: ids as ReadonlySet<string>,
    joined({ peer, scopes }: GatewayPeer): void {
      if (scopes.has("operator.approvals")) ids.add(peer.id);
    },
    left: (peerId: string): void => void ids.delete(peerId),
  };
}

/** The two clocks the protocol has; the answer stops them. */
function startClocks(
  { policy, healthIntervalMs }: Pick<GatewayDeps, "policy" | "healthIntervalMs">,
  on: { readonly tick: () => void; readonly report: () => void },
): () => void {
  const ticking = setInterval(on.tick, policy.tickIntervalMs);
  const reporting = setInterval(on.report, healthIntervalMs);
  return () => {
    clearInterval(ticking);
    clearInterval(reporting);
  };
}

/** Guests are served like the room's own, and may tell everyone. */
function receive(
  guests: readonly GatewayExtension[],
  egress: Pick<GatewayEgress, "publish">,
): readonly GatewayMethod[] {
  for (const guest of guests) guest.tell(egress);
  return guests.flatMap((guest) => guest.methods);
}

/** What those who look after the server look at, and what they find nothing of. */
function lookingMethods(
  { operations, inspection, spending, chat, reports, logins, asked }: GatewayDeps,
  now: () => number,
): readonly GatewayMethod[] {
  const { statePath } = reports.facts;
  return [
    ...operationsMethods(operations),
    ...loginsMethods(logins),
    ...inspectionMethods({ ...inspection, now }),
    ...usageMethods({ ...chat, spending, now }),
    ...standingPermissionMethods({ ...asked, statePath }),
    ...unsupportedMethods({ statePath, now }),
  ];
}

/** What is asked of people and delivered to them, and who is here to do something about it. */
function peopleMethods(
  { asked, delivery, crew }: Pick<GatewayDeps, "asked" | "delivery" | "crew">,
  reviewers: ReadonlySet<string>,
  now: () => number,
): readonly GatewayMethod[] {
  const hasReviewer = (except: string): boolean => reviewers.size > (reviewers.has(except) ? 1 : 0);
  return [
    ...approvalMethods({ ...asked, hasReviewer }),
    ...questionMethods(asked),
    ...deliveryMethods({ ...delivery, now }),
    ...messageActionMethods(delivery),
    ...crewMethods(crew),
  ];
}

/** Once for each: the fold knows of no more than the last. */
function tellOfHeartbeats(
  egress: Pick<GatewayEgress, "publish">,
  heartbeats: Pick<Heartbeats, "last">,
): BatchListener {
  let told = heartbeats.last;
  return () => {
    const { last } = heartbeats;
    if (last === null || last === told) return;
    told = last;
    egress.publish(heartbeat, heartbeatRow(last));
  };
}
