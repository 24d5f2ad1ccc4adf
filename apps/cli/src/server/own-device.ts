/**
 * This command line as a device: from another machine the token alone is not enough, so it comes with a key of its
 * own, which someone on the server lets in once.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createDeviceIdentity, importDeviceIdentity, type DeviceIdentity } from "@atrium/client";
import { CliError } from "../command-line/cli-error.ts";
import { isAbsence, isRecord } from "./settings.ts";

/** Made once, readable by its owner only. */
export async function openOwnDevice(file: string): Promise<DeviceIdentity> {
  const kept = readStoredDevice(file);
  if (kept !== undefined) return importDeviceIdentity(kept);
  const made = await createDeviceIdentity();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(made.exportKey())}\n`, { mode: 0o600 });
  return made;
}

function readStoredDevice(file: string): Parameters<typeof importDeviceIdentity>[0] | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    if (isAbsence(cause)) return undefined;
    throw cause;
  }
  const key = readJson(text);
  const { x, d } = isRecord(key) ? key : {};
  if (typeof x === "string" && typeof d === "string") return { kty: "OKP", crv: "Ed25519", x, d };
  throw new CliError(`${file} contains no device key.`, {
    advice: "Remove the file. The next call creates a new key, which you approve again.",
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Cut short while it was written: no key.
    return undefined;
  }
}
