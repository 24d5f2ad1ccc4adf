import assert from "node:assert/strict";
import { createHash, createPublicKey, verify } from "node:crypto";
import { test } from "node:test";
import { createDeviceIdentity, importDeviceIdentity } from "./device-identity.ts";
import { DeviceKeyUnusable } from "./errors.ts";

test("[CLIENT-3] a device's id is the digest of its public key, and its signature verifies by it", async () => {
  const device = await createDeviceIdentity();
  const raw = Buffer.from(device.publicKey, "base64url");
  assert.equal(raw.length, 32);
  assert.equal(device.id, createHash("sha256").update(raw).digest("hex"));
  const key = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: device.publicKey },
    format: "jwk",
  });
  const signature = Buffer.from(await device.sign("naïve text"), "base64url");
  assert.ok(verify(null, Buffer.from("naïve text"), key, signature));
});

test("[CLIENT-3] a stored key gives the same device again", async () => {
  const device = await createDeviceIdentity();
  const stored = JSON.stringify(device.exportKey());
  const again = await importDeviceIdentity(
    JSON.parse(stored) as ReturnType<typeof device.exportKey>,
  );
  assert.equal(again.id, device.id);
  assert.equal(again.publicKey, device.publicKey);
  assert.equal(await again.sign("text"), await device.sign("text"));
});

test("[CLIENT-4] a key that is none is refused with a reason", async () => {
  const { x } = (await createDeviceIdentity()).exportKey();
  for (const d of ["", "c2hvcnQ", "***"]) {
    await assert.rejects(
      importDeviceIdentity({ kty: "OKP", crv: "Ed25519", x, d }),
      DeviceKeyUnusable,
    );
  }
});
