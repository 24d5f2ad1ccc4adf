/** The `hello-ok` of an admitted peer: its role and scopes, what is served, and the present state. */
import { DEFAULT_HANDLE, Fault, MAIN_KEY } from "@atrium/core";
import {
  connect,
  GATEWAY_EVENTS,
  GATEWAY_METHODS,
  presenceChanged,
  type HelloOk,
  type StateVersion,
} from "@atrium/wire/gateway";
import type { Method } from "../../../pipeline/method-router.ts";
import type { GatewayPeer } from "../frames/peer.ts";
import type { HealthReports, ServerFacts } from "../state/health-reports.ts";
import type { Presence } from "../state/presence.ts";

export interface PolicyLimits {
  readonly maxPayloadBytes: number;
  readonly maxBufferedBytes: number;
  readonly tickIntervalMs: number;
}

export interface HelloDeps {
  readonly facts: ServerFacts;
  readonly bootId: string;
  readonly authMode: "none" | "token";
  readonly limits: PolicyLimits;
  readonly features: HelloOk["features"];
  readonly presence: Pick<Presence, "list">;
  readonly reports: Pick<HealthReports, "health">;
  readonly stateVersion: () => StateVersion;
}

/** Capabilities that clients of 2026.9.6 look for: `models.list` and `chat.metadata` accept a conversation. */
const CAPABILITIES = [
  "published-model-catalog",
  "session-scoped-chat-metadata",
  "session-scoped-model-catalog",
];

export function buildHello({ admission, peer, scopes }: GatewayPeer, deps: HelloDeps): HelloOk {
  const { facts } = deps;
  const { maxPayloadBytes: maxPayload, maxBufferedBytes, tickIntervalMs } = deps.limits;
  return {
    type: "hello-ok",
    protocol: admission.protocol,
    server: { version: facts.version, bootId: deps.bootId, connId: peer.id },
    features: deps.features,
    snapshot: {
      presence: scopes.has(presenceChanged.scope ?? "") ? [...deps.presence.list()] : [],
      health: deps.reports.health(),
      stateVersion: deps.stateVersion(),
      uptimeMs: facts.uptimeMs(),
      sessionDefaults: {
        defaultAgentId: DEFAULT_HANDLE,
        mainKey: "main",
        mainSessionKey: MAIN_KEY,
        scope: "per-sender",
      },
      ...(scopes.has("operator.admin") && { stateDir: facts.statePath, authMode: deps.authMode }),
    },
    auth: {
      role: admission.role,
      scopes: [...admission.scopes],
      ...(admission.deviceToken !== undefined && { deviceToken: admission.deviceToken }),
      ...(admission.issuedAtMs !== undefined && { issuedAtMs: admission.issuedAtMs }),
    },
    policy: { maxPayload, maxBufferedBytes, tickIntervalMs },
  };
}

/** Declares exactly the methods that are served: one declared without a handler is a bug. */
export function listFeatures(
  methods: readonly { readonly contract: Method["contract"] }[],
): HelloOk["features"] {
  const served = new Set(methods.map(({ contract }) => contract.name)).add(connect.name);
  const missing = GATEWAY_METHODS.filter(({ name }) => !served.has(name));
  if (missing.length > 0 || served.size !== GATEWAY_METHODS.length) {
    throw new Fault("gateway methods and their declarations differ", {
      missing: missing.map(({ name }) => name),
      served: [...served],
    });
  }
  return {
    methods: GATEWAY_METHODS.filter(({ advertised }) => advertised).map(({ name }) => name),
    events: GATEWAY_EVENTS.map(({ name }) => name),
    capabilities: CAPABILITIES,
  };
}
