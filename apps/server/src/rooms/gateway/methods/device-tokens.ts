import {
  accept,
  device,
  refuse,
  type Devices,
  type Dispatch,
  type Grant,
  type Outcome,
  type TokenManager,
} from "@atrium/core";
import { deviceTokenRevoke, deviceTokenRotate } from "@atrium/wire/gateway";
import type { DeviceToken } from "../../../access/secrets.ts";
import { type GatewayCaller, type GatewayMethod, serve } from "../frames/peer.ts";
import type { DeviceSockets } from "../pairing/device-sockets.ts";

export interface DeviceTokenDeps {
  readonly devices: Pick<Devices, "get">;
  readonly sockets: Pick<DeviceSockets, "closeButAnswer">;
  readonly deviceToken: DeviceToken;
  readonly dispatch: Dispatch;
}

export function deviceTokenMethods(deps: DeviceTokenDeps): readonly GatewayMethod[] {
  const { devices, sockets, deviceToken, dispatch } = deps;
  const grantOf = (deviceId: string, role: string): Outcome<Grant> => {
    const grant = devices.get(deviceId)?.grants.get(role);
    return grant === undefined ? refuse("device.unknown") : accept(grant);
  };

  return [
    serve(deviceTokenRotate, async ({ deviceId, role, scopes }, { caller, key }) => {
      const by = managerOf(caller);
      const rotate = { type: "rotateToken", role, scopes, by } as const;
      const done = await dispatch(device, deviceId, rotate, key);
      if (!done.ok) return done;
      const grant = grantOf(deviceId, role);
      if (!grant.ok) return grant;
      const { generation, rotatedAt, at, scopes: granted } = grant.value;
      if (!done.value.repeated) sockets.closeButAnswer(caller.member, deviceId, role);
      const isOwn = by.deviceId === deviceId;
      return accept({
        deviceId,
        role,
        ...(isOwn && { token: deviceToken(deviceId, role, generation) }),
        scopes: [...granted],
        rotatedAtMs: rotatedAt ?? at,
        tokenDelivery: isOwn ? "in-band" : "withheld-cross-device",
      });
    }),

    serve(deviceTokenRevoke, async ({ deviceId, role }, { caller, key }) => {
      const revoke = { type: "revokeToken", role, by: managerOf(caller) } as const;
      const done = await dispatch(device, deviceId, revoke, key);
      if (!done.ok) return done;
      const grant = grantOf(deviceId, role);
      if (!grant.ok) return grant;
      const { revokedAt, at } = grant.value;
      sockets.closeButAnswer(caller.member, deviceId, role);
      return accept({ deviceId, role, revokedAtMs: revokedAt ?? at });
    }),
  ];
}

function managerOf({ scopes, member: { admission } }: GatewayCaller): TokenManager {
  const { deviceId, isByDeviceToken = false } = admission;
  return { holds: [...scopes], deviceId: isByDeviceToken ? (deviceId ?? null) : null };
}
