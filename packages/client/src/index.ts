export { createGatewayClient, type GatewayClient } from "./client.ts";
export type { BuildUpdate, FollowBuild } from "./builds/follow-build.ts";
export type { AgentAccepted, AgentFinished, AgentOptions } from "./runs/agent-run.ts";
export type { RunEnd, RunUpdate } from "./runs/run-update.ts";
export type {
  CallParams,
  CallResult,
  EventPayloads,
  MethodContracts,
  MethodName,
} from "./rpc/catalogue.ts";
export type { ConnectionState } from "./connection/connection.ts";
export { describeFailure, type Failure } from "./base/failure.ts";
export type { ClientDeps, SetTimer, SocketConstructor, SocketLike } from "./base/deps.ts";
export {
  createDeviceIdentity,
  importDeviceIdentity,
  type DeviceIdentity,
  type DeviceKey,
  type StoredDeviceIdentity,
} from "./base/device-identity.ts";
export {
  ConnectFailed,
  ConnectionLost,
  DeviceKeyUnusable,
  GatewayError,
  InvalidParams,
  InvalidResult,
  RequestAborted,
  RequestTimeout,
  RunUnknown,
  type ClientError,
} from "./base/errors.ts";
export type { EventHandler, Gap } from "./rpc/feed.ts";
export type { UnknownFrame } from "./rpc/inbound.ts";
export type { Unsubscribe } from "./base/listeners.ts";
export type { About, GatewayClientOptions } from "./base/options.ts";
export type { Problem } from "./base/problem.ts";
export type { RequestOptions } from "./rpc/requests.ts";
export {
  createWorldClient,
  type WorldClient,
  type WorldClientOptions,
  type WorldGap,
  type WorldClientInfo,
} from "./world/world-client.ts";
export { WorldRefused, WorldStale, type WorldAck } from "./world/commands.ts";
export type { WorldStatus } from "./world/status.ts";
export type { AgentGoal, Snapshot, StreamSoFar } from "./world/world-state.ts";
export { isAskedPerTurn } from "./settings/asked-per-turn.ts";
export { usualModel, type FoundModels } from "./settings/connect-model.ts";
export { connectPatch, type ConnectRequest } from "./settings/connect-patch.ts";
export { createAgUiSignals } from "./signals/adapters/from-ag-ui.ts";
export { createAnthropicSignals } from "./signals/adapters/from-anthropic.ts";
export { fromClaudeHook, HOOK_AGENTS } from "./signals/adapters/from-claude-hook.ts";
export { createClaudeStreamSignals } from "./signals/adapters/from-claude-stream.ts";
export { createCodexSignals } from "./signals/adapters/from-codex.ts";
export { createGeminiSignals } from "./signals/adapters/from-gemini.ts";
export { createLanggraphSignals } from "./signals/adapters/from-langgraph.ts";
export { createOpenaiSignals } from "./signals/adapters/from-openai.ts";
export { createOpenclawSignals } from "./signals/adapters/from-openclaw.ts";
export { createOpencodeSignals } from "./signals/adapters/from-opencode.ts";
export {
  followSignals,
  SignalsRefused,
  type FollowSignals,
  type SignalUpdate,
} from "./signals/follow-signals.ts";
export type { Producer, SignalAdapter } from "./signals/producer.ts";
export type * from "@atrium/wire/signal";
