/** The options of a client, and their defaults. */
import {
  GATEWAY_PROTOCOL_VERSION,
  type ClientInfo,
  type ConnectParams,
} from "@atrium/wire/gateway";
import { readAddress } from "./address.ts";
import { defaultDeps, type ClientDeps } from "./deps.ts";
import type { DeviceIdentity } from "./device-identity.ts";

export interface GatewayClientOptions {
  /** Where the gateway is: `ws://` or `wss://`, or the address as the server prints it. */
  readonly url: string;
  /** Who is calling: program, version, platform, mode. A program that does not say is a backend. */
  readonly client?: ClientInfo | undefined;
  readonly token?: string | undefined;
  /** The token that an earlier hello gave to this device. */
  readonly deviceToken?: string | undefined;
  /** Signs the server's challenge when given. */
  readonly device?: DeviceIdentity | undefined;
  readonly role?: string | undefined;
  /** What is asked for; an operator that does not say may read and write. */
  readonly scopes?: readonly string[] | undefined;
  readonly caps?: readonly string[] | undefined;
  /** What a node offers, and what a program says of its place: sent as given. */
  readonly about?: About | undefined;
  readonly minProtocol?: number | undefined;
  readonly maxProtocol?: number | undefined;
  /** From opening a socket to its hello. */
  readonly connectTimeoutMs?: number | undefined;
  /** From a request to its reply, unless the request says otherwise. */
  readonly requestTimeoutMs?: number | undefined;
  /** How many attempts may fail in a row before the client gives up; without end by default. */
  readonly maxAttempts?: number | undefined;
  readonly deps?: Partial<ClientDeps> | undefined;
}

export type About = Pick<
  ConnectParams,
  "commands" | "permissions" | "pathEnv" | "locale" | "userAgent"
>;

export interface ClientSettings {
  readonly url: string;
  readonly client: ClientInfo;
  readonly token: string | undefined;
  readonly deviceToken: string | undefined;
  readonly device: DeviceIdentity | undefined;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly caps: readonly string[];
  readonly about: About;
  readonly minProtocol: number;
  readonly maxProtocol: number;
  readonly connectTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxAttempts: number;
  readonly deps: ClientDeps;
}

/** The oldest protocol whose events and results this client reads. */
const OLDEST_PROTOCOL = 3;

const OPERATOR = "operator";
const USUAL_SCOPES: readonly string[] = ["operator.read", "operator.write"];

export function settingsFrom(options: GatewayClientOptions): ClientSettings {
  const { socketUrl: url, token } = readAddress(options.url);
  const { role = OPERATOR } = options;
  return {
    url,
    client: options.client ?? someProgram(),
    token: options.token ?? token,
    deviceToken: options.deviceToken,
    device: options.device,
    role,
    scopes: options.scopes ?? (role === OPERATOR ? USUAL_SCOPES : []),
    caps: options.caps ?? [],
    about: options.about ?? {},
    minProtocol: options.minProtocol ?? OLDEST_PROTOCOL,
    maxProtocol: options.maxProtocol ?? GATEWAY_PROTOCOL_VERSION,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    maxAttempts: options.maxAttempts ?? Infinity,
    deps: { ...defaultDeps(), ...options.deps },
  };
}

/** Known to every gateway of the protocol, the older ones that take no other names included. */
function someProgram(): ClientInfo {
  const platform = globalThis.navigator?.platform ?? "";
  return {
    id: "gateway-client",
    version: "dev",
    platform: platform === "" ? "unknown" : platform,
    mode: "backend",
  };
}
