/**
 * Everything the gateway room serves. A method or event that is not in these lists does not exist:
 * the room refuses to open when a handler and this table differ.
 */
import type { TSchema } from "@atrium/schema";
import type { Contract } from "../method.ts";
import { Position } from "../position.ts";
import { agentProgressed, agentRun, agentWait } from "./agent.ts";
import {
  ChatAttachment,
  ChatMessage,
  chatAbort,
  chatChanged,
  chatHistory,
  chatInject,
  ChatMetadata,
  chatMetadata,
  chatSend,
  chatStartup,
  PendingInputs,
  TokenUsage,
} from "./chat.ts";
import {
  DevicePairing,
  DevicePairingRequest,
  devicePairApprove,
  devicePairList,
  devicePairReject,
  devicePairRemove,
  devicePairRequested,
  devicePairResolved,
} from "./device-pairing.ts";
import type { EventContract } from "./event.ts";
import { ErrorShape, EventFrame, RequestFrame, ResponseFrame, StateVersion } from "./frames.ts";
import { ClientInfo, DeviceProof, connect, connectChallenge } from "./handshake.ts";
import {
  EventLoopHealth,
  health,
  healthChanged,
  HealthSummary,
  RecentSession,
  SessionsSummary,
  status,
  tick,
} from "./health.ts";
import {
  nodeInvoke,
  nodeInvokeCancel,
  nodeInvokeProgress,
  nodeInvokeRequest,
  nodeInvokeResult,
} from "./node-invoke.ts";
import {
  NodePairing,
  NodePairingRequest,
  NodePermissions,
  nodePairApprove,
  nodePairList,
  nodePairReject,
  nodePairRemove,
  nodePairRequest,
  nodePairRequested,
  nodePairResolved,
  nodePairVerify,
} from "./node-pairing.ts";
import {
  nodeDescribe,
  nodeEvent,
  nodeList,
  nodePresenceChanged,
  nodeRename,
  NodeRow,
} from "./nodes.ts";
import { PresenceEntry, presenceChanged, systemPresence } from "./presence.ts";
import {
  ResolvedModel,
  SessionDefaults,
  SessionEntry,
  sessionMessage,
  SessionRow,
  sessionsChanged,
  sessionsCreate,
  sessionsDelete,
  sessionsDescribe,
  sessionsGet,
  sessionsList,
  sessionsMessagesSubscribe,
  sessionsMessagesUnsubscribe,
  sessionsPatch,
  sessionsReset,
  sessionsSubscribe,
  sessionsUnsubscribe,
  Subscribed,
  SubscribedTo,
} from "./sessions.ts";
import { lastHeartbeat, shutdown, systemEcho } from "./system.ts";

export const GATEWAY_METHODS: readonly Contract[] = [
  connect,
  health,
  status,
  systemEcho,
  systemPresence,
  lastHeartbeat,
  agentRun,
  agentWait,
  chatSend,
  chatAbort,
  chatInject,
  chatHistory,
  chatStartup,
  chatMetadata,
  sessionsList,
  sessionsDescribe,
  sessionsGet,
  sessionsCreate,
  sessionsPatch,
  sessionsReset,
  sessionsDelete,
  sessionsSubscribe,
  sessionsUnsubscribe,
  sessionsMessagesSubscribe,
  sessionsMessagesUnsubscribe,
  nodeList,
  nodeDescribe,
  nodeRename,
  nodeEvent,
  nodeInvoke,
  nodeInvokeResult,
  nodeInvokeProgress,
  nodePairList,
  nodePairRequest,
  nodePairApprove,
  nodePairReject,
  nodePairRemove,
  nodePairVerify,
  devicePairList,
  devicePairApprove,
  devicePairReject,
  devicePairRemove,
];

export const GATEWAY_EVENTS: readonly EventContract[] = [
  connectChallenge,
  tick,
  presenceChanged,
  healthChanged,
  chatChanged,
  agentProgressed,
  sessionMessage,
  sessionsChanged,
  shutdown,
  nodePairRequested,
  nodePairResolved,
  nodePresenceChanged,
  nodeInvokeRequest,
  nodeInvokeCancel,
  devicePairRequested,
  devicePairResolved,
];

/**
 * Schemas that are exported by name besides each method's params and result and each event:
 * the frames, and every object that is used in more than one place.
 */
export const GATEWAY_MODELS: Readonly<Record<string, TSchema>> = {
  RequestFrame,
  ResponseFrame,
  EventFrame,
  ErrorShape,
  StateVersion,
  Position,
  ClientInfo,
  DeviceProof,
  PresenceEntry,
  RecentSession,
  SessionsSummary,
  EventLoopHealth,
  HealthSummary,
  ChatMessage,
  ChatAttachment,
  TokenUsage,
  PendingInputs,
  ChatMetadata,
  SessionRow,
  SessionDefaults,
  SessionEntry,
  ResolvedModel,
  Subscribed,
  SubscribedTo,
  NodePermissions,
  NodeRow,
  NodePairingRequest,
  NodePairing,
  DevicePairingRequest,
  DevicePairing,
};
