/**
 * Device: a key pair that may connect, in which roles and with which scopes.
 *
 * A device on this machine is admitted without a question; one from elsewhere asks, and someone who
 * holds what it asks for approves. Only the public half and what was granted are kept. Tokens are
 * derived from the server's own secret and this record, so no secret ever reaches the log.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { TaggedUnion } from "../engine/tagged-union.ts";
import { DEVICE_EVENTS } from "./device-shapes.ts";

export interface DeviceInfo {
  readonly clientId: string;
  readonly clientMode: string;
  readonly platform: string;
  readonly displayName: string | null;
}

/** Lets a device in without asking: the caller has already proven a right to grant this. */
export interface Admit {
  readonly type: "admit";
  readonly deviceId: string;
  readonly publicKey: string;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly info: DeviceInfo;
}

/** Asks to be let in. The same question again changes nothing while the first one waits. */
export interface RequestPairing extends Omit<Admit, "type"> {
  readonly type: "request";
  readonly requestId: string;
  readonly address: string;
  readonly now: number;
  readonly expiresAt: number;
}

/** Who decides about a device's tokens. */
export interface TokenManager {
  readonly holds: readonly string[];
  /** Who came in as a device, by that device's token, looks after its own. */
  readonly deviceId: string | null;
}

export type DeviceCommand =
  | TaggedUnion<{
      approve: {
        requestId: string;
        now: number;
        /** What the one who approves holds: nobody grants more than that. */
        holds: readonly string[];
      };
      reject: { requestId: string };
      expire: { now: number };
      /** Takes one role away; with the last of them the device is gone. */
      revoke: { role: string };
      /** A new token for a role, of these scopes or those the last one had; the last one is void. */
      rotateToken: { role: string; scopes: readonly string[] | undefined; by: TokenManager };
      /** The role's token is void; the role has to be granted again before there is another. */
      revokeToken: { role: string; by: TokenManager };
      remove: object;
    }>
  | Admit
  | RequestPairing;

export type DeviceEvent = TaggedUnion<{
  "device.requested": {
    deviceId: string;
    publicKey: string;
    requestId: string;
    role: string;
    scopes: readonly string[];
    address: string;
    expiresAt: number;
  } & DeviceInfo;
  "device.approved": { deviceId: string; requestId: string };
  "device.rejected": { deviceId: string; requestId: string };
  "device.expired": { deviceId: string; requestId: string };
  "device.paired": {
    deviceId: string;
    publicKey: string;
    approvedVia: "silent" | "operator";
  } & DeviceInfo;
  /** The role's scopes are now exactly these. */
  "device.granted": { deviceId: string; role: string; scopes: readonly string[] };
  "device.revoked": { deviceId: string; role: string };
  "device.token.rotated": { deviceId: string; role: string; scopes: readonly string[] };
  "device.token.revoked": { deviceId: string; role: string };
  "device.removed": { deviceId: string };
}>;

type PairingRequest = Omit<RequestPairing, "type" | "now">;

export interface Device {
  readonly waiting: PairingRequest | null;
  readonly paired: {
    readonly deviceId: string;
    readonly publicKey: string;
    readonly grants: ReadonlyMap<string, DeviceGrant>;
  } | null;
  /** Something about it could not be read, perhaps that its rights were taken; a person lets it in again. */
  readonly isSuspended: boolean;
}

interface DeviceGrant {
  /** All that was ever agreed to; a token has no more. */
  readonly approved: readonly string[];
  /** What the token of now is good for; null once it was revoked. */
  readonly token: readonly string[] | null;
}

const OPERATOR = "operator";
const ADMIN = "operator.admin";

function decide(device: Device, command: DeviceCommand): Outcome<readonly DeviceEvent[]> {
  const { waiting, paired } = device;
  switch (command.type) {
    case "admit":
      if (device.isSuspended) return refuse("device.suspended");
      return admit(device, command, "silent");
    case "request":
      return requestPairing(device, command);
    case "approve":
      return approve(device, command);
    case "reject": {
      const { requestId } = command;
      if (waiting?.requestId !== requestId) return refuse("request.unknown", requestId);
      return accept([{ type: "device.rejected", deviceId: waiting.deviceId, requestId }]);
    }
    case "expire": {
      if (waiting === null || waiting.expiresAt > command.now) return accept([]);
      const { deviceId, requestId } = waiting;
      return accept([{ type: "device.expired", deviceId, requestId }]);
    }
    case "revoke": {
      if (paired?.grants.get(command.role) === undefined) return accept([]);
      const { deviceId, grants } = paired;
      const isLast = grants.size === 1;
      if (isLast) return accept([{ type: "device.removed", deviceId }]);
      return accept([{ type: "device.revoked", deviceId, role: command.role }]);
    }
    case "rotateToken":
      return rotateToken(paired, command);
    case "revokeToken":
      return revokeToken(paired, command);
    case "remove":
      if (paired === null) return refuse("device.unknown");
      return accept([{ type: "device.removed", deviceId: paired.deviceId }]);
  }
}

function admit(
  { paired }: Device,
  request: Omit<Admit, "type">,
  approvedVia: "silent" | "operator",
): Outcome<readonly DeviceEvent[]> {
  const { deviceId, publicKey, role, info } = request;
  if (paired !== null && paired.publicKey !== publicKey) return refuse("device.mismatched");
  const held = paired?.grants.get(role)?.token ?? undefined;
  const scopes = [...new Set([...(held ?? []), ...request.scopes])].toSorted();
  const granted: DeviceEvent = { type: "device.granted", deviceId, role, scopes };
  if (paired === null) {
    return accept([{ type: "device.paired", deviceId, publicKey, approvedVia, ...info }, granted]);
  }
  return accept(held !== undefined && held.length === scopes.length ? [] : [granted]);
}

