/** Checks that a device holds the key it names, for exactly this connection. */
import { createHash, createPublicKey, verify, type KeyObject } from "node:crypto";
import { proofText, type DeviceProof, type ProofClaims } from "@atrium/wire/gateway";

export type ProofFailure =
  | "public-key-invalid"
  | "device-id-mismatch"
  | "nonce-mismatch"
  | "signature-expired"
  | "signature-invalid";

const MAX_SKEW_MS = 120_000;

export function checkProof(
  device: DeviceProof,
  claims: Omit<ProofClaims, "deviceId" | "signedAt" | "nonce">,
  nonce: string,
  now: number,
): ProofFailure | undefined {
  const raw = Buffer.from(device.publicKey, "base64url");
  const key = readKey(raw);
  if (key === undefined) return "public-key-invalid";
  if (createHash("sha256").update(raw).digest("hex") !== device.id) return "device-id-mismatch";
  if (device.nonce !== nonce) return "nonce-mismatch";
  if (Math.abs(now - device.signedAt) > MAX_SKEW_MS) return "signature-expired";
  const full = { ...claims, deviceId: device.id, signedAt: device.signedAt, nonce };
  const signature = Buffer.from(device.signature, "base64url");
  const isSigned = (["v3", "v2"] as const).some((version) =>
    verify(null, Buffer.from(proofText(version, full)), key, signature),
  );
  return isSigned ? undefined : "signature-invalid";
}

function readKey(raw: Buffer): KeyObject | undefined {
  if (raw.length !== 32) return undefined;
  const jwk = { kty: "OKP", crv: "Ed25519", x: raw.toString("base64url") };
  try {
    return createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    // Node throws for a key that it cannot use; to the caller that is an invalid signature too.
    return undefined;
  }
}
