import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { DeviceEvent } from "./device.ts";

const device = { deviceId: "string" } as const;
const request = { ...device, requestId: "string" } as const;
const role = { ...device, role: "string" } as const;
const client = {
  clientId: "string",
  clientMode: "string",
  platform: "string",
  displayName: "string?",
} as const;

export const DEVICE_EVENTS: EventDeclarations<DeviceEvent> = {
  "device.requested": v1({
    ...request,
    ...role,
    ...client,
    publicKey: "string",
    scopes: "array",
    address: "string",
    expiresAt: "number",
  }),
  "device.approved": v1(request),
  "device.rejected": v1(request),
  "device.expired": v1(request),
  "device.paired": v1({ ...device, ...client, publicKey: "string", approvedVia: "string" }),
  "device.granted": v1({ ...role, scopes: "array" }),
  "device.revoked": v1(role),
  "device.token.rotated": v1({ ...role, scopes: "array" }),
  "device.token.revoked": v1(role),
  "device.removed": v1(device),
};
