/** Which devices are paired, and what each role of theirs was granted. */
import { device, type DeviceInfo } from "../device/device.ts";
import type { Projection } from "./projection.ts";

export interface Grant {
  readonly scopes: readonly string[];
  readonly at: number;
}

export interface PairedDevice extends DeviceInfo {
  readonly deviceId: string;
  readonly publicKey: string;
  readonly pairedAt: number;
  readonly grants: Readonly<Record<string, Grant>>;
}

export interface Devices extends Projection {
  get(deviceId: string): PairedDevice | undefined;
}

const PREFIX = `${device.name}/`;

export function createDevices(): Devices {
  let paired = new Map<string, PairedDevice>();
  return {
    name: "devices",
    version: 1,
    get: (deviceId) => paired.get(deviceId),
    apply(entry) {
      if (!entry.stream.startsWith(PREFIX)) return;
      const event = device.read(entry);
      switch (event.type) {
        case "device.paired": {
          const { deviceId, publicKey, clientId, clientMode, platform, displayName } = event;
          const info = { clientId, clientMode, platform, displayName };
          paired.set(deviceId, { deviceId, publicKey, pairedAt: entry.at, grants: {}, ...info });
          return;
        }
        case "device.granted": {
          const known = paired.get(event.deviceId);
          if (known === undefined) return;
          const grant = { scopes: event.scopes, at: known.grants[event.role]?.at ?? entry.at };
          paired.set(event.deviceId, {
            ...known,
            grants: { ...known.grants, [event.role]: grant },
          });
        }
      }
    },
    save: () => [...paired.values()],
    load(saved) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what save() wrote, under the same version
      paired = new Map((saved as PairedDevice[]).map((known) => [known.deviceId, known]));
    },
  };
}
