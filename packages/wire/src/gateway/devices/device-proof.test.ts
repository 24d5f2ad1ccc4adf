/** The text is checked against signatures made elsewhere and against the peer's own client. */
import assert from "node:assert/strict";
import { createHash, createPublicKey, verify } from "node:crypto";
import { test } from "node:test";
import { buildDeviceAuthPayload, buildDeviceAuthPayloadV3 } from "@openclaw/gateway-client";
import * as fc from "fast-check";
import { proofText, type ProofClaims } from "./device-proof.ts";

/** Ed25519 over the bytes 0 to 31 as private key; signed with another library than Node's. */
const PUBLIC_KEY = "A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg";
const SIGNATURES = {
  v2: "pvk5SY86liq_15CdC1V9xnpSPQV2KfpGxiFdcTsR5iQFRRxBSTKyhoUyaMLXRD6LePRK5NiADAPRxptDye67BQ",
  v3: "QQvKuPLypIWs0h1H3fq4vaz1HrscPmISbbE3vENCoC-y8WkYZh1bf_YuqJrvN5hDFdwIy-tna7Im-bcu9m_MCQ",
} as const;

const CLAIMS: ProofClaims = {
  deviceId: createHash("sha256").update(Buffer.from(PUBLIC_KEY, "base64url")).digest("hex"),
  clientId: "cli",
  clientMode: "cli",
  role: "operator",
  scopes: ["operator.read", "operator.write"],
  signedAt: 1_730_000_000_000,
  token: "token-1",
  nonce: "nonce-1",
  platform: " macOS 15.1 ",
  deviceFamily: "Mac",
};

test("[WIRE-7] version 2 names nine things in order, version 3 adds platform and family", () => {
  const start = `${CLAIMS.deviceId}|cli|cli|operator|operator.read,operator.write|1730000000000`;
  assert.equal(proofText("v2", CLAIMS), `v2|${start}|token-1|nonce-1`);
  assert.equal(proofText("v3", CLAIMS), `v3|${start}|token-1|nonce-1|macos 15.1|mac`);
});

test("[WIRE-7] what is not given is empty, and only ASCII letters lose their case", () => {
  const bare = {
    ...CLAIMS,
    scopes: [],
    token: "",
    platform: undefined,
    deviceFamily: "\u00C4B\u0130",
  };
  assert.ok(proofText("v3", bare).endsWith("|operator||1730000000000||nonce-1||\u00C4b\u0130"));
});

test("[WIRE-7] the text is the one the peer's own client signs", () => {
  const spaced = fc.string({
    unit: fc.constantFrom("a", "Z", "|", " ", "\t", "\u00A0", "\u00C4", "\u0130"),
  });
  const claims = fc.record({
    deviceId: fc.string(),
    clientId: fc.string(),
    clientMode: fc.string(),
    role: fc.string(),
    scopes: fc.array(fc.string()),
    signedAt: fc.nat(),
    token: fc.string(),
    nonce: fc.string(),
    platform: fc.option(spaced, { nil: undefined }),
    deviceFamily: fc.option(spaced, { nil: undefined }),
  });
  fc.assert(
    fc.property(claims, ({ signedAt, platform, deviceFamily, ...rest }) => {
      const peer = { ...rest, signedAtMs: signedAt };
      const device = {
        ...(platform !== undefined && { platform }),
        ...(deviceFamily !== undefined && { deviceFamily }),
      };
      const ours = { ...rest, ...device, signedAt };
      assert.equal(proofText("v2", ours), buildDeviceAuthPayload(peer));
      assert.equal(proofText("v3", ours), buildDeviceAuthPayloadV3({ ...peer, ...device }));
    }),
  );
});

test("[WIRE-7] a signature made over the text verifies, and not over the other version's", () => {
  assert.equal(isSigned("v2", CLAIMS, SIGNATURES.v2), true);
  assert.equal(isSigned("v3", CLAIMS, SIGNATURES.v3), true);
  assert.equal(isSigned("v2", CLAIMS, SIGNATURES.v3), false);
  assert.equal(isSigned("v3", CLAIMS, SIGNATURES.v2), false);
});

test("[WIRE-7] a signature is of no use for any other claim", () => {
  const changes: readonly Partial<ProofClaims>[] = [
    { deviceId: "0".repeat(64) },
    { clientId: "gateway-client" },
    { clientMode: "ui" },
    { role: "node" },
    { scopes: ["operator.read", "operator.write", "operator.admin"] },
    { scopes: ["operator.write", "operator.read"] },
    { signedAt: CLAIMS.signedAt + 1 },
    { token: "token-2" },
    { nonce: "nonce-2" },
    { platform: "linux" },
    { deviceFamily: "iPhone" },
  ];
  for (const change of changes) {
    assert.equal(isSigned("v3", { ...CLAIMS, ...change }, SIGNATURES.v3), false);
  }
});

function isSigned(version: "v2" | "v3", claims: ProofClaims, signature: string): boolean {
  const key = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: PUBLIC_KEY },
    format: "jwk",
  });
  const text = Buffer.from(proofText(version, claims));
  return verify(null, text, key, Buffer.from(signature, "base64url"));
}