function rotateToken(
  paired: Device["paired"],
  { role, scopes: wantedScopes, by }: Extract<DeviceCommand, { readonly type: "rotateToken" }>,
): Outcome<readonly DeviceEvent[]> {
  const grant = paired?.grants.get(role);
  if (paired === null || grant === undefined) return refuse("device.unknown");
  const { deviceId } = paired;
  const scopes = [...new Set(wantedScopes ?? grant.token ?? grant.approved)].toSorted();
  const beyond = scopes.find((scope) => !grant.approved.includes(scope));
  if (beyond !== undefined) return refuse("scope.ungranted", beyond);
  const objection = objectionTo(by, { deviceId, role, scopes });
  return objection ?? accept([{ type: "device.token.rotated", deviceId, role, scopes }]);
}

function revokeToken(
  paired: Device["paired"],
  { role, by }: Extract<DeviceCommand, { readonly type: "revokeToken" }>,
): Outcome<readonly DeviceEvent[]> {
  const grant = paired?.grants.get(role);
  if (paired === null || grant === undefined) return refuse("device.unknown");
  const { deviceId } = paired;
  const objection = objectionTo(by, { deviceId, role, scopes: grant.token ?? [] });
  if (objection !== undefined) return objection;
  return accept(grant.token === null ? [] : [{ type: "device.token.revoked", deviceId, role }]);
}

/** Nobody decides about more than they hold; other devices' tokens and other roles are an admin's. */
function objectionTo(
  by: TokenManager,
  token: { readonly deviceId: string; readonly role: string; readonly scopes: readonly string[] },
): Outcome<never> | undefined {
  if (by.holds.includes(ADMIN)) return undefined;
  const isForeign = by.deviceId !== null && by.deviceId !== token.deviceId;
  if (isForeign || token.role !== OPERATOR) return refuse("scope.missing", ADMIN);
  const missing = token.scopes.find((scope) => !by.holds.includes(scope));
  return missing === undefined ? undefined : refuse("scope.missing", missing);
}

function requestPairing(
  { waiting, paired }: Device,
  command: RequestPairing,
): Outcome<readonly DeviceEvent[]> {
  const { type: _type, now, info, ...request } = command;
  if (paired !== null && paired.publicKey !== request.publicKey) return refuse("device.mismatched");
  if (waiting !== null && hasOpenRequest(waiting, request, now)) return accept([]);
  return accept([{ type: "device.requested", ...request, ...info }]);
}

/** Whether what is asked for waits for an answer already, so that asking again is no new question. */
export function hasOpenRequest(
  waiting: Pick<PairingRequest, "role" | "scopes" | "expiresAt">,
  request: Pick<PairingRequest, "role" | "scopes">,
  now: number,
): boolean {
  return (
    waiting.expiresAt > now &&
    waiting.role === request.role &&
    request.scopes.every((scope) => waiting.scopes.includes(scope))
  );
}

function approve(
  device: Device,
  command: Extract<DeviceCommand, { readonly type: "approve" }>,
): Outcome<readonly DeviceEvent[]> {
  const { waiting } = device;
  const { requestId, now, holds } = command;
  if (waiting?.requestId !== requestId) return refuse("request.unknown", requestId);
  if (waiting.expiresAt <= now) return refuse("request.expired", requestId);
  const beyond = waiting.scopes.find((scope) => !holds.includes(scope));
  if (beyond !== undefined) return refuse("scope.missing", beyond);
  const admitted = admit(device, waiting, "operator");
  if (!admitted.ok) return admitted;
  const { deviceId } = waiting;
  return accept([{ type: "device.approved", deviceId, requestId }, ...admitted.value]);
}

function evolve(device: Device, event: DeviceEvent): Device {
  switch (event.type) {
    case "device.requested": {
      const { type: _type, clientId, clientMode, platform, displayName, ...request } = event;
      const info = { clientId, clientMode, platform, displayName };
      return { ...device, waiting: { ...request, info } };
    }
    case "device.approved":
    case "device.rejected":
    case "device.expired":
      return { ...device, waiting: null };
    case "device.paired": {
      const { deviceId, publicKey } = event;
      return { ...device, paired: { deviceId, publicKey, grants: new Map() }, isSuspended: false };
    }
    case "device.granted": {
      const { role, scopes } = event;
      const before = device.paired?.grants.get(role)?.approved ?? [];
      const approved = [...new Set([...before, ...scopes])];
      return withGrant(device, role, { approved, token: scopes });
    }
    case "device.token.rotated":
    case "device.token.revoked": {
      const grant = device.paired?.grants.get(event.role);
      if (grant === undefined) return device;
      const token = event.type === "device.token.rotated" ? event.scopes : null;
      return withGrant(device, event.role, { ...grant, token });
    }
    case "device.revoked": {
      if (device.paired === null) return device;
      const grants = new Map(device.paired.grants);
      grants.delete(event.role);
      return { ...device, paired: { ...device.paired, grants } };
    }
    case "device.removed":
      return { ...device, paired: null };
  }
}

function withGrant(device: Device, role: string, grant: DeviceGrant): Device {
  if (device.paired === null) return device;
  const grants = new Map(device.paired.grants).set(role, grant);
  return { ...device, paired: { ...device.paired, grants } };
}

export const device: Aggregate<Device, DeviceCommand, DeviceEvent> = {
  name: "device",
  initial: { waiting: null, paired: null, isSuspended: false },
  decide,
  evolve,
  ...createCodec<DeviceEvent>(DEVICE_EVENTS),
  distrust: () => ({ waiting: null, paired: null, isSuspended: true }),
};
