/**
 * Device: a key pair that may connect, in which roles and with which scopes.
 *
 * Only the public half and what was granted are kept. Tokens are derived from the server's own secret
 * and this record, so no secret ever reaches the log.
 */
import { readAs } from "../codec.ts";
import type { Aggregate } from "../dispatch.ts";
import { accept, refuse, type Outcome } from "../refusal.ts";

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

export type DeviceCommand = Admit;

export type DeviceEvent =
  | ({
      readonly type: "device.paired";
      readonly deviceId: string;
      readonly publicKey: string;
      readonly approvedVia: "silent";
    } & DeviceInfo)
  /** The role's scopes are now exactly these. */
  | {
      readonly type: "device.granted";
      readonly deviceId: string;
      readonly role: string;
      readonly scopes: readonly string[];
    };

export type Device =
  | { readonly state: "absent" }
  | {
      readonly state: "paired";
      readonly publicKey: string;
      readonly grants: Readonly<Record<string, readonly string[]>>;
    };

function decide(device: Device, command: DeviceCommand): Outcome<readonly DeviceEvent[]> {
  const { deviceId, publicKey, role, info } = command;
  if (device.state === "paired" && device.publicKey !== publicKey) {
    return refuse("device.mismatched");
  }
  const held = device.state === "paired" ? device.grants[role] : undefined;
  const scopes = [...new Set([...(held ?? []), ...command.scopes])].toSorted();
  const granted: DeviceEvent = { type: "device.granted", deviceId, role, scopes };
  if (device.state === "absent") {
    const paired: DeviceEvent = {
      type: "device.paired",
      deviceId,
      publicKey,
      approvedVia: "silent",
      ...info,
    };
    return accept([paired, granted]);
  }
  return accept(held !== undefined && held.length === scopes.length ? [] : [granted]);
}

function evolve(device: Device, event: DeviceEvent): Device {
  switch (event.type) {
    case "device.paired":
      return { state: "paired", publicKey: event.publicKey, grants: {} };
    case "device.granted":
      if (device.state === "absent") return device;
      return { ...device, grants: { ...device.grants, [event.role]: event.scopes } };
  }
}

export const device: Aggregate<Device, DeviceCommand, DeviceEvent> = {
  name: "device",
  initial: { state: "absent" },
  decide,
  evolve,
  read: readAs<DeviceEvent>,
};
