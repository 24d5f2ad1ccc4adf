/** Which connections belong to which device, so that they are closed when it is removed. */
import type { Devices } from "@atrium/core";
import type { GatewayPeer } from "../frames/peer.ts";

export interface DeviceSockets {
  joined(member: GatewayPeer): void;
  left(peerId: string): void;
  isConnected(deviceId: string): boolean;
  /** Closes the device's connections, or those in one role. */
  close(deviceId: string, role?: string): void;
  /** The same, but the connection that made the call gets its response first. */
  closeButAnswer(answered: GatewayPeer, deviceId: string, role: string): void;
}

/** OpenClaw's close code for a device that was removed. */
const REVOKED = 4001;

export function createDeviceSockets(devices: Pick<Devices, "get">): DeviceSockets {
  const members = new Map<string, GatewayPeer>();
  const of = (deviceId: string): readonly GatewayPeer[] =>
    [...members.values()].filter(({ admission }) => admission.deviceId === deviceId);

  return {
    joined(member) {
      const { deviceId, role, generation } = member.admission;
      if (deviceId === undefined) return;
      members.set(member.peer.id, member);
      // Removed, or its token revoked, during the handshake: it is closed like the others, after its hello.
      const isGone = devices.get(deviceId)?.grants.get(role)?.generation !== generation;
      if (isGone) queueMicrotask(() => member.peer.close(REVOKED, "device removed"));
    },
    left: (peerId) => void members.delete(peerId),
    isConnected: (deviceId) => of(deviceId).length > 0,
    close(deviceId, role) {
      for (const { peer, admission } of of(deviceId)) {
        if (role === undefined || role === admission.role) peer.close(REVOKED, "device removed");
      }
    },
    closeButAnswer(answered, deviceId, role) {
      for (const { peer, admission } of of(deviceId)) {
        if (role !== admission.role) continue;
        const close = (): void => peer.close(REVOKED, "device removed");
        if (peer.id === answered.peer.id) setImmediate(close);
        else close();
      }
    },
  };
}
