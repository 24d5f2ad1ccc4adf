/** Finds the paired device of a token that its browser sends over plain HTTP, without the device's id. */
import type { IncomingMessage } from "node:http";
import type { Devices } from "@atrium/core";
import { bearerOf } from "./credentials.ts";
import type { Credential } from "./principal.ts";
import { isSameSecret, type DeviceToken } from "./secrets.ts";

export type DeviceBearer = (request: IncomingMessage) => Credential | undefined;

export function createDeviceBearer(
  devices: Pick<Devices, "list">,
  deviceToken: DeviceToken,
): DeviceBearer {
  return (request) => {
    const shown = bearerOf(request);
    if (shown === undefined) return undefined;
    const found = devices.list().find(({ deviceId, grants }) => {
      const operator = grants.get("operator");
      if (operator === undefined || operator.revokedAt !== null) return false;
      return isSameSecret(shown, deviceToken(deviceId, "operator", operator.generation));
    });
    return found && { kind: "device", deviceId: found.deviceId, role: "operator" };
  };
}
