/** Devices as the gateway's clients see them. */
import type { DeviceRequest, PairedDevice } from "@atrium/core";
import type { DevicePairing, DevicePairingRequest } from "@atrium/wire/gateway";

export function devicePairing(device: PairedDevice, isConnected: boolean): DevicePairing {
  const { deviceId, publicKey, clientId, clientMode, platform, displayName, pairedAt } = device;
  const grants = [...device.grants];
  const [[role] = []] = grants;
  return {
    deviceId,
    publicKey,
    ...(displayName !== null && { displayName }),
    platform,
    clientId,
    clientMode,
    ...(role !== undefined && { role }),
    roles: grants.map(([name]) => name),
    scopes: [...new Set(grants.flatMap(([, { scopes }]) => scopes))],
    approvedVia: device.approvedVia,
    createdAtMs: pairedAt,
    approvedAtMs: pairedAt,
    connected: isConnected,
    tokens: grants.map(([name, { scopes, at, rotatedAt, revokedAt }]) => ({
      role: name,
      scopes: [...scopes],
      createdAtMs: at,
      ...(rotatedAt !== null && { rotatedAtMs: rotatedAt }),
      ...(revokedAt !== null && { revokedAtMs: revokedAt }),
    })),
  };
}

export function devicePairingRequest(
  request: DeviceRequest,
  isPaired: boolean,
): DevicePairingRequest {
  const { requestId, deviceId, publicKey, clientId, clientMode, platform, displayName } = request;
  return {
    requestId,
    deviceId,
    publicKey,
    ...(displayName !== null && { displayName }),
    platform,
    clientId,
    clientMode,
    role: request.role,
    roles: [request.role],
    scopes: [...request.scopes],
    remoteIp: request.address,
    silent: false,
    isRepair: isPaired,
    ts: request.requestedAt,
  };
}
