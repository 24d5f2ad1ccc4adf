/**
 * How a connection can fail, and whether another attempt may end better.
 *
 * What the server says about itself comes first (`retryable`), then what its codes mean, then when
 * it asked us to return. A close code decides only when no error came before it.
 */
import { CLOSE, mayComeBack } from "@atrium/wire";
import type { ErrorCode, ErrorShape } from "@atrium/wire/gateway";

export type Failure =
  /** The socket went away. `greeted`: the server had said hello before. */
  | {
      readonly why: "closed";
      readonly code: number;
      readonly reason: string;
      readonly greeted: boolean;
    }
  /** The server answered `connect` with an error. */
  | { readonly why: "refused"; readonly error: ErrorShape }
  /** The handshake took longer than we wait. */
  | { readonly why: "slow" }
  /** Nothing arrived for two tick intervals. */
  | { readonly why: "silent" }
  /** We cannot even ask, or cannot read the answer; the same would happen again. */
  | { readonly why: "broken"; readonly cause: unknown };

export type Advice =
  | { readonly comeBack: false }
  | { readonly comeBack: true; readonly afterMs?: number | undefined };

/** What a top-level code means for `connect` when the error has no details. */
const COME_BACK: Readonly<Record<ErrorCode, boolean>> = {
  NOT_LINKED: false,
  NOT_PAIRED: false,
  AGENT_TIMEOUT: true,
  INVALID_REQUEST: false,
  FORBIDDEN: false,
  APPROVAL_NOT_FOUND: false,
  UNAVAILABLE: true,
};

/** Codes in an error's details that only a person, or another client, can do something about. */
const NO_USE: readonly RegExp[] = [
  /^AUTH_(?!RATE_LIMITED$)/,
  /^DEVICE_/,
  /^CONTROL_UI_/,
  /^PAIRING_REQUIRED$/,
  /_MISMATCH$/,
];

const never: Advice = { comeBack: false };

export function adviseOn(failure: Failure): Advice {
  switch (failure.why) {
    case "closed":
      // A peer that hangs up normally before its hello ran out of time or patience with this
      // attempt; the gateways in use close so when their handshake timer ends.
      if (!failure.greeted && failure.code === CLOSE.normal) return { comeBack: true };
      // After the hello it was not our credentials: we were slow, or talked nonsense once.
      if (failure.greeted && failure.code === CLOSE.policy) return { comeBack: true };
      return { comeBack: mayComeBack(failure.code) };
    case "refused":
      return adviseOnError(failure.error);
    case "slow":
    case "silent":
      return { comeBack: true };
    case "broken":
      return never;
  }
}

function adviseOnError(error: ErrorShape): Advice {
  const comeBack: Advice = { comeBack: true, afterMs: error.retryAfterMs };
  if (error.retryable !== undefined) return error.retryable ? comeBack : never;
  const detail = detailCode(error.details);
  if (NO_USE.some((code) => code.test(detail))) return never;
  if (error.retryAfterMs !== undefined) return comeBack;
  // A code we do not know is a newer server's; it costs less to ask again than to give up on it.
  return isKnown(error.code) && !COME_BACK[error.code] ? never : comeBack;
}

function detailCode(details: unknown): string {
  if (typeof details !== "object" || details === null || !("code" in details)) return "";
  return typeof details.code === "string" ? details.code : "";
}

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(COME_BACK, code);
}

/** The failure in words for a person. */
export function describeFailure(failure: Failure): string {
  switch (failure.why) {
    case "closed":
      return `the connection closed (${[failure.code, failure.reason].join(" ").trim()})`;
    case "refused":
      return `the server refused: ${failure.error.message}`;
    case "slow":
      return "the server did not finish the handshake in time";
    case "silent":
      return "the server went silent";
    case "broken":
      return `cannot connect: ${failure.cause instanceof Error ? failure.cause.message : String(failure.cause)}`;
  }
}
