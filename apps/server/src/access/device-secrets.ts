/** The tokens of devices. They are derived and stored nowhere, so redaction derives them again. */
import type { Devices, PairedDevice } from "@atrium/core";
import type { DeviceToken } from "./secrets.ts";

/** All valid tokens, of every device and role. Called for every piece of text that an agent writes. */
export function createDeviceSecrets(
  devices: Pick<Devices, "list">,
  deviceToken: DeviceToken,
): () => readonly string[] {
  // A paired device is a new object after every change, so the cache is never stale.
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
