/** A device with a real Ed25519 key, made with node:crypto: independent of the client package's own. */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { TEST_CLIENT } from "./raw-peer.ts";

export interface TestDevice {
  readonly id: string;
  readonly publicKey: string;
  prove(
    challenge: { readonly nonce: string; readonly ts: number },
    claims: {
      readonly token?: string;
      readonly scopes?: readonly string[];
      readonly role?: string;
      readonly version?: "v2" | "v3";
    },
  ): { id: string; publicKey: string; signature: string; signedAt: number; nonce: string };
}

export function createTestDevice(): TestDevice {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const id = createHash("sha256").update(raw).digest("hex");
  const encoded = raw.toString("base64url");
  return {
    id,
    publicKey: encoded,
    prove({ nonce, ts }, { token = "", scopes = [], role = "operator", version = "v3" }) {
      const parts = [
        version,
        id,
        TEST_CLIENT.id,
        TEST_CLIENT.mode,
        role,
        scopes.join(","),
        ts,
        token,
        nonce,
      ];
      if (version === "v3") parts.push(TEST_CLIENT.platform, "");
      const signature = sign(null, Buffer.from(parts.join("|")), privateKey).toString("base64url");
      return { id, publicKey: encoded, signature, signedAt: ts, nonce };
    },
  };
}
