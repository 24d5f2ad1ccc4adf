/**
 * Which connections belong to which device, so that they are closed when it is removed, by whichever node; and which
 * devices are connected, to whichever.
 */
import { device, owns, type BatchListener, type DeviceEvent, type Devices } from "@atrium/core";
import type { OpenMirror } from "../../../cluster/relay.ts";
import { SharedIds } from "../../../cluster/shared-ids.ts";
import type { GatewayPeer } from "../frames/peer.ts";

export interface DeviceSockets {
  joined(member: GatewayPeer): void;
  left(peerId: string): void;
  isConnected(deviceId: string): boolean;
  /** Closes the device's connections, or those in one role. */
  close(deviceId: string, role?: string): void;
  /** The same, but the connection that made the call gets its response first. */
  closeButAnswer(answered: GatewayPeer, deviceId: string, role: string): void;
  /** Closes what another node has removed or revoked. */
  readonly onBatch: BatchListener;
}

/** OpenClaw's close code for a device that was removed. */
const REVOKED = 4001;

/** After these a device may no longer have the connections that it has. */
const LOSSES: ReadonlySet<string> = new Set([
  "device.removed",
  "device.revoked",
  "device.token.rotated",
  "device.token.revoked",
] satisfies DeviceEvent["type"][]);

export function createDeviceSockets(
  devices: Pick<Devices, "get">,
  mirror: OpenMirror,
): DeviceSockets {
  const members = new Map<string, GatewayPeer>();
  const connected = new SharedIds("devices", mirror);
  const of = (deviceId: string): readonly GatewayPeer[] =>
    [...members.values()].filter(({ admission }) => admission.deviceId === deviceId);

  const isOver = ({ admission: { deviceId = "", role, generation } }: GatewayPeer): boolean =>
    devices.get(deviceId)?.grants.get(role)?.generation !== generation;

  return {
    joined(member) {
      const { deviceId } = member.admission;
      if (deviceId === undefined) return;
      members.set(member.peer.id, member);
      connected.add(deviceId);
      // Removed, or its token revoked, during the handshake: it is closed like the others, after its hello.
      if (isOver(member)) queueMicrotask(() => member.peer.close(REVOKED, "device removed"));
    },
    left(peerId) {
      const { deviceId } = members.get(peerId)?.admission ?? {};
      members.delete(peerId);
      if (deviceId !== undefined && of(deviceId).length === 0) connected.remove(deviceId);
    },
    isConnected: (deviceId) => connected.has(deviceId),
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
    onBatch(entries) {
      for (const entry of entries) {
        if (!LOSSES.has(entry.type) || !owns(device, entry.stream)) continue;
        const { deviceId } = device.read(entry);
        // Whoever has asked for it here is answered first.
        setImmediate(() => {
          for (const member of of(deviceId)) {
            if (isOver(member)) member.peer.close(REVOKED, "device removed");
          }
        });
      }
    },
  };
}
