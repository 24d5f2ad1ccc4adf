import type { EventDeclarations } from "../engine/codec.ts";
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
  "device.requested": {
    version: 1,
    shape: {
      ...request,
      ...role,
      ...client,
      publicKey: "string",
      scopes: "array",
      address: "string",
      expiresAt: "number",
    },
  },
  "device.approved": { version: 1, shape: request },
  "device.rejected": { version: 1, shape: request },
  "device.expired": { version: 1, shape: request },
  "device.paired": {
    version: 1,
    shape: { ...device, ...client, publicKey: "string", approvedVia: "string" },
  },
  "device.granted": { version: 1, shape: { ...role, scopes: "array" } },
  "device.revoked": { version: 1, shape: role },
  "device.token.rotated": { version: 1, shape: { ...role, scopes: "array" } },
  "device.token.revoked": { version: 1, shape: role },
  "device.removed": { version: 1, shape: device },
};
