/** A paired device's own token, as its browser shows it over plain HTTP: there it does not say whose it is. */
import type { IncomingMessage } from "node:http";
import type { Devices } from "@atrium/core";
import { bearerOf } from "./bearer.ts";
import { isSameSecret, type DeviceToken } from "./secrets.ts";

export type IsFromDevice = (request: IncomingMessage) => boolean;

export function createIsFromDevice(
  devices: Pick<Devices, "list">,
  deviceToken: DeviceToken,
): IsFromDevice {
  return (request) => {
    const shown = bearerOf(request);
    if (shown === undefined) return false;
    return devices.list().some(({ deviceId, grants }) => {
      const operator = grants.get("operator");
      if (operator === undefined || operator.revokedAt !== null) return false;
      return isSameSecret(shown, deviceToken(deviceId, "operator", operator.generation));
    });
  };
}
