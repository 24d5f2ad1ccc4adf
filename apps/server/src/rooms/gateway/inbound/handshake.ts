/**
 * Decides `connect`: who the peer is, and what it may do.
 *
 * Order matters: checks that need no secret (version, role, proof) come first; a device that proves its
 * key and presents its own token never uses up the shared token's tries; only then is the shared token
 * compared, and only a wrong one costs a try. A browser may have presented its login with the upgrade
 * request instead. A device on another machine that has the token still waits for approval, and a client
 * without a device key cannot be approved: from another machine the token alone gives no scope.
 */
import {
  accept,
  device,
  refuse,
  type Clock,
  type DeviceInfo,
  type Devices,
  type Dispatch,
  type Grant,
  type Outcome,
  type PairedDevice,
} from "@atrium/core";
import {
  GATEWAY_PROTOCOL_VERSION,
  isGatewayScope,
  MIN_GATEWAY_PROTOCOL_VERSION,
  type ConnectParams,
  type DeviceProof,
} from "@atrium/wire/gateway";
import type { AuthAttempts } from "../../../access/auth-attempts.ts";
import { isAuthFailure, type Authenticate } from "../../../access/authenticate.ts";
import { checkProof } from "../../../access/device-proof.ts";
import type { Credential } from "../../../access/principal.ts";
import { isSameSecret, type DeviceToken } from "../../../access/secrets.ts";
import type { Peer } from "../../../sockets/peer.ts";
import * as no from "../frames/handshake-refusals.ts";
import type { Denial } from "../frames/handshake-refusals.ts";
import { type Admission } from "../frames/peer.ts";
import type { PairingRequests } from "../pairing/pairing-requests.ts";

export interface Challenge {
  readonly nonce: string;
  readonly ts: number;
}

type Arrival = Pick<Peer, "address" | "isLocal" | "shown">;

export type Handshake = (
  params: ConnectParams,
  challenge: Challenge,
  peer: Arrival,
) => Promise<Admission | Denial>;

export interface HandshakeDeps {
  /** The shared token, or null when everyone on this machine may come in. */
  readonly token: string | null;
  readonly deviceToken: DeviceToken;
  /** For browsers, which present their login with the upgrade request and have no token to send. */
  readonly authenticate: Authenticate;
  readonly attempts: AuthAttempts;
  readonly pairings: Pick<PairingRequests, "file">;
  readonly devices: Pick<Devices, "get" | "isSuspended">;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
}

interface ConnectRequest {
  readonly params: ConnectParams;
  readonly protocol: number;
  readonly role: string;
  readonly scopes: readonly string[];
  /** Proven to hold its key. */
  readonly device: DeviceProof | undefined;
}

const DOOR = "gateway";
const ROLES: ReadonlySet<string> = new Set(["operator", "node"]);

export function createHandshake(deps: HandshakeDeps): Handshake {
  return async (params, challenge, peer) => {
    const request = readRequest(params, challenge, deps.clock.now());
    if ("error" in request) return request;
    const { device: proven, role } = request;
    const presented = params.auth?.token ?? params.auth?.deviceToken ?? params.auth?.password;

    if (deps.token === null) {
      return peer.isLocal ? admit(request, peer, { kind: "local" }) : no.localOnly();
    }

    if (proven !== undefined) {
      const known = deps.devices.get(proven.id);
      const own = params.auth?.deviceToken ?? params.auth?.token;
      if (
        known !== undefined &&
        own !== undefined &&
        isSameSecret(own, deps.deviceToken(proven.id, role, known.grants.get(role)?.generation))
      ) {
        return admitByDeviceToken(request, known);
      }
    }
    if (presented === undefined || presented === "") {
      if (peer.shown !== undefined) return admitBrowser(request, peer);
      return proven === undefined ? no.deviceRequired() : no.tokenMissing();
    }
    if (isSameSecret(presented, deps.token)) return admit(request, peer, { kind: "token" });
    const waitMs = deps.attempts.failed(peer.address, DOOR);
    return waitMs > 0 ? no.rateLimited(waitMs) : no.tokenMismatch();
  };

  /** A browser presented its login with the upgrade request. */
  async function admitBrowser(request: ConnectRequest, peer: Arrival): Promise<Admission | Denial> {
    const { address, isLocal, shown } = peer;
    const principal = deps.authenticate({ address, isLocal, door: DOOR, shown });
    if (!isAuthFailure(principal)) return admit(request, peer, principal.credential);
    return principal.waitMs > 0 ? no.rateLimited(principal.waitMs) : no.tokenMismatch();
  }

  /** The caller may grant what it asks for, so a device on this machine is paired without approval. */
  async function admit(
    request: ConnectRequest,
    peer: Pick<Peer, "address" | "isLocal">,
    credential: Credential,
  ): Promise<Admission | Denial> {
    const { device: proven, role, scopes, protocol } = request;
    if (proven === undefined) {
      // Without a key of its own, a node could not be recognized the next time.
      if (role === "node") return no.deviceRequired();
      const isUnknown = !peer.isLocal && credential.kind === "token";
      return isUnknown && scopes.length > 0
        ? no.deviceRequiredElsewhere()
        : { protocol, role, scopes, credential };
    }
    const known = deps.devices.get(proven.id);
    const isKnown = peer.isLocal || covers(known?.grants.get(role), "approved", scopes);
    if (!isKnown || deps.devices.isSuspended(proven.id)) {
      return askToPair(deps, request, proven, peer.address);
    }
    const paired = await pair(deps, request, proven);
    return paired.ok ? withDevice(request, paired.value) : no.pairingFailed();
  }

  function admitByDeviceToken(request: ConnectRequest, known: PairedDevice): Admission | Denial {
    const { role, scopes } = request;
    if (!covers(known.grants.get(role), "scopes", scopes)) return no.scopeMismatch();
    return { ...withDevice(request, known), isByDeviceToken: true };
  }

  function withDevice({ protocol, role, scopes }: ConnectRequest, known: PairedDevice): Admission {
    const { deviceId } = known;
    const grant = known.grants.get(role);
    const generation = grant?.generation ?? 0;
    return {
      protocol,
      role,
      scopes,
      credential: { kind: "device", deviceId, role },
      deviceId,
      deviceToken: deps.deviceToken(deviceId, role, generation),
      issuedAtMs: grant?.rotatedAt ?? grant?.at ?? known.pairedAt,
      generation,
    };
  }
}

