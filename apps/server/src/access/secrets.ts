/** Comparing and deriving secrets. None of them is ever logged or kept in the log. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Constant time for any lengths: both sides are hashed first. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Derives a secret that reveals nothing about the first. */
export function derive(secret: string, purpose: string): string {
  return createHmac("sha256", secret).update(purpose).digest("base64url");
}

export type DeviceToken = (deviceId: string, role: string, generation?: number) => string;

/**
 * A device's token is derived, not stored: it stays the same as long as the server keeps its secret, and the
 * log does not reveal it. A device that was removed and is paired again has the next generation, so its
 * earlier token stays invalid.
 */
export function createDeviceToken(serverSecret: string): DeviceToken {
  return (deviceId, role, generation = 0) => {
    const name = `device|${deviceId}|${role}${generation === 0 ? "" : `|${generation}`}`;
    return derive(serverSecret, name);
  };
}
