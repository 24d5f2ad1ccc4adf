/** The tokens that devices hold: derived and kept nowhere, so whoever must not let them be said derives them again. */
import type { Devices, PairedDevice } from "@atrium/core";
import type { DeviceToken } from "./secrets.ts";

/** Those that open a door now, of every device and role. Asked for with every word an agent says. */
export function createDeviceSecrets(
  devices: Pick<Devices, "list">,
  deviceToken: DeviceToken,
): () => readonly string[] {
  // What a device was granted is another object with every change, so nothing here grows old.
  const known = new WeakMap<PairedDevice, readonly string[]>();
  const tokensOf = (device: PairedDevice): readonly string[] => {
    const found = known.get(device);
    if (found !== undefined) return found;
    const tokens = [...device.grants]
      .filter(([, { revokedAt }]) => revokedAt === null)
      .map(([role, { generation }]) => deviceToken(device.deviceId, role, generation));
    known.set(device, tokens);
    return tokens;
  };
  return () => devices.list().flatMap(tokensOf);
}
