/**
 * What the client answers to the server's challenge: who it is, what it asks for, and proof that it
 * holds its device's key. The proof covers role, scopes and token as they are sent.
 */
import { proofText, type ConnectParams, type DeviceProof } from "@atrium/wire/gateway";
import type { DeviceIdentity } from "../base/device-identity.ts";
import type { ClientSettings } from "../base/options.ts";
import type { Challenge } from "./connection.ts";

export async function connectParams(
  settings: ClientSettings,
  challenge: Challenge,
): Promise<ConnectParams> {
  const { client, role, scopes, caps, token, deviceToken, device } = settings;
  const auth = {
    ...(token !== undefined && { token }),
    ...(deviceToken !== undefined && { deviceToken }),
  };
  return {
    minProtocol: settings.minProtocol,
    maxProtocol: settings.maxProtocol,
    client,
    role,
    scopes: [...scopes],
    caps: [...caps],
    ...settings.about,
    ...(Object.keys(auth).length > 0 && { auth }),
    ...(device !== undefined && { device: await proveDevice(device, settings, challenge) }),
  };
}

async function proveDevice(
  device: DeviceIdentity,
  settings: ClientSettings,
  { nonce, ts }: Challenge,
): Promise<DeviceProof> {
  const { client, role, scopes, token, deviceToken } = settings;
  const text = proofText("v3", {
    deviceId: device.id,
    clientId: client.id,
    clientMode: client.mode,
    role,
    scopes,
    // The server's clock, so that ours may be wrong.
    signedAt: ts,
    token: token ?? deviceToken ?? "",
    nonce,
    platform: client.platform,
    deviceFamily: client.deviceFamily,
  });
  const signature = await device.sign(text);
  return { id: device.id, publicKey: device.publicKey, signature, signedAt: ts, nonce };
}