async function pair(
  { dispatch, devices }: HandshakeDeps,
  { params, role, scopes }: ConnectRequest,
  { id: deviceId, publicKey }: DeviceProof,
): Promise<Outcome<PairedDevice>> {
  const wanted = { deviceId, publicKey, role, scopes, info: infoOf(params) };
  const done = await dispatch(device, deviceId, { type: "admit", ...wanted });
  const known = devices.get(deviceId);
  if (!done.ok) return done;
  return known === undefined ? refuse("internal") : accept(known);
}

/** Files a pairing request; the device has to connect again once it is approved. */
async function askToPair(
  { pairings, devices }: Pick<HandshakeDeps, "pairings" | "devices">,
  { params, role, scopes }: ConnectRequest,
  { id: deviceId, publicKey }: DeviceProof,
  address: string,
): Promise<Denial> {
  const info = infoOf(params);
  const filed = await pairings.file({ deviceId, publicKey, role, scopes, info, address });
  switch (filed.state) {
    case "failed":
      return no.pairingFailed();
    case "limited":
      return no.pairingLimited(filed.retryAfterMs);
    case "waiting": {
      const { requestId } = filed;
      const reason = reasonFor(devices.get(deviceId), role);
      const wanted = { reason, requestId, deviceId, requestedRole: role };
      const isStaying = role === "node" || params.client.mode === "webchat";
      return no.pairingRequired({ ...wanted, requestedScopes: scopes }, isStaying);
    }
  }
}

function readRequest(
  params: ConnectParams,
  challenge: Challenge,
  now: number,
): ConnectRequest | Denial {
  const { minProtocol, maxProtocol, client, auth } = params;
  if (
    minProtocol > GATEWAY_PROTOCOL_VERSION ||
    maxProtocol < MIN_GATEWAY_PROTOCOL_VERSION ||
    minProtocol > maxProtocol
  ) {
    return no.protocolMismatch(minProtocol, maxProtocol);
  }
  const role = params.role ?? "operator";
  if (!ROLES.has(role)) return no.denial("INVALID_REQUEST", "invalid role", undefined);
  const wanted = params.scopes ?? [];
  // A node carries out commands and is granted no operator scopes.
  const scopes = role === "operator" ? wanted.filter(isGatewayScope) : [];
  const proven = params.device;
  if (proven !== undefined) {
    const failure = checkProof(
      proven,
      {
        clientId: client.id,
        clientMode: client.mode,
        role,
        scopes: wanted,
        token: auth?.token ?? auth?.deviceToken ?? auth?.bootstrapToken ?? "",
        platform: client.platform,
        deviceFamily: client.deviceFamily,
      },
      challenge.nonce,
      now,
    );
    if (failure !== undefined) return no.proofFailed(failure);
  }
  const protocol = Math.min(maxProtocol, GATEWAY_PROTOCOL_VERSION);
  return { params, protocol, role, scopes, device: proven };
}

/** With its own token a device has that token's scopes; with the shared one, all that were approved. */
function covers(
  grant: Grant | undefined,
  by: "scopes" | "approved",
  scopes: readonly string[],
): boolean {
  if (grant === undefined || grant.revokedAt !== null) return false;
  return scopes.every((scope) => grant[by].includes(scope));
}

function reasonFor(known: PairedDevice | undefined, role: string): no.PairingReason {
  if (known === undefined) return "not-paired";
  return known.grants.get(role)?.revokedAt === null ? "scope-upgrade" : "role-upgrade";
}

function infoOf({ client }: ConnectParams): DeviceInfo {
  return {
    clientId: client.id,
    clientMode: client.mode,
    platform: client.platform,
    displayName: client.displayName ?? null,
  };
}
