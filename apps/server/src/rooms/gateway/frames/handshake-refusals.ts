/**
 * Why `connect` is refused, with the texts and codes that clients act on: depending on `details.code`
 * they stop, ask for a token, or retry.
 */
import { CLOSE } from "@atrium/wire";
import {
  GATEWAY_PROTOCOL_VERSION,
  MIN_GATEWAY_PROTOCOL_VERSION,
  type ErrorCode,
  type ErrorShape,
} from "@atrium/wire/gateway";
import type { ProofFailure } from "../../../access/device-proof.ts";

export interface Denial {
  readonly error: ErrorShape;
  readonly closeCode: number;
}

export function denial(
  code: ErrorCode,
  message: string,
  details: unknown,
  closeCode: number = CLOSE.policy,
): Denial {
  return {
    error: details === undefined ? { code, message } : { code, message, details },
    closeCode,
  };
}

export function protocolMismatch(clientMinProtocol: number, clientMaxProtocol: number): Denial {
  const details = {
    code: "PROTOCOL_MISMATCH",
    clientMinProtocol,
    clientMaxProtocol,
    expectedProtocol: GATEWAY_PROTOCOL_VERSION,
    minimumProbeProtocol: MIN_GATEWAY_PROTOCOL_VERSION,
  };
  return denial("INVALID_REQUEST", "protocol mismatch", details, CLOSE.protocolError);
}

export function deviceRequired(): Denial {
  return denial("NOT_PAIRED", "device identity required", { code: "DEVICE_IDENTITY_REQUIRED" });
}

/** From another machine the token is not enough: a person must be able to approve the device, and to remove it. */
export function deviceRequiredElsewhere(): Denial {
  return denial(
    "NOT_PAIRED",
    "device identity required: from another machine the token alone grants no scope; connect with a device identity and approve it on the server (atrium devices approve)",
    {
      code: "DEVICE_IDENTITY_REQUIRED",
      remediationHint:
        "Connect with a device identity; someone on the server lets it in with: atrium devices approve",
    },
  );
}

/** Without a token only clients on this machine are admitted. */
export function localOnly(): Denial {
  return unauthorized(
    "this server asks for no token and serves its own machine only (start it with --auth token to be reached from elsewhere or by a proxy)",
    {
      code: "AUTH_UNAUTHORIZED",
      authReason: "local_only",
      recommendedNextStep: "update_auth_configuration",
    },
  );
}

export function tokenMissing(): Denial {
  return unauthorized("gateway token missing (pass the token Atrium printed when it opened)", {
    code: "AUTH_TOKEN_MISSING",
    authReason: "token_missing",
    recommendedNextStep: "update_auth_configuration",
  });
}

export function tokenMismatch(): Denial {
  return unauthorized("gateway token mismatch (pass the token Atrium printed when it opened)", {
    code: "AUTH_TOKEN_MISMATCH",
    authReason: "token_mismatch",
    recommendedNextStep: "update_auth_credentials",
  });
}

export function scopeMismatch(): Denial {
  return unauthorized("device token scope mismatch (connect once with the shared token)", {
    code: "AUTH_SCOPE_MISMATCH",
    authReason: "scope_mismatch",
    recommendedNextStep: "review_auth_configuration",
  });
}

export function rateLimited(retryAfterMs: number): Denial {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const { error, closeCode } = unauthorized(
    `too many wrong tokens from this address; wait ${seconds} s`,
    {
      code: "AUTH_RATE_LIMITED",
      authReason: "rate_limited",
      recommendedNextStep: "wait_then_retry",
    },
  );
  return { error: { ...error, retryable: true, retryAfterMs }, closeCode };
}

export type PairingReason = "not-paired" | "role-upgrade" | "scope-upgrade";

const PAIRING_REASONS: Readonly<Record<PairingReason, string>> = {
  "not-paired": "device is not approved yet",
  "role-upgrade": "device is asking for a higher role than currently approved",
  "scope-upgrade": "device is asking for more scopes than currently approved",
};

/** What clients show a person, who then finds the request and approves it. */
export interface PairingWanted {
  readonly reason: PairingReason;
  readonly requestId: string;
  readonly deviceId: string;
  readonly requestedRole: string;
  readonly requestedScopes: readonly string[];
}

/** A client that waits is asked to keep retrying, so it is admitted soon after its approval. */
const WAIT = { recommendedNextStep: "wait_then_retry", retryable: true, pauseReconnect: false };

export function pairingRequired(wanted: PairingWanted, isStaying: boolean): Denial {
  const { reason, requestId } = wanted;
  return denial(
    "NOT_PAIRED",
    `pairing required: ${PAIRING_REASONS[reason]} (requestId: ${requestId})`,
    {
      code: "PAIRING_REQUIRED",
      ...wanted,
      remediationHint: "Approve this device from the pending pairing requests.",
      ...(isStaying && WAIT),
    },
  );
}

export function pairingLimited(retryAfterMs: number): Denial {
  const { error, closeCode } = denial(
    "NOT_PAIRED",
    `too many devices ask to be paired; wait ${Math.ceil(retryAfterMs / 1000)} s`,
    { code: "PAIRING_REQUIRED", ...WAIT },
  );
  return { error: { ...error, retryable: true, retryAfterMs }, closeCode };
}

export function pairingFailed(): Denial {
  const details = { code: "PAIRING_FAILED" };
  return denial("UNAVAILABLE", "the pairing could not be recorded", details, CLOSE.tryLater);
}

const PROOF_FAILURES: Readonly<
  Record<ProofFailure, readonly [what: string, code: string, reason: string]>
> = {
  "public-key-invalid": ["public key invalid", "PUBLIC_KEY_INVALID", "device-public-key"],
  "device-id-mismatch": ["identity mismatch", "DEVICE_ID_MISMATCH", "device-id-mismatch"],
  "nonce-mismatch": ["nonce mismatch", "NONCE_MISMATCH", "device-nonce-mismatch"],
  "signature-expired": ["signature expired", "SIGNATURE_EXPIRED", "device-signature-stale"],
  "signature-invalid": ["signature invalid", "SIGNATURE_INVALID", "device-signature"],
};

export function proofFailed(failure: ProofFailure): Denial {
  const [what, code, reason] = PROOF_FAILURES[failure];
  const details = { code: `DEVICE_AUTH_${code}`, reason };
  return denial("INVALID_REQUEST", `device ${what}`, details);
}

function unauthorized(
  message: string,
  details: {
    readonly code: string;
    readonly authReason: string;
    readonly recommendedNextStep: string;
  },
): Denial {
  const full = { ...details, canRetryWithDeviceToken: false };
  return denial("INVALID_REQUEST", `unauthorized: ${message}`, full);
}
