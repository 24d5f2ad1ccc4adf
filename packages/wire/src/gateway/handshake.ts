/**
 * Gateway wire: challenge, `connect`, `hello-ok`.
 *
 * `connect` is the one request that forgives: it ignores keys it does not know and takes any client
 * id and mode, because strictness here is what cut newer and third-party clients off from the peer.
 */
import { Type, type Static } from "@atrium/schema";
import { event } from "../event.ts";
import { method } from "../method.ts";
import { Count, NonEmptyString, Timestamp, strictObject } from "../scalars.ts";
import { StateVersion } from "./frames.ts";
import { HealthSummary } from "./methods/health.ts";
import { PresenceEntry } from "./methods/presence.ts";

export const connectChallenge = event({
  name: "connect.challenge",
  scope: null,
  payload: strictObject({ nonce: NonEmptyString, ts: Timestamp }),
});

const Version = Type.Integer({ minimum: 1 });

export const ClientInfo = Type.Object({
  id: NonEmptyString,
  displayName: Type.Optional(NonEmptyString),
  version: NonEmptyString,
  buildId: Type.Optional(Type.String({ minLength: 1, maxLength: 96 })),
  platform: NonEmptyString,
  deviceFamily: Type.Optional(NonEmptyString),
  modelIdentifier: Type.Optional(NonEmptyString),
  timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  mode: NonEmptyString,
  instanceId: Type.Optional(NonEmptyString),
});
export type ClientInfo = Static<typeof ClientInfo>;

export const DeviceProof = Type.Object({
  id: NonEmptyString,
  publicKey: NonEmptyString,
  signature: NonEmptyString,
  signedAt: Timestamp,
  nonce: NonEmptyString,
});
export type DeviceProof = Static<typeof DeviceProof>;

export const ConnectParams = Type.Object({
  minProtocol: Version,
  maxProtocol: Version,
  client: ClientInfo,
  caps: Type.Optional(Type.Array(NonEmptyString)),
  commands: Type.Optional(Type.Array(NonEmptyString)),
  permissions: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
  pathEnv: Type.Optional(Type.String()),
  role: Type.Optional(NonEmptyString),
  scopes: Type.Optional(Type.Array(NonEmptyString)),
  device: Type.Optional(DeviceProof),
  auth: Type.Optional(
    Type.Object({
      token: Type.Optional(Type.String()),
      deviceToken: Type.Optional(Type.String()),
      bootstrapToken: Type.Optional(Type.String()),
      password: Type.Optional(Type.String()),
    }),
  ),
  locale: Type.Optional(Type.String()),
  userAgent: Type.Optional(Type.String()),
});
export type ConnectParams = Static<typeof ConnectParams>;

export const HelloOk = strictObject({
  type: Type.Literal("hello-ok"),
  protocol: Version,
  server: strictObject({
    version: NonEmptyString,
    bootId: Type.String({ minLength: 1, maxLength: 96 }),
    connId: NonEmptyString,
  }),
  features: strictObject({
    methods: Type.Array(NonEmptyString),
    events: Type.Array(NonEmptyString),
    capabilities: Type.Array(NonEmptyString),
  }),
  snapshot: strictObject({
    presence: Type.Array(PresenceEntry),
    health: HealthSummary,
    stateVersion: StateVersion,
    uptimeMs: Count,
    stateDir: Type.Optional(NonEmptyString),
    authMode: Type.Optional(Type.Union([Type.Literal("none"), Type.Literal("token")])),
    sessionDefaults: strictObject({
      defaultAgentId: NonEmptyString,
      mainKey: NonEmptyString,
      mainSessionKey: NonEmptyString,
      scope: NonEmptyString,
    }),
  }),
  auth: strictObject({
    role: NonEmptyString,
    scopes: Type.Array(NonEmptyString),
    deviceToken: Type.Optional(NonEmptyString),
    issuedAtMs: Type.Optional(Timestamp),
  }),
  policy: strictObject({
    maxPayload: Type.Integer({ minimum: 1 }),
    maxBufferedBytes: Type.Integer({ minimum: 1 }),
    tickIntervalMs: Type.Integer({ minimum: 1 }),
  }),
});
export type HelloOk = Static<typeof HelloOk>;

export const connect = method({
  name: "connect",
  scope: null,
  advertised: false,
  params: ConnectParams,
  result: HelloOk,
});
