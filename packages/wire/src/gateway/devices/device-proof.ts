/**
 * What a device signs to prove that it holds its key.
 *
 * The text binds the challenge nonce, the role, the scopes and the token, so that a recorded
 * signature is of no use in another connection or for more rights. Version 3 adds the platform;
 * version 2 is what older clients sign.
 */
export interface ProofClaims {
  readonly deviceId: string;
  readonly clientId: string;
  readonly clientMode: string;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly signedAt: number;
  readonly token: string;
  readonly nonce: string;
  readonly platform?: string | undefined;
  readonly deviceFamily?: string | undefined;
}

export function proofText(version: "v2" | "v3", claims: ProofClaims): string {
  const parts = [
    version,
    claims.deviceId,
    claims.clientId,
    claims.clientMode,
    claims.role,
    claims.scopes.join(","),
    String(claims.signedAt),
    claims.token,
    claims.nonce,
  ];
  if (version === "v3") parts.push(plain(claims.platform), plain(claims.deviceFamily));
  return parts.join("|");
}

function plain(text: string | undefined): string {
  return (text ?? "").trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
